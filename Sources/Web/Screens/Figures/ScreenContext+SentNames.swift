import Campaigns
import Ledger
import Markup
import Pages
import Postbacks

extension ScreenContext {
  /// The name that a network sent for a campaign, marked as unsigned; nothing where it sent none or several.
  func sentName(of place: CampaignPlace) -> HTML {
    guard let network = place.network, let digits = place.digits else { return "" }
    let word = address["environment"].first ?? ""
    let environment = Environment(rawValue: word) ?? .production
    // A name is an addition: a page that cannot read it shows its figures all the same.
    let names = try? remembered("names sent in \(environment.rawValue)") {
      try RecentSentNames(of: environment, from: reader)
    }
    // A row of several apps gets no name that was sent for another one.
    let apps =
      place.app.map { [$0.number] }
      ?? address["app"].flatMap { $0.split(separator: ",").compactMap { Int64($0) } }
    guard let name = names?.name(network: network, digits: digits, apps: Set(apps))
    else {
      return ""
    }
    return "<bdi>\(name)</bdi> <span class=\"badge null\">\(texts.campaignsUnsigned)</span>"
  }
}
