import Arguments
import Ledger
import Postbacks
import Values

/// What rows of estimates are about; each is the sum of days of campaigns, whose draws belong to one world, so that the
/// interval of a sum holds what its parts have in common.
///
/// Countries and publishers are none: a postback without a value has neither, so nothing shows to which of them withheld
/// values belong.
package enum EstimateDimension: String, CaseIterable, ParameterValue {
  case app, network, campaign, day, week, month

  /// The same as the report on campaigns has it.
  var stored: [CampaignDimension] {
    switch self {
    case .app: [.app]
    case .network: [.network]
    case .campaign: [.app, .network, .campaign]
    case .day: [.day]
    case .week: [.week]
    case .month: [.month]
    }
  }
}

/// The days of campaigns that one row adds up; everything where it has nothing.
struct EstimateGroup: Hashable, Comparable, Sendable {
  var app: AppID?
  var network: String?
  var campaign: EstimatedCampaign?
  /// The install date, or the first one of the week or month.
  var first: Day?

  init() {}

  init(_ campaign: EstimatedCampaign, _ day: Day, by dimensions: [EstimateDimension]) {
    if dimensions.contains(.campaign) { self.campaign = campaign }
    if dimensions.contains(.campaign) || dimensions.contains(.app) { app = campaign.app }
    if dimensions.contains(.campaign) || dimensions.contains(.network) { network = campaign.network }
    first = Self.first(of: day, by: dimensions)
  }

  /// The first of the days that are in the same rows as a day; `nil` where all are.
  static func first(of day: Day, by dimensions: [EstimateDimension]) -> Day? {
    if dimensions.contains(.day) { return day }
    let starts = [
      dimensions.contains(.week) ? day.monday : nil, dimensions.contains(.month) ? day.startOfMonth : nil,
    ]
    return starts.compactMap(\.self).max()
  }

  static func < (a: Self, b: Self) -> Bool {
    if let one = a.campaign, let other = b.campaign, one != other { return one < other }
    return (a.app?.number ?? 0, a.network ?? "", a.first?.number ?? 0)
      < (b.app?.number ?? 0, b.network ?? "", b.first?.number ?? 0)
  }

  /// As a row of the report on campaigns, for spend.
  func row(by dimensions: [EstimateDimension]) -> CampaignRow {
    var row = CampaignRow(uncounted: campaign?.number, app: app, network: network)
    row.day = dimensions.contains(.day) ? first : nil
    row.week = dimensions.contains(.week) ? first?.monday : nil
    row.month = dimensions.contains(.month) ? first?.startOfMonth : nil
    return row
  }
}
