import Ledger
import Markup
import Postbacks
import Routing
import Values

/// What surrounds every page: head, navigation, status, settings.
struct PageFrame: Sendable {
  struct Setting: Sendable {
    var texts: Texts
    /// `light`, `dark` or nothing for the system's.
    var theme: String
    var address: PageAddress
  }

  /// What only those see who are signed in.
  struct Status: Sendable {
    let viewer: Viewer
    /// The environment whose postbacks are shown.
    let environment: String
    /// Whether these are sample data.
    let isSample: Bool
    /// Whether the service has data of its own to go back to.
    let canLeave: Bool
    /// What the page shows in place of what it usually does, because that has no data.
    let start: FirstLook.Choice?
    /// When the newest postback came.
    let newest: Instant?
    /// Until when the database has everything that other nodes have; `nil` where it is up to date.
    let completeUntil: Instant?
    let now: Instant
    let alertCount: Int
    /// What all estimated money of the page is of; nothing where it has none.
    let money: HTML
  }

  let screens: [Screen]
  /// Whether keys that are not built in sign for production.
  let hasAddedProductionKeys: Bool

  /// A whole page with the navigation.
  func document(_ page: Page, _ setting: Setting, _ status: Status) -> HTML {
    let texts = setting.texts
    let scope: HTML = page.scope.text.isEmpty ? "" : "<p>\(page.scope)</p>"
    let actions: HTML = page.actions.text.isEmpty ? "" : "<div class=\"acts\">\(page.actions)</div>"
    let warning: HTML? =
      switch status.environment {
      case _ where status.isSample: Self.sampleBand(setting, status)
      case "production": hasAddedProductionKeys ? texts.frameAddedKeysBand : nil
      case "claimed": texts.frameClaimedBand
      default: texts.frameTestBand
      }
    let start: HTML = status.start.map { "<p class=\"s\">\(Self.sentence(of: $0, texts))</p>" } ?? ""
    let band: HTML =
      warning.map { "<aside class=\"test-band\" aria-label=\"\(texts.frameEnvironment)\">\($0)</aside>" }
      ?? ""
    let behind: HTML =
      status.completeUntil.map { until in
        "<span class=\"fresh stale\">\(texts.frameBehind(time: Marks.moment(until)))</span>"
      } ?? ""
    let money: HTML = status.money.text.isEmpty ? "" : "<span class=\"asof\">\(status.money)</span>"
    return Self.document(
      page.title, setting, environment: status.isSample ? "sample" : status.environment,
      scripts: page.scripts, languages: page.status < 400,
      """
      <a class="skip" href="#main">\(texts.frameSkip)</a>
      <svg width="0" height="0" class="sr" aria-hidden="true"><defs><pattern id="hatch" width="5" height="5" \
      patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hb" width="5" height="5"/>\
      <path class="hl" d="M0 0V5"/></pattern></defs></svg>
      <div class="shell\(page.isWide ? " focus" : "")">
      <header class="side"><a class="brand" href="\(ViewLimit(status.viewer).start(PageAddress("/"), among: screens).text)">\(Self.mark)skan</a>
      <details class="menu" open><summary>\(texts.frameMenu)</summary><div class="drawer">\
      \(navigation(setting, status))\(Self.settings(setting, status.viewer))</div></details></header>
      <div class="main">
      <div class="top" role="region" aria-label="\(texts.frameStatus)">\
      <span class="badge env">\(status.isSample ? texts.frameSample : "\(status.environment)")</span>\(Self.freshness(status, texts))\
      \(behind)\(money)</div>
      \(band)
      <main class="body" id="main" tabindex="-1">
      <div class="head"><div><h1>\(page.title)</h1>\(scope)\(start)</div>\(actions)</div>
      \(page.body)
      </main></div></div>
      """)
  }

  private static func sentence(of choice: FirstLook.Choice, _ texts: Texts) -> HTML {
    let environment =
      choice.environment.map { texts.frameStartEnvironment(environment: "\($0.rawValue)") } ?? ""
    let days = choice.lastDay.map { texts.frameStartDays(day: Marks.day($0, hasYear: true)) } ?? ""
    return "\(environment) \(days)"
  }

  /// States that these are sample data, with the way back to the service's own.
  private static func sampleBand(_ setting: Setting, _ status: Status) -> HTML {
    guard status.canLeave else { return setting.texts.frameSampleBand }
    return """
      \(setting.texts.frameSampleBand) <form method="post" action="\(PageAddress.samplePath)">\
      <input type="hidden" name="\(PageRoutes.formTokenField)" value="\(status.viewer.formToken)">\
      <button class="btn small" name="do" value="leave">\(setting.texts.frameSampleLeave)</button></form>
      """
  }

