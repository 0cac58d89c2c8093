import Campaigns
import Estimates
import Ledger
import Postbacks
import Tables
import Values

/// The columns of what distinguishes rows besides apps, networks, campaigns and times.
extension EstimateReport {
  /// What text has where postbacks do not show it.
  private static let notShown = "not shown"

  /// What rows have in place of a name where several fit their campaigns' digits.
  package static let severalNames = CampaignLabel.ambiguous

  static let traits: [Column<Row>] = [
    Column(
      "outcome", "outcome", "What happened: install, redownload, re-engagement or other.", shown: .onRequest
    ) { $0.group.traits?.outcome?.rawValue },
    Column(
      "publisher", "publisher",
      "App Store number or domain of the app or page with the ad; none for postbacks that do not show it.",
      shown: .onRequest, none: notShown
    ) { $0.group.traits?.shown?.publisher.map { Identifier($0) } },
    Column(
      "country", "country",
      "Country as two letters, or other, not signed by Apple; none for postbacks that do not show it.",
      shown: .onRequest, none: notShown
    ) { $0.group.traits?.shown?.country },
  ]

  static let labels: [Column<Row>] = [
    label(.adSet, "ad set", "Ad set of the named campaigns."),
    label(.creative, "creative", "Creative of the named campaigns."),
    label(.country, "named country", "Country of the named campaigns."),
  ]

  private static func label(_ dimension: NameDimension, _ title: Sentence.Words, _ help: Sentence.Words)
    -> Column<Row>
  {
    Column(dimension.rawValue, title, help, shown: .onRequest) { $0.group.traits?.label[dimension] }
  }

  var sharedColumns: [Column<Row>] { event == nil ? Self.sharedRevenue : Self.sharedUsers }

  static let shared = sharedRevenue + sharedUsers

  private static let sharedRevenue = shared("revenue") { Amount(rounding: $0) }
  private static let sharedUsers = shared("users") { ExpectedCount($0) }

  private static func shared<Value: CellValue>(
    _ what: String, _ value: @escaping @Sendable (Double) -> Value?
  ) -> [Column<Row>] {
    [
      by(
        horizon: "shared-\(what)-{}", "if shared out ({})",
        "The estimate if postbacks that do not show the publisher or country had the mix of those of their campaign that "
          + "do: an assumption, too much for what many of them show. What cannot be shared out stays in its row.",
        shown: .onRequest
      ) { $0.shared.flatMap(value) },
      by(
        horizon: "shared-\(what)-{}", "none to all ({})",
        "From the low end of the estimate's interval, with none of the postbacks that do not show it, to the high end with "
          + "all of them: it holds whatever they are of.",
        shown: .onRequest
      ) { row in row.possible.map { Bounds(value($0.low), value($0.high)) } },
    ]
  }
}

extension EstimateReport.Row {
  /// What the row comes to with none of the postbacks that do not show what its own do, through all of them; `nil` where
  /// that is not known, and for the row of what does not show it.
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

  /// The name of its campaign, or what all of its campaigns are called where names distinguish rows.
  var calledName: String? {
    if let name = group.traits?.label[.name] { return name }
    if case .known(let found) = name { return found.name }
    return nil
  }
}
