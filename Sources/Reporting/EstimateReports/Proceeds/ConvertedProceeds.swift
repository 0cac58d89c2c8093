import Campaigns
import Ledger
import Postbacks
import Values

/// The proceeds of an app in one currency, a row a day.
struct ConvertedProceeds {
  private(set) var rows: [ProceedsRow] = []
  /// The currencies that no rate converts on some of their days, in order; ``rows`` are without these days of theirs.
  private(set) var withoutRate: [String] = []

  /// Converts by the rates of the days of payment.
  init(_ proceeds: [ProceedsRow], to quote: CurrencyCode, by rates: ExchangeRates) {
    var days: [Day: ProceedsRow] = [:]
    for row in proceeds.ordered(by: { ($0.day, $0.currency) < ($1.day, $1.currency) }) {
      guard let converted = row.converted(to: quote, by: rates) else {
        if !withoutRate.contains(row.currency) { withoutRate.append(row.currency) }
        continue
      }
      days[row.day] = days[row.day]?.adding(converted) ?? converted
    }
    rows = days.values.ordered { $0.day < $1.day }
    withoutRate.sort()
  }
}

extension ProceedsRow {
  fileprivate func converted(to quote: CurrencyCode, by rates: ExchangeRates) -> Self? {
    guard let own = CurrencyCode(currency) else { return nil }
    func amount(_ micros: Int64) -> Int64? {
      rates.convert(Amount(micros: micros), from: own, to: quote, on: day)?.micros
    }
    guard let left = amount(proceeds) else { return nil }
    return Self(
      day: day, app: app, currency: quote.text, proceeds: left, commission: commission.flatMap(amount),
      refunds: refunds.flatMap(amount), tax: tax.flatMap(amount))
  }

  /// The sum of two rows; what one of them does not state, the sum does not state either.
  fileprivate func adding(_ other: Self) -> Self {
    func sum(_ a: Int64, _ b: Int64) -> Int64 { Amount(micros: a).adding(Amount(micros: b)).sum.micros }
    func sum(_ a: Int64?, _ b: Int64?) -> Int64? { a.flatMap { a in b.map { sum(a, $0) } } }
    return Self(
      day: day, app: app, currency: currency, proceeds: sum(proceeds, other.proceeds),
      commission: sum(commission, other.commission), refunds: sum(refunds, other.refunds),
      tax: sum(tax, other.tax))
  }
}