  /// A page without navigation, as for those who are not signed in.
  func bare(_ title: HTML, _ setting: Setting, _ body: HTML, head: HTML = "") -> HTML {
    Self.document(
      title, setting, environment: "production", scripts: [], head: head,
      "<main class=\"login\" id=\"main\"><div class=\"brand\">\(Self.mark)skan</div>\(body)\(Self.choice(setting))</main>"
    )
  }

  /// A page of a screen without navigation, as for those who have no account.
  func bare(_ page: Page, _ setting: Setting) -> HTML {
    let scope: HTML = page.scope.text.isEmpty ? "" : "<p>\(page.scope)</p>"
    let actions: HTML = page.actions.text.isEmpty ? "" : "<div class=\"acts\">\(page.actions)</div>"
    return Self.document(
      page.title, setting, environment: "production", scripts: page.scripts,
      head: "<meta name=\"robots\" content=\"noindex\"><meta name=\"referrer\" content=\"no-referrer\">",
      languages: false,
      """
      <main class="body alone" id="main"><div class="brand">\(Self.mark)skan</div>\
      <div class="head"><div><h1>\(page.title)</h1>\(scope)</div>\(actions)</div>
      \(page.body)
      \(Self.choice(setting))</main>
      """)
  }

  private static func document(
    _ title: HTML, _ setting: Setting, environment: String, scripts: [EmbeddedAsset], head: HTML = "",
    languages: Bool = true, _ body: HTML
  ) -> HTML {
    let language = setting.texts.language
    // A script has to know which sign is before decimals, to read what is shown.
    let point: HTML = NumberStyle(language).hasDecimalComma ? " data-point=\",\"" : ""
    let theme: HTML = setting.theme.isEmpty ? "" : " data-theme=\"\(setting.theme)\""
    let scripts = ([EmbeddedAsset.appScript] + scripts).map { script -> HTML in
      "<script type=\"module\" src=\"\(script.path)\"></script>"
    }.joined()
    return """
      <!DOCTYPE html>
      <html lang="\(language.rawValue)" dir="\(language.direction)" data-env="\(environment)"\(point)\(theme)><head>\
      <meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">\
      <title>\(title.words) · skan</title><link rel="icon" href="\(EmbeddedAsset.iconImage.path)" type="image/svg+xml">\(languages ? alternates(setting.address) : "")\
      <link rel="stylesheet" href="\(EmbeddedAsset.style.path)">\(head)\(scripts)</head>
      <body>\(body)</body></html>

      """
  }

  /// The addresses of the page in each language.
  private static func alternates(_ address: PageAddress) -> HTML {
    let links = Language.offered.map { language -> HTML in
      """
      <link rel="alternate" hreflang="\(language.rawValue)" href="\(address.with("lang", language.rawValue).text)">
      """
    }
    return """
      \(links.joined())<link rel="alternate" hreflang="x-default" href="\(address.with("lang", nil).text)">
      """
  }

  /// Links to the page in other languages, for those who have no settings yet.
  private static func choice(_ setting: Setting) -> HTML {
    let current = setting.texts.language
    let links = Language.offered.map { language -> HTML in
      let code = language.rawValue
      let mark: HTML = language == current ? " aria-current=\"true\"" : ""
      return """
        <a lang="\(code)" hreflang="\(code)" href="\(setting.address.with("lang", code).text)"\(mark)>\(language.ownName)</a>
        """
    }
    return """
      <div class="languages" role="group" aria-label="\(setting.texts.frameLanguage)">\(links.joined())</div>
      """
  }

  private static let mark: HTML = """
    <svg viewBox="0 0 20 20" aria-hidden="true"><g class="f1"><rect x="1" y="1" width="8" height="8" rx="2"/>\
    <rect x="11" y="11" width="8" height="8" rx="2"/></g><rect x="11.75" y="1.75" width="6.5" height="6.5" rx="1.5" \
    class="k1"/><rect x="1.75" y="11.75" width="6.5" height="6.5" rx="1.5" class="hf"/></svg>
    """

  /// Parameters that a link in the navigation takes along, so that a choice of days or app holds on every screen.
  private static let carried: Set<String> = [
    "environment", "app", "network", "from", "through", "last", "currency", "horizon", "lang",
  ]

