import Campaigns
import Ledger
import Postbacks
import Tables
import Values

struct EstimatedCampaign: Hashable, Comparable, Sendable {
  let app: AppID
  let network: String
  let campaign: String
  let kind: String
  /// What happened to its users, where outcomes have mixes of values of their own.
  var outcome: Outcome?

  var name: String {
    "\(network) \(kind) \(campaign)" + (outcome.map { " \($0.rawValue)" } ?? "")
  }

  /// The campaign with all of its outcomes.
  var whole: Self { Self(app: app, network: network, campaign: campaign, kind: kind) }

  var isSourceIdentifier: Bool { kind == "source-identifier" }

  /// The same as postbacks have it; `nil` for what stands for several.
  var number: Campaign? {
    isSourceIdentifier
      ? SourceIdentifier(campaign).map { .sourceIdentifier($0) }
      : Int64(campaign).flatMap { CampaignID($0) }.map { .campaignID($0) }
  }

  static func < (a: Self, b: Self) -> Bool {
    (a.app.number, a.network, a.kind, a.campaign, a.outcome?.rawValue ?? "")
      < (b.app.number, b.network, b.kind, b.campaign, b.outcome?.rawValue ?? "")
  }
}

extension EstimatedCampaign {
  init(_ campaign: FirstWindowCampaign) {
    self.init(
      app: campaign.app, network: campaign.network, campaign: campaign.campaign.text,
      kind: campaign.campaign.kind, outcome: campaign.traits.outcome)
  }
}

extension EstimatedCampaign {
  static func all(of app: AppID) -> Self { Self(app: app, network: "", campaign: "", kind: "") }

  /// Stands for all campaigns of an app of the networks that were not asked for.
  static func others(of app: AppID) -> Self { Self(app: app, network: "others", campaign: "", kind: "") }
}

extension CampaignNames {
  /// The name of a campaign of estimates on a day.
  func match(_ campaign: EstimatedCampaign, on day: Day) -> Match {
    campaign.number.map {
      match(network: campaign.network, campaign: $0, app: campaign.app.number, days: day...day)
    } ?? .unknown
  }
}

extension EstimatedCampaign {
  /// The campaign by what people call it.
  func place(called name: CampaignNames.Match) -> CampaignPlace {
    CampaignPlace(app: app, network: network, digits: campaign, name)
  }

  static let appColumn = Column<Self>("app", "app", "App Store number of the advertised app.") {
    Identifier("\($0.app.number)")
  }
  static let networkColumn = Column<Self>("network", "network", "Ad network.") { Identifier($0.network) }
  static let digitsColumn = Column<Self>("campaign", "campaign", "Campaign's digits.") {
    Identifier($0.campaign)
  }
  static let columns = [
    appColumn, networkColumn, digitsColumn,
    Column(
      "campaign-kind", "campaign kind", "Whether the digits are of a campaign-id or a source-identifier.",
      shown: .forPrograms, \.kind),
  ]
}
