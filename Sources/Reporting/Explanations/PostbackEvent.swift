import Campaigns
package import Ledger
package import Mappings
import Postbacks
import Values

/// A postback as an event with a name and an amount, for services that do not read Apple's bytes.
package struct PostbackEvent: Sendable {
  package let postback: PostbackRow
  /// What people call the campaign; `nil` where no name or more than one fits.
  package let campaignName: String?
  /// What people call the network; `nil` without a name.
  package let networkName: String?
  /// What the mapping counts for it beyond the conversion's other windows; `nil` where it has no revenue, or revenue of
  /// more than one currency.
  package let revenue: RevenueEstimate?
  /// The events that its value states beyond the conversion's other windows, under every mapping version that is possible.
  package let events: [String]
}

/// Makes events of postbacks by the mappings and names of a moment.
package struct PostbackEvents: Sendable {
  private let meaning: ConversionMeaning
  private let names: CampaignNames

  /// Takes the mappings and names that a ledger has now.
  package init(from reader: LedgerReader) throws(LedgerError) {
    meaning = try ConversionMeaning(from: reader)
    names = try CampaignNames.of(reader)
  }

  /// The event of a stored body; `nil` where the body is no postback.
  package func event(of body: [UInt8], _ arrived: ArrivedBody) -> PostbackEvent? {
    guard let postback = PostbackReading(body).postback else { return nil }
    let decoded = meaning.decoded(postback, arrived)
    let worth = decoded.addsUp ? decoded.worth : nil
    let revenue = worth?.revenue ?? []
    let row = decoded.postback
    let launch = decoded.launch
    return PostbackEvent(
      postback: row,
      campaignName: names.name(
        of: postback.attested.campaign, network: row.network, app: row.app.number,
        launchedIn: launch.earliest.day...max(launch.earliest, launch.latest).day),
      networkName: names.name(ofNetwork: row.network, on: row.receivedAt.day),
      revenue: revenue.count == 1 ? revenue.first : nil,
      events: (worth?.events ?? []).filter { $0.probability >= 1 }.map(\.name))
  }
}

extension CampaignNames {
  /// The only name in the days of the first launch, as reports have it.
  fileprivate func name(
    of campaign: Campaign, network: String, app: Int64, launchedIn days: ClosedRange<Day>
  ) -> String? {
    if case .known(let row) = match(network: network, campaign: campaign, app: app, days: days) {
      return row.name
    }
    return nil
  }
}
