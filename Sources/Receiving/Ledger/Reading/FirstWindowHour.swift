public import Postbacks
public import Values

/// Winning first-window postbacks of one campaign that came in one hour with one value, or with none.
public struct FirstWindowHour: Equatable, Sendable {
  public let app: AppID
  /// The network, in lower case.
  public let network: String
  public let campaign: Campaign
  public let version: ProtocolVersion
  /// What happened, which can decide what a value means.
  public let outcome: Outcome
  public let hour: Instant
  public let value: ConversionValue
  public let postbacks: Int64
}

extension LedgerReader {
  /// Visits winning first-window postbacks by campaign and hour of arrival.
  ///
  /// - Parameters:
  ///   - query: Their environment, days in UTC, apps and networks; its other conditions and its dimensions do not count.
  ///   - visit: Takes postbacks of an hour; those of one campaign, hour and value can come apart.
  public func forEachFirstWindowHour(
    _ query: CampaignQuery, _ visit: (FirstWindowHour) -> Void
  ) throws(LedgerError) {
    let counts = try firstWindowCounts(query, digits: nil, decodingFor: [], hourly: [])
    for (place, campaign) in counts.campaigns.enumerated() {
      counts.forEach(ofCampaign: place) { kind, hour, postbacks in
        let kind = counts.kinds[kind]
        visit(
          FirstWindowHour(
            app: campaign.app, network: campaign.network, campaign: campaign.campaign, version: kind.version,
            outcome: kind.outcome, hour: hour, value: kind.value, postbacks: postbacks))
      }
    }
  }
}
