import Ledger
import Postbacks
package import Tables
import Values

// The columns of what rows are grouped by.

extension CampaignReport {
  private static func column<Value: CellValue>(
    _ dimension: CampaignDimension, _ help: Sentence.Words,
    _ value: @escaping @Sendable (CampaignRow) -> Value?
  ) -> Column<Row> {
    let name = dimension.rawValue
    return Column(name, .init(stringLiteral: name), help, shown: .onRequest) { $0.found(value) }
  }

  package static let day = column(.day, "Day of arrival, UTC unless a time zone is chosen.", \.day)
  package static let week = column(.week, "Monday of the ISO week of arrival.", \.week)
  package static let month = column(.month, "Month of arrival.") { $0.month?.monthText }
  package static let app = column(.app, "App Store number of the advertised app.") {
    $0.app.map { Identifier(String($0.number)) }
  }
  package static let network = column(.network, "Ad network.") { $0.network.map(Identifier.init) }
  package static let campaign = column(.campaign, "Campaign's digits.") {
    $0.campaign.map { Identifier($0.text) }
  }
  package static let version = column(.version, "Version of the protocol.") { $0.version?.rawValue }
  package static let window = column(.window, "Conversion window, 1 to 3.") {
    $0.window.map { $0.rawValue + 1 }
  }
  package static let outcome = column(
    .outcome, "What happened: install, redownload, re-engagement, assist or other."
  ) { $0.outcome?.rawValue }
  package static let interaction = column(
    .interaction, "Whether the ad was seen (view) or acted upon (click)."
  ) { $0.interaction?.rawValue }
  package static let publisher = column(
    .publisher, "App Store number or domain of the app or page with the ad."
  ) { $0.publisher.map(Identifier.init) }
  package static let country = column(
    .country, "Country as two letters, or other; not signed by Apple.", \.country)
  private static let marketplace = column(.marketplace, "Marketplace that the app came from.") {
    $0.marketplace.map(Identifier.init)
  }
  private static let tier = column(
    .tier, "Apple's postback data tier, inferred from the fields that came."
  ) { $0.tier?.rawValue }
  private static let networkName = Column<Row>(
    "network-name", "network name", "Imported name of the network, or its built-in one.",
    shown: .onRequest, \.networkName)
  private static let campaignKind = Column<Row>(
    "campaign-kind", "kind", "Numbering of the campaign: campaign-id or source-identifier.",
    shown: .onRequestForPrograms
  ) { $0.found { $0.campaign?.kind } }

  static func columns(of dimension: CampaignDimension) -> [Column<Row>] {
    switch dimension {
    case .day: [day]
    case .week: [week]
    case .month: [month]
    case .app: [app]
    case .network: [network, networkName]
    case .campaign: [campaign, campaignKind]
    case .version: [version]
    case .window: [window]
    case .outcome: [outcome]
    case .interaction: [interaction]
    case .publisher: [publisher]
    case .country: [country]
    case .marketplace: [marketplace]
    case .tier: [tier]
    }
  }
}
