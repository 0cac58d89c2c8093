import Arguments
import Campaigns
package import HTTPServer
import Ledger
import Markup
import OpenSSL
package import Routing
import System
import Values
import Verification

/// The routes of all pages: assets, sign-in, settings and screens.
///
/// Cookie, session and form are judged at once; the database is asked on threads of its own and for a limited time, so a
/// slow page delays no device. A page whose estimates are not kept goes on on one thread of its own, one after the other, so that it
/// delays no other page.
package final class PageRoutes: Sendable {
  /// The field of every form that proves that it came from a page of this viewer.
  package static let formTokenField = "form-token"
  /// Bytes of a form that needs no session: a token, and an address to go on to.
  static let shortForm = 16_384
  /// Bytes of a form that is shown again to a viewer whose session has ended.
  private static let repeatedForm = 65_536
  static let secondsOfSettings = 365 * 24 * 3600
  /// How many questions are answered at once; others wait.
  private static let threads = 2
  /// Seconds after which the database's part of an answer ends.
  static let answerSeconds = 30.0

  let options: PagesOptions
  let frame: PageFrame
  let sessions: SessionStore
  let attempts: AttemptLimiter
  let strangers: StrangerPages
  let uploads: UploadStore
  let pool: ReaderPool
  /// Where estimates are made that are not kept.
  let estimating: ReaderPool
  let sources: PageSources
  let answers = AnswerCache()
  private let anyone: Viewer?
  /// What the form tokens of a proxy's users are made with.
  private let formSecret: [UInt8]

  /// - Throws: `OpenSSLError` when there is no randomness; `ThreadError` when a thread can't start.
  package init(_ screens: [Screen], _ options: PagesOptions) throws {
    self.options = options
    let frame = PageFrame(
      screens: screens, hasAddedProductionKeys: options.keyring.addedProductionKeys > 0)
    self.frame = frame
    sessions = SessionStore(options.access, clock: options.clock)
    attempts = AttemptLimiter(burst: 10, secondsEach: 6, clock: options.clock)
    strangers = try StrangerPages(frame, isSecure: options.identity != nil, clock: options.clock)
    uploads = UploadStore(clock: options.clock)
    pool = try ReaderPool(threads: Self.threads)
    estimating = try ReaderPool(threads: 1)
    sources = PageSources(options)
    anyone = options.isOpen ? try .anyone() : nil
    formSecret = try randomBytes(32)
  }

  /// Turns away what waits; what is being answered goes on.
  package func close() {
    pool.close()
    estimating.close()
    strangers.close()
  }

  /// Waits a while for what is being answered, after ``close()``.
  package func join(withinSeconds seconds: Double) {
    pool.join(withinSeconds: seconds)
    estimating.join(withinSeconds: seconds)
    strangers.join(withinSeconds: seconds)
  }

  package var routes: [HTTPRoute] {
    var routes = EmbeddedAsset.all.map(Self.route) + [signInRoute, signOutRoute, preferencesRoute]
    routes += frame.screens.map { $0.opensByLink ? linkRoute(of: $0) : route(of: $0) }
    return routes
  }

  // MARK: Assets

  private static func route(of asset: EmbeddedAsset) -> HTTPRoute {
    let (plain, packed) = asset.prepared()
    return HTTPRoute(path: asset.path, figures: .pages, methods: [.get, .head]) { request, _, reply in
      reply.send(ContentChoice.takesGzip(request) ? packed : plain)
    }
  }

  // MARK: Requests

  func visit(_ request: borrowing Request) -> PageVisit {
    PageVisit(request, isSecure: isSecure(request), person: options.proxySignIn?.person(of: request))
  }

  /// Whether the browser came by TLS, here or at a proxy that is trusted.
  func isSecure(_ request: borrowing Request) -> Bool {
    if options.identity != nil { return true }
    return options.proxies.isPeer(of: request) && request.header("X-Forwarded-Proto") == "https"
  }

  func viewer(_ visit: PageVisit) -> Viewer? {
    if let anyone { return anyone }
    // The user of the proxy is the viewer, whatever cookie the browser still has.
    if let person = visit.person, let viewer = try? Viewer(person, secret: formSecret) { return viewer }
    return visit.session.flatMap { sessions.viewer(ofSession: $0) }
  }

  /// The answer to a request for another name than this machine's, where no sign-in protects the pages.
  private func misdirected(_ request: borrowing Request, _ name: String) -> Response? {
    isMisdirected(request) ? errorPage(.misdirected, visit(request)) : nil
  }

  func isMisdirected(_ request: borrowing Request) -> Bool {
    anyone != nil && !RequestOrigin.namesLoopback(request)
  }

  // MARK: Screens

  private func route(of screen: Screen) -> HTTPRoute {
    HTTPRoute(
      path: screen.path, figures: .pages, methods: [.get, .head] + (screen.formRole == nil ? [] : [.post]),
      bodyLimit: UploadedFile.mostBytes, holder: { [self] request, _ in viewer(visit(request))?.holder },
      guards: [
        guardStrangers, guardHost, guardOrigin,
        { [self] request, _ in
          guard request.method == .post else { return nil }
          let visit = visit(request)
          guard let viewer = viewer(visit) else {
            // What was typed before the session ended comes back, unless it is longer than typed text can be.
            let length = request.header("Content-Length").flatMap { Int($0) } ?? .max
            return screen.repeatsForms && length <= Self.repeatedForm ? nil : errorPage(.signedOut, visit)
          }
          return viewer.role >= screen.formRole ?? .editor ? nil : errorPage(.notAllowed, visit, viewer)
        },
      ]
    ) { [self] request, name, reply in
      let visit = visit(request)
      let posted = request.method == .post ? PostedForm(request) : nil
      let viewer = viewer(visit)
      guard posted != nil || viewer != nil else {
        return reply.send(askToSignIn(visit, RequestOrigin.isFromOtherSite(request)))
      }
      guard let viewer else {
        return strangers.answer(reply, visit, request.sender) { [self] in
          errorPage(.signedOut, visit, repeating: screen.repeatsForms ? posted : nil)
        }
      }
      guard posted != nil || viewer.role >= screen.role else {
        return reply.send(errorPage(.notAllowed, visit, viewer))
      }
      let (pending, sender) = (PendingReply(reply), request.sender)
      let answer: @Sendable (ReaderPool.Turn, _ estimates: Bool) -> Response? = { [self] turn, estimates in
        switch turn {
        case .come: response(screen, posted, visit, viewer, name, estimates)
        case .stopping: errorPage(.rejected(.stopping), visit, viewer)
        case .tooMany: errorPage(.tooManyPages, visit, viewer)
        }
      }
      pool.answer(sender) { [self] turn in
        // A form is never answered twice.
        if let response = answer(turn, posted != nil) { return pending.send(response) }
        estimating.answer(sender) { turn in
          if let response = answer(turn, true) { pending.send(response) }
          releaseFreeMemory()
        }
      }
    }
  }

  /// Until when the database has everything; `nil` where it is up to date.
  private func completeUntil(_ now: Instant) -> Instant? {
    guard let seconds = options.secondsBehind(), seconds > Self.secondsUnnoticed else { return nil }
    return now + Int64(-seconds * 1000)
  }

  /// Seconds that a node may be behind without a word; it looks for news twenty times a second.
  private static let secondsUnnoticed = 5.0

  /// Rejects forms that no page of this site sent.
  var guardOrigin: HTTPRoute.Guard {
    { [self] request, _ in
      guard request.method == .post else { return nil }
      let visit = visit(request)
      return visit.isSameSite ? nil : errorPage(.otherSite, visit, viewer(visit))
    }
  }

  var guardHost: HTTPRoute.Guard { { [self] request, name in misdirected(request, name) } }

  /// Turns those without a session away who ask for more than people do, before any work is done for them.
  var guardStrangers: HTTPRoute.Guard { { [self] request, _ in limited(request) } }

  private func limited(_ request: borrowing Request) -> Response? {
    isStranger(request) ? strangers.rejection(of: request, from: options.proxies.client(of: request)) : nil
  }

  /// Whether a request has no viewer, judged without reading more of it than that needs.
  private func isStranger(_ request: borrowing Request) -> Bool {
    if anyone != nil || options.proxySignIn?.person(of: request)?.role != nil { return false }
    let name = RequestCookies.sessionName(isSecure: isSecure(request))
    let session = RequestCookies(request.headers("Cookie"))[name]
    return session.flatMap { sessions.viewer(ofSession: $0) } == nil
  }

  /// The page; `nil` where it takes estimates that are not kept, and may not make them.
  private func response(
    _ screen: Screen, _ posted: PostedForm?, _ visit: PageVisit, _ viewer: Viewer, _ name: String,
    _ makesEstimates: Bool
  ) -> Response? {
    Language.$ofPage.withValue(visit.setting.texts.language) {
      answer(screen, posted, visit, viewer, name, makesEstimates)
    }
  }

  private func answer(
    _ screen: Screen, _ posted: PostedForm?, _ visit: PageVisit, _ viewer: Viewer, _ name: String,
    _ makesEstimates: Bool
  ) -> Response? {
    let now = options.clock()
    do {
      let form = try posted?.read(shownTo: viewer)
      let limit = ViewLimit(viewer)
      let data = limit.source(
        screen.showsSample ? sources.source(ofSample: visit.isOfSample) : sources.own)
      var setting = visit.setting
      setting.address = try limit.address(setting.address, of: screen, isForm: posted != nil)
      setting.address.hasPostbacks = viewer.limit.isNone
      let reader = try LedgerReader(
        path: data.database, limit: viewer.limit, endingAfterSeconds: Self.answerSeconds)
      let isSample = try reader.last(.sampleMade) != nil
      let start = try FirstLook(screen, setting.address, reader, now: now)
      setting.address = start.address
      let content = try screen.init(setting.address)
      let context = ScreenContext(
        reader: reader, data: data, sampleFolder: sources.sampleFolder, now: now, viewer: viewer,
        texts: setting.texts, called: try Called(reader, on: now.day), address: setting.address,
        origin: visit.origin, name: name,
        keyring: options.keyring,
        certificateEnd: options.certificateEnd(),
        alerts: isSample || !viewer.limit.isNone ? [] : options.alerts.firing,
        keeper: options.keeper, makesEstimates: makesEstimates, answers: answers, uploads: uploads,
        sessions: sessions)
      let answer = try form.map { try content.answer($0, context) } ?? content.answer(context)
      // What a form made or revoked holds at once.
      if posted != nil { options.access.forgetTokens() }
      switch answer {
      case .page(let page):
        let status = PageFrame.Status(
          viewer: viewer, environment: setting.address["environment"].first ?? "production",
          isSample: isSample, canLeave: isSample && visit.isOfSample, start: start.choice,
          newest: try reader.newestConversion(until: now), completeUntil: isSample ? nil : completeUntil(now),
          now: now,
          alertCount: context.alerts.count, money: try content.moneyLine(context))
        let refresh = page.refreshSeconds.map { [Response.Header("Refresh", "\($0)")] } ?? []
        return html(frame.document(page, setting, status), visit, status: page.status, refresh)
      case .part(let tag, let part):
        let headers = [Response.Header("ETag", "\"\(tag)\"")]
        guard visit.known != "\"\(tag)\"" else {
          return Response(status: 304, headers: headers + [.init("Cache-Control", "no-store")])
        }
        return html(part, visit, status: 200, headers)
      case .redirect(let address): return Self.redirect(to: address.text)
      case .showSample(let isShown, let address):
        return Self.redirect(
          to: address.text,
          [
            RequestCookies.setting(
              PageVisit.sampleCookie, to: isShown ? "1" : "", seconds: isShown ? nil : 0,
              isSecure: visit.isSecure)
          ])
      case .file(let name, let contentType, let text):
        return Response(
          status: 200,
          headers: [
            .init("Content-Type", contentType), .init("Cache-Control", "no-store"),
            .init("Content-Disposition", "attachment; filename=\"\(name)\""),
            .init("X-Content-Type-Options", "nosniff"),
            .init("Content-Security-Policy", "sandbox; default-src 'none'"),
            .init("Referrer-Policy", "no-referrer"), .init("Cross-Origin-Resource-Policy", "same-origin"),
          ], body: Array(text.utf8))
      }
    } catch is PartIsMissing {
      return nil
    } catch let error as ParameterError {
      return errorPage(.badParameter(error), visit, viewer)
    } catch let problem as Problem {
      return errorPage(problem, visit, viewer, repeating: screen.repeatsForms ? posted : nil)
    } catch LedgerError.tookTooLong {
      return errorPage(.pageTookTooLong, visit, viewer)
    } catch let error as CommandError where error.exitCode == .data {
      return errorPage(.unusableData(error), visit, viewer)
    } catch {
      let id = String(UInt64.random(in: 0...(.max)), radix: 36)
      let known = error as? any UserFacingError
      options.noteFailure(id, visit.setting.address.path, known?.message ?? "\(error)")
      // A full disk and a locked database pass; what was typed is sent once more then.
      guard let posted, let known, [.unavailable, .inputOutput].contains(known.exitCode) else {
        return errorPage(.failed(id), visit, viewer)
      }
      return errorPage(.notStored(id), visit, viewer, repeating: screen.repeatsForms ? posted : nil)
    }
  }

  /// Leads to the sign-in and back.
  ///
  /// A browser keeps a strict cookie back when another site's page led here. Then this page asks once more by itself, and
  /// the cookie comes along.
  private func askToSignIn(_ visit: PageVisit, _ isFromOtherSite: Bool) -> Response {
    let address = visit.setting.address.text
    guard address.utf8.count <= StrangerPages.mostBytesOfNext else { return Self.redirect(to: "/sign-in") }
    guard isFromOtherSite else {
      return Self.redirect(to: PageAddress("/sign-in", [("next", address)]).text)
    }
    let texts = visit.setting.texts
    let page = frame.bare(
      texts.signInTitle, visit.setting,
      "<p><a href=\"\(address)\">\(texts.signInGoOn)</a></p>",
      head: "<meta http-equiv=\"refresh\" content=\"0;url=\(address)\">")
    return html(page, visit, status: 200)
  }

  // MARK: Answers

  /// The page for a problem that the router or the server found.
  package func errorPage(_ problem: Problem, _ request: borrowing Request) -> Response {
    if let response = limited(request) { return response }
    let visit = visit(request)
    return errorPage(problem, visit, viewer(visit))
  }

  /// The page of a problem, with the form that was sent where it is repeated.
  ///
  /// Only a form of this site's pages is, with the token of the session that there is by now. A person sends it again, so
  /// that no other site's page can.
  func errorPage(
    _ problem: Problem, _ visit: PageVisit, _ viewer: Viewer? = nil, repeating posted: PostedForm? = nil
  ) -> Response {
    let form = visit.isSameSite ? posted.flatMap { FormBody($0.body, type: $0.type) } : nil
    let again: HTML =
      form.map {
        ErrorPage.again(
          $0.fields(without: Self.formTokenField), visit.setting.address, formToken: viewer?.formToken,
          visit.setting.texts)
      } ?? ""
    let body: HTML = "\(ErrorPage.body(problem, frame.screens, visit.setting.texts))\(again)"
    let title = ErrorPage.title(problem, visit.setting.texts)
    guard let viewer else {
      // Links for each language repeat the address, and a stranger's can be long.
      var setting = visit.setting
      setting.address = PageAddress("/")
      let page = frame.bare(title, setting, "<h1>\(title)</h1>\(body)")
      return html(page, visit, status: problem.status, problem.headers)
    }
    let status = PageFrame.Status(
      viewer: viewer, environment: "production", isSample: false, canLeave: false, start: nil, newest: nil,
      completeUntil: nil,
      now: options.clock(),
      alertCount: 0, money: "")
    var setting = visit.setting
    // What was wrong with the address must not be taken along by links.
    setting.address = PageAddress(setting.address.path)
    return html(
      frame.document(Page(title, status: problem.status, body: body), setting, status), visit,
      status: problem.status, problem.headers
    )
  }

  func html(
    _ page: HTML, _ visit: PageVisit, status: Int, _ headers: [Response.Header] = []
  ) -> Response {
    let response = Response(
      status: status,
      headers: PageHeaders.all + (visit.isSecure ? PageHeaders.overTLS : [])
        + [.init("Content-Language", visit.setting.texts.language.rawValue)] + headers,
      body: Array(page.text.utf8))
    return visit.takesGzip && response.body.count >= ContentCoding.longBody ? response.packed : response
  }

  static func redirect(to address: String, _ headers: [Response.Header] = []) -> Response {
    Response(
      status: 303,
      headers: [
        .init("Location", address), .init("Cache-Control", "no-store"),
        .init("Referrer-Policy", "same-origin"),
      ] + headers)
  }
}
