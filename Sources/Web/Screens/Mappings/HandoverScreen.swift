import Arguments
import Ledger
import MappingEditing
import Mappings
import Markup
import Pages
import Postbacks
import Values

/// What app developers need of a mapping version, and the link that shows it to those without an account.
struct HandoverScreen: FormScreen {
  var app: Int?
  var version: Int?
  var published: Int?
  var file: HandoverView.File?

  static let path = "/mappings/handover"
  static let place: NavigationPlace? = NavigationPlace(.details, 9)
  static let parameters: [Parameter<Self>] = [
    .init("app", \.app, "App Store number.", in: 0...Int.max),
    .init("version", \.version, "Number of the version.", in: 1...10_000),
    .init("published", \.published, "Number of the version that was published last.", in: 1...10_000),
    .init("save", \.file, "File to save instead of a page."),
  ]
  /// Days after which a link ends, as an editor can choose.
  private static let lifetimes = [30, 90, 365]

  static func title(_ texts: Texts) -> HTML { texts.handoverTitle }

  static func address(of app: AppID, version: Int) -> PageAddress {
    PageAddress(path, [("app", "\(app.number)"), ("version", "\(version)")])
  }

  func answer(_ context: ScreenContext) throws -> PageAnswer { try shown(context) }

  func answer(_ form: FormBody, _ context: ScreenContext) throws -> PageAnswer {
    let texts = context.texts
    guard context.isSignedIn, !context.showsSample else {
      return try shown(context, Panel.banner(texts.accessOpen))
    }
    guard let app = try AppMappings(context.reader, app: app.map { Int64($0) }).app.flatMap({ AppID($0) })
    else {
      return .redirect(context.address)
    }
    let store = TokenStore(context.changes)
    var lifetime = form["days"].flatMap { Int($0) }.flatMap { Self.lifetimes.contains($0) ? $0 : nil } ?? 90
    if let id = form["link"].flatMap({ Int64($0) }) {
      let own = try Self.links(of: app, context).first { $0.id == id }
      guard let own, try store.revoke(id, now: context.now) else {
        return try shown(context, Panel.banner(texts.handoverNoLink))
      }
      guard form["do"] == "renew" else { return try shown(context, Panel.banner(texts.handoverEnded, .done)) }
      // As long as it was made for.
      lifetime =
        own.expiresAt.map { Int(($0.milliseconds - own.createdAt.milliseconds) / Day.milliseconds) }
        ?? lifetime
    }
    let secret = try context.newToken()
    _ = try store.add(
      .handover, name: "app-\(app.number)", token: secret,
      expiresAt: context.now + Int64(lifetime) * Day.milliseconds, limit: ReadLimit(apps: [app]),
      now: context.now)
    let address = HandoverLinkScreen.address(secret).text
    let banner: HTML = """
      <div class="banner info" role="status"><div><p>\(texts.handoverMade)</p>\
      <p><a class="cmd" id="new-link" href="\(address)" rel="noreferrer">\(context.origin)\(address)</a></p><p class="s">\(texts.handoverOnce)</p></div></div>
      """
    return try shown(context, banner)
  }

  /// The links of an app that open its page now.
  private static func links(of app: AppID, _ context: ScreenContext) throws -> [StoredToken] {
    // A reader of its own, because a form may just have changed the database.
    try LedgerReader(path: context.database).tokens().filter { token in
      token.use == .handover && token.limit.apps == [app] && token.revokedAt == nil
        && token.expiresAt.map { context.now < $0 } ?? true
    }
  }

  // MARK: Page

