import Arguments
import Campaigns
import Ledger
import Markup
import Pages
import Postbacks
import Routing
import Values

/// Tokens and who is signed in: who may read, edit, forward and sign; created, listed and revoked.
struct AccessScreen: FormScreen {
  /// The token that is about to be revoked.
  var revoking: Int?

  static let path = "/access"
  static let showsSample = false
  static let place: NavigationPlace? = NavigationPlace(.operate, 3)
  static let parameters: [Parameter<Self>] = [
    .init("revoke", \.revoking, "Token that is about to be revoked.", in: 1...(.max))
  ]

  static func title(_ texts: Texts) -> HTML { texts.accessTitle }

  func answer(_ context: ScreenContext) throws -> PageAnswer { .page(try shown(context)) }

  func answer(_ form: FormBody, _ context: ScreenContext) throws -> PageAnswer {
    // Without a sign-in no person could be held to it, and a token would outlast the look at one's own machine.
    guard context.isSignedIn else {
      return .page(try shown(context, banner: Panel.banner(context.texts.accessOpen)))
    }
    return switch form["do"] {
    case "create": try create(form, context)
    case "revoke": try revoke(form, context)
    case "sign-out": try signOut(form, context)
    default: .redirect(PageAddress(Self.path))
    }
  }

  /// What a token that the form creates can be for.
  private static let uses: [StoredToken.Use] = [.read, .edit, .forward, .forwardPath, .sign]

  // MARK: Changes

  private func create(_ form: FormBody, _ context: ScreenContext) throws -> PageAnswer {
    let texts = context.texts
    // An inbox and a link have a path in place of a token, and are made elsewhere.
    guard let use = form["use"].flatMap(StoredToken.Use.init(rawValue:)), Self.uses.contains(use) else {
      return .redirect(PageAddress(Self.path))
    }
    let name = form["name"] ?? ""
    guard StoredToken.isHolderName(name), name.utf8.count <= 100 else {
      return .page(try shown(context, banner: Panel.banner(texts.accessBadName)))
    }
    let apps = (form["apps"] ?? "").split { $0 == "," || $0.isWhitespace }.map {
      AppID(parameter: String($0))
    }
    // A limit that is not understood must not open everything.
    func isBlank(_ field: String) -> Bool { (form[field] ?? "").allSatisfy(\.isWhitespace) }
    guard apps.allSatisfy({ $0 != nil }), !apps.isEmpty || isBlank("apps"), apps.isEmpty || use == .read
    else {
      return .page(try shown(context, banner: Panel.banner(texts.accessBadApps)))
    }
    let networks = (form["networks"] ?? "").split { $0 == "," || $0.isWhitespace }.compactMap {
      AdNetworkID(String($0))
    }
    guard !networks.isEmpty || isBlank("networks"), networks.isEmpty || use == .read else {
      return .page(try shown(context, banner: Panel.banner(texts.accessBadNetworks)))
    }
    let days = form["days"].flatMap { $0.isEmpty ? nil : Int64($0) }
    let mayEnd = use == .read || use == .edit
    guard (form["days"] ?? "").isEmpty || mayEnd && days.map({ (1...366).contains($0) }) ?? false else {
      return .page(try shown(context, banner: Panel.banner(texts.accessBadDays)))
    }
    let own = (form["own"] ?? "").filter { !$0.isWhitespace }
    guard context.holds(token: own) else {
      return .page(try shown(context, banner: Panel.banner(texts.accessOwnWrong)))
    }
    let text = try context.newToken()
    let id = try TokenStore(context.changes).add(
      use, name: name, token: text, expiresAt: days.map { context.now + $0 * Day.milliseconds },
      limit: ReadLimit(apps: apps.compactMap(\.self), networks: networks), isSecret: use == .sign,
      now: context.now)
    let banner: HTML = """
      <div class="banner info" role="status"><div><p>\(texts.accessCreated(id: "\(String(id))", name: "<bdi>\(name)</bdi>"))</p>\
      <code class="cmd" id="new-token">\(use == .forwardPath ? "/n/\(text)" : text)</code><p class="s">\(texts.accessOnce)</p></div></div>
      """
    return .page(try shown(context, banner: banner))
  }

  private func revoke(_ form: FormBody, _ context: ScreenContext) throws -> PageAnswer {
    let texts = context.texts
    guard let id = form["token"].flatMap({ Int64($0) }) else { return .redirect(PageAddress(Self.path)) }
    if context.isOwn(token: id), form["sure"] != "own" {
      return .page(
        try AccessScreen(revoking: Int(id)).shown(context, banner: Panel.banner(texts.accessOwnUnsure)))
    }
    let isRevoked = try TokenStore(context.changes).revoke(id, now: context.now)
    let banner: HTML =
      isRevoked
      ? Panel.banner(texts.accessRevoked(id: "\(String(id))"), .done)
      : Panel.banner(texts.accessNoToken(id: "\(String(id))"))
    return .page(try AccessScreen().shown(context, banner: banner))
  }

