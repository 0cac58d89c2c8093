package import Ledger
package import Values

package struct ExchangeRates: Sendable {
  private struct Pair: Hashable {
    let currency: String
    let quote: String
  }

  private static let one: Int64 = 1_000_000_000_000

  /// Rates by pair, in the order of their days.
  private let rates: [Pair: [RateRow]]

  package init(_ rows: [RateRow]) {
    rates = Dictionary(grouping: rows) { Pair(currency: $0.currency, quote: $0.quote) }
      .mapValues { $0.ordered { $0.day < $1.day } }
  }

  /// An amount in another currency, by the newest rate of its day or an earlier one; `nil` without such a rate.
  ///
  /// The rate of the opposite direction is turned round where there is none of this one. The result is rounded to the
  /// millionth.
  package func convert(_ amount: Amount, from currency: CurrencyCode, to quote: CurrencyCode, on day: Day)
    -> Amount?
  {
    guard currency != quote else { return amount }
    if let rate = rate(Pair(currency: currency.text, quote: quote.text), on: day) {
      return amount.scaled(by: rate, over: Self.one)
    }
    if let rate = rate(Pair(currency: quote.text, quote: currency.text), on: day) {
      return amount.scaled(by: Self.one, over: rate)
    }
    return nil
  }

  private func rate(_ pair: Pair, on day: Day) -> Int64? {
    guard let rates = rates[pair] else { return nil }
    // The first rate that is too new, by halving: a report asks once for each piece of spend.
    var (low, high) = (0, rates.count)
    while low < high {
      let middle = (low + high) / 2
      if rates[middle].day <= day { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? rates[low - 1].picos : nil
  }
}

extension Amount {
  /// The amount times a fraction of two positive numbers, rounded to the millionth; held at the end of the range where it
  /// does not fit.
  func scaled(by factor: Int64, over divisor: Int64) -> Amount {
    let (high, low) = micros.magnitude.multipliedFullWidth(by: factor.magnitude)
    guard high < divisor.magnitude else { return Amount(micros: micros < 0 ? .min : .max) }
    let (quotient, rest) = divisor.magnitude.dividingFullWidth((high, low))
    let rounded = quotient &+ (rest >= divisor.magnitude - rest ? 1 : 0)
    guard let value = Int64(exactly: rounded) else { return Amount(micros: micros < 0 ? .min : .max) }
    return Amount(micros: micros < 0 ? -value : value)
  }
}

extension ExchangeRates {
  /// A rate in decimal digits, without zeros at the end.
  package static func text(_ picos: Int64) -> String {
    let (whole, rest) = picos.quotientAndRemainder(dividingBy: one)
    guard rest > 0 else { return "\(whole)" }
    var digits = String(rest)
    digits = String(repeating: "0", count: 12 - digits.count) + digits
    while digits.last == "0" { digits.removeLast() }
    return "\(whole).\(digits)"
  }
}
