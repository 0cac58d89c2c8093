import Ledger
import Postbacks
import Values

extension CampaignRow {
  /// The row's word for a dimension, as reports and conditions write it; `nil` where it was not asked for or its
  /// postbacks do not have it.
  func word(_ dimension: CampaignDimension) -> String? {
    switch dimension {
    case .day: day?.description
    case .week: week?.description
    case .month: month?.monthText
    case .app: app.map { "\($0.number)" }
    case .network: network
    case .campaign: campaign?.text
    case .version: version?.rawValue
    case .window: window.map { "\($0.rawValue + 1)" }
    case .outcome: outcome?.rawValue
    case .interaction: interaction?.rawValue
    case .publisher: publisher
    case .country: country
    case .marketplace: marketplace
    case .tier: tier?.text
    }
  }

  /// What distinguishes the row from all others; no name has a letter in it that separates names in files.
  var key: String {
    (CampaignDimension.allCases.map(word) + [campaign?.kind]).map { $0 ?? "" }.joined(separator: "\u{1F}")
  }
}
