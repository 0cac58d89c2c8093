import Arguments
import Markup
import Pages
import Tables
import Values

/// A campaign in the first column of a table: its digits, and what people call it.
enum CampaignName {
  static func check(_ campaign: String?) throws(ParameterError) {
    guard let campaign, Int64(campaign) == nil else { return }
    throw ParameterError("campaign", "found '\(printable(campaign))'; use the digits of a campaign.")
  }

  /// The page of a campaign, for the days and the environment of another page.
  ///
  /// - Parameter digits: How many last digits distinguish campaigns there; `nil` for as many as postbacks have.
  static func address(_ row: NamedCells, from page: PageAddress, digits: Int? = nil) -> PageAddress {
    page.moved(to: CampaignScreen.path, keeping: DaySpan.names.union(["environment", "lang"]))
      .with("app", row.text("app")).with("network", row.text("network")).with(
        "campaign", row.text("campaign")
      ).with("digits", digits.map { "\($0)" })
  }

  static func markup(_ row: NamedCells, from page: PageAddress, digits: Int? = nil) -> HTML {
    let network = row.text("network") ?? ""
    return """
      <a class="name" href="\(address(row, from: page, digits: digits).text)"><b><bdi>\(row.text("campaign") ?? "")</bdi></b>\(called(row))\
      <span class="id"><bdi>\(row.text("network-name") ?? network)</bdi></span></a>
      """
  }

  /// What people call it: one name, or those that its digits fit.
  static func called(_ row: NamedCells) -> HTML {
    let names = row.text("name").map { [$0] } ?? row["name-candidates"].words
    guard !names.isEmpty else { return "" }
    let shown = names.prefix(3).map { name -> HTML in "<bdi>\(name)</bdi>" }
    let more: HTML = names.count > 3 ? " / …" : ""
    return "<span class=\"id\">\(shown.joined(separator: " / "))\(more)</span>"
  }
}

extension CampaignName {
  /// The name of a row of a tree: what it adds up, or which digits it arrived with.
  static func markup(_ row: NamedCells, from page: PageAddress, level: String, _ texts: Texts) -> HTML {
    let network = row.text("network") ?? ""
    switch level {
    case "network":
      return """
        <a class="name" href="\(page.without(["page"]).with("network", network).text)"><b><bdi>\(row.text("network-name") ?? network)\
        </bdi></b></a>
        """
    case "2-digits", "3-digits":
      return "<span class=\"name\"><b><bdi>\(row.text("campaign") ?? "")</bdi></b></span>"
    case "2-digits-only":
      return "\(markup(row, from: page)) \(only(2, texts))"
    case "3-digits-only":
      return "\(markup(row, from: page)) \(only(3, texts))"
    default: return markup(row, from: page)
    }
  }

  private static func only(_ digits: Int, _ texts: Texts) -> HTML {
    "<span class=\"badge null\">\(texts.campaignsDigitsOnly(count: digits))</span>"
  }
}

extension [HTML] {
  /// The pieces with a text between them.
  func joined(separator: String) -> HTML {
    enumerated().map { index, piece -> HTML in index == 0 ? piece : "\(separator)\(piece)" }.joined()
  }
}
