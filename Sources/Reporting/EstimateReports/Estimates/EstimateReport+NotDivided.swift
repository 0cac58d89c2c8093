import Estimates
package import Tables
package import Values

extension EstimateReport {
  /// Rows of which nothing is shown, so that they have no estimate, and the totals count them at the app's mean.
  package struct NotDivided: Sendable {
    package let currency: CurrencyCode?
    package let horizon: EstimateHorizon
    fileprivate(set) var installs = 0.0
    fileprivate(set) var estimate = 0.0

    package var estimatedRevenue: Amount? { Amount(rounding: estimate) }
  }

  /// What the estimates of rows are short of those of the totals, by currency and horizon; none where a total has none.
  func notDivided(_ rows: [Row], _ totals: [Row]) -> [NotDivided] {
    totals.compactMap { total in
      var sum = NotDivided(currency: total.currency, horizon: total.horizon)
      for row in rows where row.currency == total.currency && row.horizon == total.horizon {
        guard row.sum.estimate == nil, let estimate = row.sum.total else { continue }
        sum.installs += row.sum.installs
        sum.estimate += estimate
      }
      return total.sum.estimate != nil && sum.installs > 0 ? sum : nil
    }
  }

  package static let notDivided = Detail<NotDivided>(
    "not-divided",
    [
      Column("currency", "currency", "Currency of the amounts; none for users of an event.") {
        $0.currency?.text
      },
      Column("conversions", "conversions", "Winning postbacks of rows of which all values are withheld.") {
        ExpectedCount($0.installs)
      },
      undivided("revenue", Sentence("revenue"), Sentence("Revenue")) { Amount(rounding: $0) },
      undivided("users", Sentence("users"), Sentence("Users of the event")) { ExpectedCount($0) },
    ])

  private static func undivided<Value: CellValue>(
    _ what: String, _ word: Sentence, _ noun: Sentence, _ value: @escaping @Sendable (Double) -> Value?
  ) -> Column<NotDivided> {
    .each(
      "estimated-\(what)-{}", "estimated \(word) ({})",
      "\(noun) up to the horizon that the totals count for them, and no row.",
      keys: { ($0.currency == nil) == (what == "users") ? [$0.horizon] : [] }
    ) { row, horizon in row.horizon == horizon ? value(row.estimate) : nil }
  }
}