  private func navigation(_ setting: Setting, _ status: Status) -> HTML {
    let texts = setting.texts
    let limit = ViewLimit(status.viewer)
    let shown = screens.filter { $0.place != nil && $0.role <= status.viewer.role && limit.allows($0) }
    let current = Self.place(of: setting.address.path, among: shown)
    func places(_ section: NavigationPlace.Section) -> [Screen] {
      shown.filter { $0.place?.section == section }
        .sorted { ($0.place?.order ?? 0) < ($1.place?.order ?? 0) }
    }
    func list(_ screens: [Screen], style: HTML = "", classes: HTML = "") -> HTML {
      let links = screens.map { screen -> HTML in
        let names = Self.carried.intersection(screen.parameterNames.union(PageAddress.common))
        let address = setting.address.moved(to: screen.path, keeping: names)
        let isPage = screen.path == setting.address.path
        let mark: HTML =
          screen.path == current ? " aria-current=\"\(isPage ? "page" : "true")\"" : ""
        let count: HTML =
          screen.path == "/alerts" && status.alertCount > 0
          ? "<span class=\"badge bad\">\(texts.frameAlertCount(count: status.alertCount))</span>" : ""
        return "<li><a\(style) href=\"\(address.text)\"\(mark)>\(screen.title(texts))\(count)</a></li>"
      }
      return links.isEmpty ? "" : "<ul\(classes)>\(links.joined())</ul>"
    }
    let daily = places(.daily)
    let parts = [(places(.checks), texts.sectionChecks), (places(.details), texts.sectionDetails)]
      .filter { !$0.0.isEmpty }
    // Behind a button, unless one of them is shown, or there is nothing else.
    let isOpen = daily.isEmpty || parts.contains { $0.0.contains { $0.path == current } }
    let fold: HTML =
      parts.isEmpty
      ? ""
      : """
      <details class="fold"\(isOpen ? " open" : "")><summary>\(texts.frameMore)</summary>\
      \(parts.map { screens, title -> HTML in "<h2>\(title)</h2>\(list(screens))" }.joined())</details>
      """
    return """
      <nav class="nav" aria-label="\(texts.framePages)">\(list(daily, style: " class=\"big\""))\(fold)\
      \(list(places(.operate), classes: " class=\"ops\""))</nav>
      """
  }

  /// The entry that a page belongs to: its own, or that of the nearest folder of its path.
  private static func place(of path: String, among screens: [Screen]) -> String? {
    screens.map { $0.path }.filter { $0 == path || $0 != "/" && path.hasPrefix($0 + "/") }
      .max { $0.utf8.count < $1.utf8.count }
  }

  private static func settings(_ setting: Setting, _ viewer: Viewer) -> HTML {
    let texts = setting.texts
    let hidden: HTML = """
      <input type="hidden" name="\(PageRoutes.formTokenField)" value="\(viewer.formToken)">\
      <input type="hidden" name="next" value="\(setting.address.without(PageAddress.common).text)">
      """
    let languages = (Language.offered + [texts.language].filter { !Language.offered.contains($0) }).map {
      language -> HTML in
      let selected: HTML = language == texts.language ? " selected" : ""
      return """
        <option value="\(language.rawValue)" lang="\(language.rawValue)"\(selected)>\(language.ownName)</option>
        """
    }
    let themes = [
      ("", texts.frameThemeSystem), ("light", texts.frameThemeLight), ("dark", texts.frameThemeDark),
    ]
    .map { value, word -> HTML in
      "<option value=\"\(value)\"\(value == setting.theme ? " selected" : "")>\(word)</option>"
    }
    let signedIn: HTML = "<p>\(texts.frameSignedIn(name: "<bdi>\(viewer.name)</bdi>"))</p>"
    let name: HTML =
      viewer.hasSession
      ? """
      <form class="prefs" method="post" action="/sign-out">\(hidden)\(signedIn)\
      <button class="btn small">\(texts.frameSignOut)</button></form>
      """ : viewer.isSignedIn ? "<div class=\"prefs\">\(signedIn)</div>" : ""
    return """
      <form class="prefs" method="post" action="/preferences">\(hidden)\
      <label for="language">\(texts.frameLanguage)</label><select id="language" name="language">\(languages.joined())</select>\
      <label for="theme">\(texts.frameTheme)</label><select id="theme" name="theme">\(themes.joined())</select>\
      <button class="btn small">\(texts.frameSet)</button></form>\(name)
      """
  }

  private static func freshness(_ status: Status, _ texts: Texts) -> HTML {
    // When other apps or networks had one is not theirs to know.
    guard status.viewer.limit.isNone else { return "" }
    guard let newest = status.newest else {
      return "<span class=\"fresh stale\">\(texts.frameNoPostback)</span>"
    }
    let minutes = max(0, status.now.milliseconds - newest.milliseconds) / 60_000
    let age =
      switch minutes {
      case ..<60: texts.frameMinutesAgo(count: Int(minutes))
      case ..<(48 * 60): texts.frameHoursAgo(count: Int(minutes / 60))
      default: texts.frameDaysAgo(count: Int(minutes / (24 * 60)))
      }
    let time: HTML = "<time datetime=\"\("\(newest)")\">\(age)</time>"
    return
      "<span class=\"fresh\(minutes > 24 * 60 ? " stale" : "")\">\(texts.frameLastPostback(age: time))</span>"
  }
}
