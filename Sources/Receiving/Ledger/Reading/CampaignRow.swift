public import Postbacks
public import Values

/// One row of a campaign report; a dimension that was not asked for, or that its postbacks do not have, is `nil`.
public struct CampaignRow: Equatable, Sendable {
  public var day: Day?
  public var app: AppID?
  /// The network, in lower case.
  public var network: String?
  public var campaign: Campaign?
  public var version: ProtocolVersion?
  public var window: ConversionWindow?
  /// The first and the last UTC day of arrival that anything was counted on.
  public var days: ClosedRange<Day>
  public var counts: CampaignCounts
  /// The Monday of the ISO week of arrival.
  public var week: Day?
  /// The first day of the month of arrival.
  public var month: Day?
  public var outcome: Outcome?
  /// Whether the ad was seen or acted upon.
  public var interaction: AdInteraction?
  /// The App Store number or the domain of the publisher.
  public var publisher: String?
  /// Two letters, or `other`.
  public var country: String?
  public var marketplace: String?
  /// The tier that the fields of the postbacks are of; see ``PostbackTier``.
  public var tier: PostbackTier?
}

extension CampaignRow {
  /// A row without counts, and of no day.
  package init(uncounted campaign: Campaign?, app: AppID?, network: String?) {
    let day = Day(number: 0)
    self.init(
      day: nil, app: app, network: network, campaign: campaign, version: nil, window: nil, days: day...day,
      counts: .zero)
  }
}
