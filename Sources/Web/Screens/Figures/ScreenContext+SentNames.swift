import Campaigns
import Ledger
import Markup
import Pages
import Postbacks
import Tables

extension ScreenContext {
  /// The name that a network sent for the campaign of a row, marked as unsigned; nothing where it sent none or several.
  func sentName(of row: NamedCells) -> HTML {
    guard let network = row.text("network"), let digits = row.text("campaign") else { return "" }
    let word = address["environment"].first ?? ""
    let environment = Environment(rawValue: word) ?? .production
    // A name is an addition: a page that cannot read it shows its figures all the same.
    let names = try? remembered("names sent in \(environment.rawValue)") {
      try RecentSentNames(of: environment, from: reader)
    }
    // A row of several apps gets no name that was sent for another one.
    let apps =
      row.text("app").map { [$0] } ?? address["app"].flatMap { $0.split(separator: ",").map(String.init) }
    guard let name = names?.name(network: network, digits: digits, apps: Set(apps.compactMap { Int64($0) }))
    else {
      return ""
    }
    return "<bdi>\(name)</bdi> <span class=\"badge null\">\(texts.campaignsUnsigned)</span>"
  }
}
