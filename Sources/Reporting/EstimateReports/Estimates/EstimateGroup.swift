import Ledger
import Postbacks
import Values

/// The days of campaigns that one row adds up; everything where it has nothing.
struct EstimateGroup: Hashable, Comparable, Sendable {
  var app: AppID?
  var network: String?
  var campaign: EstimatedCampaign?
  /// The install date, or the first one of the week or month.
  var first: Day?
  /// What distinguishes it besides; `nil` where nothing does.
  var traits: EstimateTraits? {
    get { if case .traits(let traits) = rest { traits } else { nil } }
    set { rest = newValue.map { .traits($0) } ?? .nothing }
  }
  private var rest = Rest.nothing

  private enum Rest: Hashable {
    case nothing
    /// It is indirect, so that a hundred thousand rows without them take little memory.
    indirect case traits(EstimateTraits)
  }

  /// Whether what is so of one campaign's values is so of it.
  var isOfOneCampaign: Bool { campaign != nil && traits?.shown == nil }

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
    let (one, other) = (
      (a.app?.number ?? 0, a.network ?? "", a.first?.number ?? 0),
      (b.app?.number ?? 0, b.network ?? "", b.first?.number ?? 0)
    )
    guard one == other, let own = a.traits, let others = b.traits else { return one < other }
    return own < others
  }

  /// As a row of the report on campaigns, for spend.
  func row(by dimensions: [EstimateDimension]) -> CampaignRow {
    var row = CampaignRow(uncounted: campaign?.number, app: app, network: network)
    row[.day] = dimensions.contains(.day) ? first.map { .day($0) } : nil
    row[.week] = dimensions.contains(.week) ? first.map { .day($0.monday) } : nil
    row[.month] = dimensions.contains(.month) ? first.map { .month($0.startOfMonth) } : nil
    return row
  }
}
