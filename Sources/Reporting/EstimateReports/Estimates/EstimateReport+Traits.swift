package import Campaigns
import Estimates
import Ledger
import Postbacks
package import Tables
import Values

/// The columns of what distinguishes rows besides apps, networks, campaigns and times.
extension EstimateReport {
  /// What text has where postbacks do not show it.
  private static let notShown = "not shown"

  /// What rows have in place of a name where several fit their campaigns' digits.
  package static let severalNames = CampaignLabel.ambiguous

  static let traits: [Asked] = [
    (outcome, [.outcome]), (publisher, [.publisher]), (country, [.country]),
  ]
  package static let outcome = Column<Row>(
    "outcome", "outcome", "What happened: install, redownload, re-engagement or other.", shown: .onRequest
  ) { $0.outcome?.rawValue }
  package static let publisher = Column<Row>(
    "publisher", "publisher",
    "App Store number or domain of the app or page with the ad; none for postbacks that do not show it.",
    shown: .onRequest, none: notShown
  ) { $0.publisher.map { Identifier($0) } }
  package static let country = Column<Row>(
    "country", "country",
    "Country as two letters, or other, not signed by Apple; none for postbacks that do not show it.",
    shown: .onRequest, none: notShown, \.country)

  static let labels: [Asked] = [
    (adSet, [.adSet]), (creative, [.creative]),
    (label(.country, "named country", "Country of the named campaigns."), [.namedCountry]),
  ]
  package static let adSet = label(.adSet, "ad set", "Ad set of the named campaigns.")
  package static let creative = label(.creative, "creative", "Creative of the named campaigns.")

  private static func label(_ dimension: NameDimension, _ title: Sentence.Words, _ help: Sentence.Words)
    -> Column<Row>
  {
    Column(dimension.rawValue, title, help, shown: .onRequest) { $0.label(dimension) }
  }

  var sharedColumns: [Column<Row>] {
    event == nil
      ? [Self.sharedRevenue.column, Self.sharedRevenueRange.column]
      : [Self.sharedUsers.column, Self.sharedUsersRange.column]
  }

  static let shared = [sharedRevenue, sharedRevenueRange, sharedUsers, sharedUsersRange].map(\.column)
  package static let sharedRevenue = shared("revenue") { Amount(rounding: $0) }
  private static let sharedRevenueRange = sharedRange("revenue") { Amount(rounding: $0) }
  private static let sharedUsers = shared("users") { ExpectedCount($0) }
  private static let sharedUsersRange = sharedRange("users") { ExpectedCount($0) }

  private static func shared<Value: CellValue>(
    _ what: String, _ value: @escaping @Sendable (Double) -> Value?
  ) -> ColumnFamily<Row, EstimateHorizon> {
    by(
      horizon: "shared-\(what)-{}", "if shared out ({})",
      "The estimate if postbacks that show no publisher or country were divided among the rows like those of the same "
        + "campaign that do: an assumption, which gives too much to rows that many postbacks show. What cannot be divided "
        + "stays in its row.",
      shown: .onRequest
    ) { $0.shared.flatMap(value) }
  }

  private static func sharedRange<Value: CellValue>(
    _ what: String, _ value: @escaping @Sendable (Double) -> Value?
  ) -> ColumnFamily<Row, EstimateHorizon> {
    by(
      horizon: "shared-\(what)-{}", "none to all ({})",
      "From the low end of the estimate's interval, where the row gets none of the postbacks that show no publisher or "
        + "country, to the high end, where it gets all of them: it holds wherever they belong.",
      shown: .onRequest
    ) { row in row.possible.map { Bounds(value($0.low), value($0.high)) } }
  }
}

extension EstimateReport.Row {
  /// The least and the most that the row can come to: with none and with all of the postbacks that show no publisher or
  /// country and can be of it; `nil` where that is not known, and for a row of such postbacks.
  ///
  /// No user is worth less than nothing, so the low end is that of the row's own interval.
  var possible: Interval? {
    guard let others, let own = sum.interval else { return nil }
    var high = own.high
    for other in others {
      guard let interval = other.interval else { return nil }
      high += max(0, interval.high)
    }
    return Interval(low: own.low, high: high)
  }

  /// What its campaigns are called, where names distinguish rows; `nil` for those without a name.
  package func label(_ dimension: NameDimension) -> String? { group.traits?.label[dimension] }

  /// The name of its campaign, or what all of its campaigns are called where names distinguish rows.
  package var calledName: String? {
    if let name = label(.name) { return name }
    if case .known(let found) = name { return found.name }
    return nil
  }
}