  private func signOut(_ form: FormBody, _ context: ScreenContext) throws -> PageAnswer {
    let texts = context.texts
    guard let number = form["session"].flatMap({ Int($0) }) else { return .redirect(PageAddress(Self.path)) }
    let banner: HTML =
      context.sessions.end(number: number)
      ? Panel.banner(texts.accessSignedOut(number: "\(number)"), .done)
      : Panel.banner(texts.accessNoSession(number: "\(number)"))
    return .page(try AccessScreen().shown(context, banner: banner))
  }

  // MARK: Page

  private func shown(_ context: ScreenContext, banner: HTML = "") throws -> Page {
    let texts = context.texts
    // A reader of its own, because a form may just have changed the database.
    let tokens = try LedgerReader(path: context.database).tokens()
    let mayChange = context.mayEdit && context.isSignedIn
    var body = banner
    if let revoking, mayChange, let token = tokens.first(where: { $0.id == revoking && $0.revokedAt == nil })
    {
      body += question(token, context)
    }
    body += list(tokens, mayChange, context)
    if context.isSignedIn { body += sessions(mayChange, context) }
    if mayChange {
      body += context.hasToken ? form(context) : "<p class=\"note\">\(texts.accessTokenNeeded)</p>"
    } else {
      body += "<p class=\"note\">\(context.mayEdit ? texts.accessOpen : texts.accessReadersOnlyRead)</p>"
    }
    return Page(texts.accessTitle, scope: texts.accessScope, body: body)
  }

  private func list(_ tokens: [StoredToken], _ mayChange: Bool, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    // The valid ones first, and of others those that a page has room for.
    func isValid(_ token: StoredToken) -> Bool {
      token.revokedAt == nil && token.expiresAt.map { context.now < $0 } ?? true
    }
    let valid = tokens.filter(isValid)
    let shown = valid.prefix(150) + tokens.filter { !isValid($0) }.reversed().prefix(50)
    guard !tokens.isEmpty else { return Panel.empty(texts.accessNoneTitle, texts.accessNoneReason) }
    var columns: [DataTable.Column] = [
      .init(
        texts.accessHolder, isNumber: false,
        shown.map { token in
          let mark: HTML =
            context.isOwn(token: token.id) ? " <span class=\"badge info\">\(texts.accessYou)</span>" : ""
          return "<bdi>\(token.name)</bdi>\(mark)"
        }), .init(texts.accessUse, isNumber: false, shown.map { Self.use($0.use, texts) }),
      .init(texts.accessNumber, shown.map { Marks.count($0.id) }),
      .init(
        texts.accessApps, isNumber: false,
        shown.map {
          $0.limit.apps.isEmpty
            ? texts.filterAll : texts.list($0.limit.apps.map { context.called.app($0.number) })
        }),
      .init(
        texts.accessNetworks, isNumber: false,
        shown.map {
          $0.limit.networks.isEmpty
            ? texts.filterAll
            : texts.list($0.limit.networks.map { context.called.network($0.canonical) })
        }),
      .init(texts.accessCreatedAt, isNumber: false, shown.map { Marks.moment($0.createdAt) }),
      .init(
        texts.accessLastUse, help: texts.accessLastUseHelp, isNumber: false,
        shown.map { $0.lastUsedOn.map { Marks.day($0, hasYear: true) } ?? Marks.none(texts) }),
      .init(
        texts.accessEnd, isNumber: false,
        shown.map { $0.expiresAt.map { Marks.day($0.day, hasYear: true) } ?? Marks.none(texts) }),
      .init(
        texts.accessState, isNumber: false,
        shown.map { token in
          if let end = token.expiresAt, token.revokedAt == nil, !isValid(token) {
            return texts.accessEnded(day: Marks.day(end.day, hasYear: true))
          }
          return token.revokedAt.map { "\(texts.accessRevokedAt) \(Marks.moment($0))" }
            ?? "<span class=\"badge good\">✓ \(texts.accessValid)</span>"
        }),
    ]
    if mayChange {
      columns.append(
        .init(
          texts.accessAction, isNumber: false,
          shown.map { token in
            guard isValid(token) else { return Marks.none(texts) }
            let address = PageAddress(Self.path, [("revoke", "\(token.id)")])
            return
              "<a class=\"btn small\" href=\"\(address.text)\">\(texts.accessRevoke(id: "\(String(token.id))"))</a>"
          }))
    }
    return Panel.section(
      "tokens", texts.accessTokens, note: texts.accessCount(count: valid.count), columns: columns, texts)
  }

