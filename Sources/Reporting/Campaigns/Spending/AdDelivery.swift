import Ledger
import Values

/// What was paid, and what networks delivered for it as their files have it, by currency.
struct AdDelivery: Equatable, Sendable {
  /// A figure, and the spend of the files' rows that have it.
  struct Figure: Equatable, Sendable {
    fileprivate(set) var count: Int64 = 0
    fileprivate(set) var paid = Amount.zero

    fileprivate mutating func add(_ other: Self) {
      count = sum(count, other.count)
      paid = paid.adding(other.paid).sum
    }
  }

  /// What was paid in a currency, of which a row of a file has one.
  struct Part: Equatable, Sendable {
    let currency: CurrencyCode
    fileprivate(set) var paid = Amount.zero
    /// Impressions; `nil` where no row has them.
    fileprivate(set) var impressions: Figure?
    /// Clicks; `nil` where no row has them.
    fileprivate(set) var clicks: Figure?
    fileprivate var clicksOfBoth: Figure?
    fileprivate var impressionsOfBoth: Figure?

    fileprivate init(_ currency: CurrencyCode) { self.currency = currency }

    fileprivate mutating func add(_ row: SpendRow, for amount: Amount) {
      func add(_ count: Int64, to figure: inout Figure?) {
        figure = figure ?? Figure()
        figure?.add(Figure(count: count, paid: amount))
      }
      paid = paid.adding(amount).sum
      if let impressions = row.impressions { add(impressions, to: &self.impressions) }
      if let clicks = row.clicks { add(clicks, to: &self.clicks) }
      guard let impressions = row.impressions, let clicks = row.clicks else { return }
      add(clicks, to: &clicksOfBoth)
      add(impressions, to: &impressionsOfBoth)
    }

    fileprivate mutating func add(_ other: Self) {
      func add(_ other: Figure?, to figure: inout Figure?) {
        guard let other else { return }
        figure = figure ?? Figure()
        figure?.add(other)
      }
      paid = paid.adding(other.paid).sum
      add(other.impressions, to: &impressions)
      add(other.clicks, to: &clicks)
      add(other.clicksOfBoth, to: &clicksOfBoth)
      add(other.impressionsOfBoth, to: &impressionsOfBoth)
    }
  }

  /// By currency, in the order of the codes.
  private(set) var parts: [Part] = []

  mutating func add(_ row: SpendRow, for amount: Amount, _ currency: CurrencyCode) {
    parts[place(of: currency)].add(row, for: amount)
  }

  mutating func add(_ other: Self) {
    for part in other.parts { parts[place(of: part.currency)].add(part) }
  }

  /// The place of a currency's part, which is made where there is none.
  private mutating func place(of currency: CurrencyCode) -> Int {
    // It has one or two currencies, and is asked for each piece of spend.
    if let place = parts.firstIndex(where: { $0.currency == currency }) { return place }
    let place = parts.firstIndex { currency < $0.currency } ?? parts.count
    parts.insert(Part(currency), at: place)
    return place
  }

  /// What was paid, by currency.
  var amounts: [CurrencyCode: Amount] {
    Dictionary(uniqueKeysWithValues: parts.lazy.map { ($0.currency, $0.paid) })
  }

  /// What there is of a figure in all currencies; `nil` where no row has it.
  func count(_ figure: KeyPath<Part, Figure?>) -> Int64? {
    parts.reduce(nil) { count, part in
      part[keyPath: figure].map { sum(count ?? 0, $0.count) } ?? count
    }
  }

  /// Clicks by impressions, of the rows that have both; `nil` without impressions.
  var clickRate: (clicks: Int64, impressions: Int64)? {
    guard let clicks = count(\.clicksOfBoth), let impressions = count(\.impressionsOfBoth), impressions > 0
    else { return nil }
    return (clicks, impressions)
  }

  /// What so many of a figure cost, by the spend of the rows that have it, which all have to be in one currency.
  func cost(of number: Int64, _ figure: KeyPath<Part, Figure?>, in currency: CurrencyCode) -> Amount? {
    let found = parts.filter { $0[keyPath: figure] != nil }
    guard found.count == 1, found[0].currency == currency, let figure = found[0][keyPath: figure],
      figure.count > 0
    else { return nil }
    return figure.paid.scaled(by: number, over: figure.count)
  }
}

/// The sum of two counts, held at the end of the range.
private func sum(_ a: Int64, _ b: Int64) -> Int64 {
  let (sum, overflow) = a.addingReportingOverflow(b)
  return overflow ? .max : sum
}
