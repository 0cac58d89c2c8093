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

  /// The same with only some of its dimensions.
  func keeping(_ dimensions: some Collection<CampaignDimension>) -> Self {
    var row = self
    for dimension in CampaignDimension.allCases where !dimensions.contains(dimension) {
      switch dimension {
      case .day: row.day = nil
      case .week: row.week = nil
      case .month: row.month = nil
      case .app: row.app = nil
      case .network: row.network = nil
      case .campaign: row.campaign = nil
      case .version: row.version = nil
      case .window: row.window = nil
      case .outcome: row.outcome = nil
      case .interaction: row.interaction = nil
      case .publisher: row.publisher = nil
      case .country: row.country = nil
      case .marketplace: row.marketplace = nil
      case .tier: row.tier = nil
      }
    }
    return row
  }

  /// What distinguishes the row from all others; no name has a letter in it that separates names in files.
  var key: String {
    (CampaignDimension.allCases.map(word) + [campaign?.kind]).map { $0 ?? "" }.joined(separator: "\u{1F}")
  }
}