  /// Who is signed in; a reader sees only that of their own.
  private func sessions(_ mayChange: Bool, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let open = context.sessions.open(shownTo: context.viewer).filter { mayChange || $0.isOwn }.prefix(100)
    guard !open.isEmpty else { return "" }
    return Panel.section(
      "sessions", texts.accessSessions, note: texts.accessSessionsNote,
      columns: [
        .init(
          texts.accessHolder, isNumber: false,
          open.map { session in
            let mark: HTML = session.isOwn ? " <span class=\"badge info\">\(texts.accessYou)</span>" : ""
            return "<bdi>\(session.name)</bdi>\(mark)"
          }),
        .init(texts.accessSession, open.map { "\($0.number)" }),
        .init(texts.accessBegan, isNumber: false, open.map { Marks.moment($0.began) }),
        .init(texts.accessLastUse, isNumber: false, open.map { Marks.moment($0.lastUse) }),
        .init(
          texts.accessAction, isNumber: false,
          open.map { session in
            // The viewer's own ends with the button in the frame, which forgets the cookie too.
            guard mayChange, !session.isOwn else { return Marks.none(texts) }
            return """
              <form method="post" action="\(Self.path)">\(context.formToken)\
              <input type="hidden" name="session" value="\(String(session.number))">\
              <button class="btn small" name="do" value="sign-out">\(texts.accessSignOut)</button></form>
              """
          }),
      ], texts)
  }

  private static func use(_ use: StoredToken.Use, _ texts: Texts) -> HTML {
    switch use {
    case .read: texts.accessReader
    case .edit: texts.accessEditor
    case .forward: texts.accessNetwork
    case .forwardPath: texts.accessNetworkPath
    case .sign: texts.accessSecret
    case .testInbox: texts.accessInbox
    case .handover: texts.accessHandover
    }
  }

  private func question(_ token: StoredToken, _ context: ScreenContext) -> HTML {
    let texts = context.texts
    let isOwn = context.isOwn(token: token.id)
    let sure: HTML =
      isOwn
      ? """
      <label class="check"><input type="checkbox" name="sure" value="own" required> \(texts.accessOwnSure)</label>
      """ : ""
    let name: HTML = "<bdi>\(token.name)</bdi>"
    return """
      <div class="banner warn"><div><p>\(texts.accessQuestion(id: "\(String(token.id))", name: name))</p></div>\
      <form class="row" method="post" action="\(Self.path)">\(context.formToken)\
      <input type="hidden" name="token" value="\(String(token.id))">\(sure)\
      <button class="btn danger" name="do" value="revoke">\(texts.accessRevoke(id: "\(String(token.id))"))</button>\
      <a class="btn" href="\(Self.path)">\(texts.accessKeep)</a></form></div>
      """
  }

  private func form(_ context: ScreenContext) -> HTML {
    let texts = context.texts
    let uses = Self.uses.map { ($0.rawValue, Self.use($0, texts)) }
    return Panel.section(
      "create", texts.accessCreate, note: texts.accessCreateNote,
      """
      <form class="stack" method="post" action="\(Self.path)">\(context.formToken)<div class="row">\
      \(Panel.choice("use", "use", texts.accessUse, "", uses))\
      <div class="field"><label for="name">\(texts.accessHolder)</label>\
      <input id="name" name="name" required maxlength="100" pattern="[A-Za-z0-9._\\-]+" autocapitalize="none" \
      spellcheck="false" autocomplete="off" aria-describedby="name-hint"></div>\
      <div class="field"><label for="apps">\(texts.accessApps)</label>\
      <input id="apps" name="apps" inputmode="numeric" autocomplete="off" aria-describedby="apps-hint"></div>\
      <div class="field"><label for="networks">\(texts.accessNetworks)</label>\
      <input id="networks" name="networks" autocapitalize="none" spellcheck="false" autocomplete="off" \
      aria-describedby="networks-hint"></div>\
      <div class="field"><label for="days">\(texts.accessDays)</label>\
      <input id="days" name="days" inputmode="numeric" size="4" pattern="[0-9]*" autocomplete="off"></div>\
      <div class="field"><label for="own">\(texts.accessOwn)</label>\
      <input id="own" name="own" type="password" required autocomplete="current-password"></div></div>\
      <p class="hint" id="name-hint">\(texts.accessNameHint)</p><p class="hint" id="apps-hint">\(texts.accessAppsHint)</p>\
      <p class="hint" id="networks-hint">\(texts.accessNetworksHint)</p>\
      <div class="row"><button class="btn primary" name="do" value="create">\(texts.accessCreateButton)</button></div></form>
      """)
  }
}
