import Arguments
import Campaigns
import Markup
import Pages
import Postbacks
import Tables

extension CampaignPlace {
  init(_ row: NamedCells) {
    self.init(
      app: row.text("app").flatMap { AppID(parameter: $0) }, network: row.text("network"),
      digits: row.text("campaign"), name: row.text("name"), candidates: row["name-candidates"].words)
  }
}

extension CampaignName {
  static func address(_ row: NamedCells, from page: PageAddress, digits: Int? = nil) -> PageAddress {
    address(CampaignPlace(row), from: page, digits: digits)
  }

  static func markup(
    _ row: NamedCells, digits: Int? = nil, hasNetwork: Bool = true, _ context: ScreenContext
  ) -> HTML { markup(CampaignPlace(row), digits: digits, hasNetwork: hasNetwork, context) }

  static func called(_ row: NamedCells) -> HTML { called(CampaignPlace(row)) }
}
