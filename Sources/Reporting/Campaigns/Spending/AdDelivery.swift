import Ledger
import Values

struct AdDelivery: Equatable, Sendable {
  /// A figure and the spend of the files' rows that have it, by currency.
  struct Figure: Hashable, Sendable {
    private(set) var count: Int64 = 0
    private(set) var paid: [CurrencyCode: Amount] = [:]

    fileprivate mutating func add(_ other: Int64, _ amount: Amount, _ currency: CurrencyCode) {
      let (sum, overflow) = count.addingReportingOverflow(other)
      count = overflow ? .max : sum
      paid[currency] = (paid[currency] ?? .zero).adding(amount).sum
    }

    fileprivate mutating func add(_ other: Self) {
      let (sum, overflow) = count.addingReportingOverflow(other.count)
      count = overflow ? .max : sum
      for (currency, amount) in other.paid { paid[currency] = (paid[currency] ?? .zero).adding(amount).sum }
    }
  }

  /// Impressions; `nil` where no row has them.
  private(set) var impressions: Figure?
  /// Clicks; `nil` where no row has them.
  private(set) var clicks: Figure?
  private var clicksOfBoth: Figure?
  private var impressionsOfBoth: Figure?

  mutating func add(_ row: SpendRow, for amount: Amount, _ currency: CurrencyCode) {
    func add(_ count: Int64?, to figure: inout Figure?) {
      guard let count else { return }
      figure = figure ?? Figure()
      figure?.add(count, amount, currency)
    }
    add(row.impressions, to: &impressions)
    add(row.clicks, to: &clicks)
    guard row.impressions != nil, row.clicks != nil else { return }
    add(row.clicks, to: &clicksOfBoth)
    add(row.impressions, to: &impressionsOfBoth)
  }

  mutating func add(_ other: Self) {
    func add(_ other: Figure?, to figure: inout Figure?) {
      guard let other else { return }
      figure = figure ?? Figure()
      figure?.add(other)
    }
    add(other.impressions, to: &impressions)
    add(other.clicks, to: &clicks)
    add(other.clicksOfBoth, to: &clicksOfBoth)
    add(other.impressionsOfBoth, to: &impressionsOfBoth)
  }

  /// Clicks by impressions, of the rows that have both; `nil` without impressions.
  var clickRate: (clicks: Int64, impressions: Int64)? {
    guard let clicksOfBoth, let impressionsOfBoth, impressionsOfBoth.count > 0 else { return nil }
    return (clicksOfBoth.count, impressionsOfBoth.count)
  }

  /// What so many of a figure cost, by the spend of the rows that have it, which all have to be in one currency.
  func cost(of number: Int64, _ figure: KeyPath<Self, Figure?>, in currency: CurrencyCode) -> Amount? {
    guard let figure = self[keyPath: figure], figure.count > 0, figure.paid.count == 1,
      let paid = figure.paid[currency]
    else { return nil }
    return paid.scaled(by: number, over: figure.count)
  }
}