  private func shown(_ context: ScreenContext, _ message: HTML = "") throws -> PageAnswer {
    let texts = context.texts
    let mappings = try AppMappings(context.reader, app: app.map { Int64($0) })
    guard let app = mappings.app.flatMap({ AppID($0) }),
      let shown = mappings.versions.first(where: { $0.number == version }) ?? mappings.versions.last
    else {
      return .page(
        Page(texts.handoverTitle, body: Panel.empty(texts.mappingsNoneTitle, texts.mappingsNoneReason)))
    }
    let view = HandoverView(shown, context)
    if let file { return view.file(file) }
    var form = FilterForm(context.address, texts)
    form.app(app.number, of: mappings, context)
    form.choice(
      "version", texts.mappingsVersion, "\(shown.number)",
      mappings.versions.reversed().map { (value: "\($0.number)", word: texts.version($0.number)) })
    let done: HTML = published.map { Panel.banner(texts.mappingsDone(number: "\($0)"), .done) } ?? ""
    return .page(
      Page(
        view.title, scope: view.scope, actions: view.links(context.address.without(["published"])),
        body: """
          \(message)\(done)\(form.markup(summary: "\(shown.number)", dropping: ["published"]))\
          <div class="two"><div class="stack">\(view.body)</div>\
          <div class="stack">\(try link(app, context))\(fetched(shown, texts))</div></div>
          """))
  }

  private func link(_ app: AppID, _ context: ScreenContext) throws -> HTML {
    let texts = context.texts
    let links = try Self.links(of: app, context)
    let mayChange = context.mayEdit && context.isSignedIn && !context.showsSample
    let items = links.map { link -> HTML in
      let end = link.expiresAt.map { Marks.day($0.day, hasYear: true) } ?? Marks.none(texts)
      let buttons: HTML =
        mayChange
        ? """
        <form class="row" method="post" action="\(context.address.without(["published"]).text)">\(context.formToken)\
        <input type="hidden" name="link" value="\(String(link.id))">\
        <button class="btn small" name="do" value="renew">\(texts.handoverRenew)</button>\
        <button class="btn small danger" name="do" value="end">\(texts.handoverEnd)</button></form>
        """ : ""
      return "<li><p>\(texts.handoverLink(id: "\(String(link.id))", date: end))</p>\(buttons)</li>"
    }
    let list: HTML =
      items.isEmpty ? "<p class=\"s\">\(texts.handoverNone)</p>" : "<ul class=\"list\">\(items.joined())</ul>"
    let make: HTML =
      mayChange
      ? """
      <form class="row end" method="post" action="\(context.address.without(["published"]).text)">\(context.formToken)\
      \(Panel.choice("days", "days", texts.handoverDays, "90", Self.lifetimes.map { ("\($0)", "\($0)") }))\
      <button class="btn primary" name="do" value="link">\(texts.handoverMake)</button></form>
      """
      : "<p class=\"note\">\(context.mayEdit ? texts.accessOpen : texts.handoverEditors)</p>"
    return Panel.section(
      "link", texts.handoverLinks,
      "<div class=\"stack\"><p class=\"s soft\">\(texts.handoverLinksNote)</p>\(list)\(make)</div>")
  }

  private func fetched(_ version: AppMappings.Version, _ texts: Texts) -> HTML {
    Panel.section(
      "fetched", texts.handoverFetched,
      "<p class=\"s\">\(version.appsSince.map { texts.handoverFetchedSince(time: Marks.moment($0)) } ?? texts.handoverNotFetched)</p>"
    )
  }
}

/// The page for developers behind a link: the newest version of one app, without figures and without a menu.
struct HandoverLinkScreen: ScreenContent {
  var file: HandoverView.File?

  static let path = "/m/{link}"
  static let opensByLink = true
  static let showsSample = false
  static let parameters: [Parameter<Self>] = [.init("save", \.file, "File to save instead of a page.")]

  static func title(_ texts: Texts) -> HTML { texts.handoverTitle }

  static func address(_ secret: String) -> PageAddress { PageAddress("/m/\(secret)") }

  func answer(_ context: ScreenContext) throws -> PageAnswer {
    let texts = context.texts
    guard let app = Int64(context.name), let newest = try AppMappings(context.reader, app: app).versions.last
    else {
      return .page(
        Page(
          texts.handoverTitle, status: 404, body: Panel.empty(texts.handoverTitle, texts.handoverNoVersion)))
    }
    let view = HandoverView(newest, context)
    if let file { return view.file(file) }
    return .page(
      Page(
        view.title, scope: view.scope, actions: view.links(context.address),
        body: "<div class=\"stack\">\(view.body)</div>"))
  }
}
