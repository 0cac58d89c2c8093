import Arguments
import HTTPServer
import Ledger
import Markup
import Postbacks
import Routing
import Values

/// Screens that an address with a secret opens, without a session.
extension PageRoutes {
  /// The route of a screen that links open: the last part of its path is the secret.
  ///
  /// A client that tries secrets is limited as at the sign-in. The address must not get out: browsers send it to no other site
  /// and search engines leave the page out.
  func linkRoute(of screen: Screen) -> HTTPRoute {
    HTTPRoute(
      path: screen.path, figures: .pages, methods: [.get, .head], guards: [guardStrangers, guardHost]
    ) {
      [self] request, name, reply in
      let visit = visit(request)
      guard let app = options.access.handover(named: name, at: options.clock()) else {
        if let seconds = attempts.secondsToWait(options.proxies.client(of: request)) {
          let reason = visit.setting.texts.signInTooMany(seconds: Int(seconds))
          return reply.send(linkError(visit, reason, status: 429, [.init("Retry-After", "\(seconds)")]))
        }
        return reply.send(linkError(visit, visit.setting.texts.handoverNoLink, status: 404))
      }
      strangers.answer(reply, visit, request.sender) { [self] in linkResponse(screen, visit, app) }
    }
  }

  private func linkResponse(_ screen: Screen, _ visit: PageVisit, _ app: AppID) -> Response {
    let setting = visit.setting
    do {
      let now = options.clock()
      let viewer = Viewer(
        name: "", role: .reader, formToken: "", isSignedIn: false, hasSession: false,
        limit: ReadLimit(apps: [app]))
      let data = ViewLimit(viewer).source(sources.own)
      let content = try screen.init(setting.address)
      let reader = try LedgerReader(
        path: data.database, limit: viewer.limit, endingAfterSeconds: Self.answerSeconds)
      let context = ScreenContext(
        reader: reader, data: data, sampleFolder: sources.sampleFolder, now: now, viewer: viewer,
        texts: setting.texts, called: try Called(reader, on: now.day), address: setting.address,
        origin: visit.origin, name: "\(app.number)", keyring: options.keyring,
        certificateEnd: nil, alerts: [], keeper: options.keeper, makesEstimates: true, answers: answers,
        uploads: uploads, sessions: sessions)
      switch try content.answer(context) {
      case .page(let page):
        return html(frame.bare(page, setting), visit, status: page.status).ofLink
      case .file(let name, let contentType, let text):
        return Response(
          status: 200,
          headers: PageHeaders.ofLinks([
            .init("Content-Type", contentType), .init("X-Content-Type-Options", "nosniff"),
            .init("Content-Disposition", "attachment; filename=\"\(name)\""),
          ]), body: Array(text.utf8))
      default:
        return linkError(visit, setting.texts.handoverNoLink, status: 404)
      }
    } catch let error as ParameterError {
      return errorPage(.badParameter(error), visit).ofLink
    } catch {
      let id = String(UInt64.random(in: 0...(.max)), radix: 36)
      // Not the address: it has the secret.
      options.noteFailure(id, screen.path, (error as? any UserFacingError)?.message ?? "\(error)")
      return errorPage(.failed(id), visit).ofLink
    }
  }

  private func linkError(
    _ visit: PageVisit, _ reason: HTML, status: Int, _ headers: [Response.Header] = []
  ) -> Response {
    let title = visit.setting.texts.handoverTitle
    var setting = visit.setting
    let path = setting.address.path
    setting.address = PageAddress(path.utf8.count <= StrangerPages.mostBytesOfNext ? path : "/")
    let page = frame.bare(title, setting, "<h1>\(title)</h1><p>\(reason)</p>")
    return html(page, visit, status: status, headers).ofLink
  }
}

extension Response {
  /// The same, for an address that is a secret.
  fileprivate var ofLink: Response {
    var response = self
    response.headers = PageHeaders.ofLinks(headers)
    return response
  }
}
