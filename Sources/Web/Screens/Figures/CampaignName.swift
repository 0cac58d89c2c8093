import Arguments
import Campaigns
import Markup
import Pages
import Postbacks
import Tables
import Values

/// A campaign in the first column of a table: what people call it, and its digits.
enum CampaignName {
  static func check(_ campaign: String?) throws(ParameterError) {
    guard let campaign, Int64(campaign) == nil else { return }
    throw ParameterError(
      "campaign", Sentence("found '\(name: campaign)'; use the digits of a campaign."))
  }

  /// The page of a campaign, for the days and the environment of another page.
  ///
  /// - Parameter digits: How many last digits distinguish campaigns there; `nil` for as many as postbacks have.
  static func address(_ place: CampaignPlace, from page: PageAddress, digits: Int? = nil) -> PageAddress {
    page.moved(to: CampaignScreen.path, keeping: DaySpan.names.union(["environment", "lang"]))
      .with("app", place.app.map { "\($0.number)" }).with("network", place.network)
      .with("campaign", place.digits).with("digits", digits.map { "\($0)" })
  }

  /// What people call it as a link, with its digits small behind.
  ///
  /// - Parameter hasNetwork: Whether the network is there too, because the table has no column of it.
  static func markup(
    _ place: CampaignPlace, digits: Int? = nil, hasNetwork: Bool = true, _ context: ScreenContext
  ) -> HTML {
    let behind = (parts(of: place, hasApp: false, hasNetwork: hasNetwork, context) + [doubt(place, context)])
      .filter { !$0.text.isEmpty }
    let small: HTML = behind.isEmpty ? "" : "<span class=\"id\">\(behind.joined(separator: " · "))</span>"
    return """
      <a class="name" href="\(address(place, from: context.address, digits: digits).text)">\
      <b>\(words(place, context.texts))</b>\(small)</a>
      """
  }

  /// What people call it as a link, with app, network and digits below.
  ///
  /// - Parameter hasApp: Whether the app is among them.
  static func lines(
    _ place: CampaignPlace, digits: Int?, hasApp: Bool, _ context: ScreenContext
  ) -> HTML {
    let parts = parts(of: place, hasApp: hasApp, hasNetwork: true, context)
    let doubt = doubt(place, context)
    let below: HTML = doubt.text.isEmpty ? "" : "<span class=\"sub\">\(doubt)</span>"
    return """
      <a class="nm" href="\(address(place, from: context.address, digits: digits).text)">\(words(place, context.texts))</a>\
      <span class="sub">\(parts.joined(separator: " · "))</span>\(below)
      """
  }

  /// What a campaign is called: its name, else the names that its digits fit, else `Campaign 26`.
  static func words(_ place: CampaignPlace, _ texts: Texts) -> HTML {
    let called = called(place)
    return called.text.isEmpty ? texts.campaignHeading(digits: "<bdi>\(place.digits ?? "")</bdi>") : called
  }

  /// App, network and digits; not the digits alone behind a name that is made of them.
  private static func parts(
    of place: CampaignPlace, hasApp: Bool, hasNetwork: Bool, _ context: ScreenContext
  ) -> [HTML] {
    let app = hasApp ? place.app.map { context.called.shortApp("\($0.number)") } : nil
    let network = hasNetwork ? place.network.map { context.called.shortNetwork($0) } : nil
    let parts = [app, network].compactMap(\.self)
    let hasDigits = !parts.isEmpty || place.name != nil || !place.candidates.isEmpty
    return parts + [hasDigits ? place.digits.map { "<bdi>\($0)</bdi>" } : nil].compactMap(\.self)
  }

  /// How many names fit, or the name that the network sent where none does.
  private static func doubt(_ place: CampaignPlace, _ context: ScreenContext) -> HTML {
    guard place.name == nil else { return "" }
    return place.candidates.isEmpty ? context.sentName(of: place) : fitting(place, context.texts)
  }

  /// How many names its digits fit; nothing where they leave no doubt.
  static func fitting(_ place: CampaignPlace, _ texts: Texts) -> HTML {
    place.candidates.count > 1 ? texts.campaignsNamesFit(count: place.candidates.count) : ""
  }

  /// The name, or those that its digits fit; nothing where it has none.
  private static func called(_ place: CampaignPlace) -> HTML {
    let names = place.name.map { [$0] } ?? place.candidates
    let shown = names.prefix(3).map { name -> HTML in "<bdi>\(name)</bdi>" }
    let more: HTML = names.count > 3 ? " / …" : ""
    return "\(shown.joined(separator: " / "))\(more)"
  }
}

extension CampaignName {
  /// The name of a row of a tree: what it adds up, or which digits it arrived with.
  static func markup(
    _ place: CampaignPlace, level: CampaignOutline.Level, _ context: ScreenContext
  ) -> HTML {
    switch level {
    case .network:
      let network = place.network ?? ""
      return """
        <a class="name" href="\(context.address.without(["page"]).with("network", network).text)">\
        <b>\(context.called.shortNetwork(network))</b></a>
        """
    case .twoDigits, .threeDigits:
      return "<span class=\"name\"><b><bdi>\(place.digits ?? "")</bdi></b></span>"
    case .twoDigitsOnly:
      return "\(markup(place, hasNetwork: false, context)) \(only(2, context.texts))"
    case .threeDigitsOnly:
      return "\(markup(place, hasNetwork: false, context)) \(only(3, context.texts))"
    case .fourDigits, .campaignID: return markup(place, hasNetwork: false, context)
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
