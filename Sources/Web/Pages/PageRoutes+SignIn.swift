import HTTPServer
import Markup
import Routing

/// Sign-in, sign-out, and the settings of a browser.
extension PageRoutes {
  var signInRoute: HTTPRoute {
    HTTPRoute(
      path: "/sign-in", figures: .pages, methods: [.get, .head, .post], bodyLimit: Self.shortForm,
      guards: [guardStrangers, guardHost, guardOrigin]
    ) { [self] request, _, reply in
      let visit = visit(request)
      let next = visit.setting.address["next"].first
      if request.method == .post {
        let (posted, client) = (PostedForm(request), options.proxies.client(of: request))
        return strangers.answer(reply, visit, request.sender) { [self] in
          signIn(posted, visit, next, from: client)
        }
      }
      if let viewer = viewer(visit) {
        let start = ViewLimit(viewer).start(Self.target(next), among: frame.screens)
        return reply.send(Self.redirect(to: start.text))
      }
      strangers.answer(reply, visit, request.sender) { [self] in
        html(signInPage(visit, Self.target(next), nil), visit, status: 200, keptLanguage(visit))
      }
    }
  }

  /// Where to go on after the sign-in: the beginning where no address is named, or none of this site, or a long one.
  private static func target(_ next: String?) -> PageAddress {
    guard let next, next.utf8.count <= StrangerPages.mostBytesOfNext, let address = PageAddress(local: next),
      address.text.utf8.count <= StrangerPages.mostBytesOfNext
    else { return PageAddress("/") }
    return address
  }

  private func signIn(
    _ posted: PostedForm, _ visit: PageVisit, _ next: String?, from client: ClientAddress
  ) -> Response {
    let form: FormBody
    do throws(Problem) {
      form = try posted.read(shownTo: nil)
    } catch {
      return errorPage(error, visit)
    }
    let target = Self.target(form["next"] ?? next)
    if let seconds = attempts.secondsToWait(client) {
      options.noteSignIn(.limited)
      let page = signInPage(visit, target, visit.setting.texts.signInTooMany(seconds: Int(seconds)))
      return html(page, visit, status: 429, [.init("Retry-After", "\(seconds)")])
    }
    let token = form["token"].map { $0.split(whereSeparator: \.isWhitespace).joined() } ?? ""
    guard let id = try? sessions.begin(withToken: token) else {
      options.noteSignIn(.rejected)
      return html(signInPage(visit, target, visit.setting.texts.signInRejected), visit, status: 403)
    }
    options.noteSignIn(.accepted)
    if let old = visit.session { sessions.end(old) }
    let cookie = RequestCookies.setting(
      RequestCookies.sessionName(isSecure: visit.isSecure), to: id, isSecure: visit.isSecure)
    let start = sessions.viewer(ofSession: id).map { ViewLimit($0).start(target, among: frame.screens) }
    return Self.redirect(to: (start ?? target).text, [cookie])
  }

  /// The cookie of a language that was chosen before there is a session.
  private func keptLanguage(_ visit: PageVisit) -> [Response.Header] {
    guard let word = visit.setting.address["lang"].first, let language = Language(rawValue: word) else {
      return []
    }
    return [
      RequestCookies.setting(
        PageVisit.languageCookie, to: language.rawValue, seconds: Self.secondsOfSettings,
        isSecure: visit.isSecure)
    ]
  }

  private func signInPage(_ visit: PageVisit, _ target: PageAddress, _ mistake: HTML?) -> HTML {
    let texts = visit.setting.texts
    let stranger = visit.person.map { texts.signInNoRole(name: "<bdi>\($0.name)</bdi>") }
    let banner: HTML =
      (mistake ?? stranger).map {
        "<div class=\"banner bad\" role=\"alert\" id=\"mistake\"><div><p>\($0)</p></div></div>"
      }
      ?? ""
    let invalid: HTML = mistake == nil ? "" : " aria-invalid=\"true\""
    var setting = visit.setting
    setting.address = PageAddress(
      "/sign-in", target == PageAddress("/") ? [] : [("next", target.text)])
    return frame.bare(
      texts.signInTitle, setting,
      """
      <h1>\(texts.signInTitle)</h1>\(banner)
      <form class="stack" method="post" action="/sign-in"><input type="hidden" name="next" value="\(target.text)">\
      <div class="field"><label for="token">\(texts.signInToken)</label><input id="token" name="token" type="password" \
      autocomplete="current-password" autocapitalize="none" spellcheck="false" required autofocus aria-describedby="hint\
      \(mistake == nil ? "" : " mistake")"\(invalid)>\
      <p class="hint" id="hint">\(texts.signInHint)</p></div>
      <button class="btn primary">\(texts.signInButton)</button></form>
      <details class="more"><summary>\(texts.signInNoToken)</summary><div class="stack">\
      <p class="s soft">\(texts.signInNoTokenHelp)</p>\
      <code class="cmd">skan token create --database skan.db --reader NAME</code>\
      <code class="cmd">skan token create --database skan.db --editor NAME</code></div></details>
      """)
  }

  var signOutRoute: HTTPRoute {
    HTTPRoute(
      path: "/sign-out", figures: .pages, methods: [.post], bodyLimit: Self.shortForm,
      guards: [guardStrangers, guardHost, guardOrigin]
    ) { [self] request, _, reply in
      let visit = visit(request)
      do throws(Problem) {
        _ = try PostedForm(request).read(shownTo: viewer(visit))
      } catch {
        return reply.send(errorPage(error, visit))
      }
      if let session = visit.session { sessions.end(session) }
      let cookie = RequestCookies.setting(
        RequestCookies.sessionName(isSecure: visit.isSecure), to: "", seconds: 0, isSecure: visit.isSecure)
      reply.send(Self.redirect(to: "/sign-in", [cookie]))
    }
  }

  /// Language and theme, which need no script: the form sets two cookies.
  var preferencesRoute: HTTPRoute {
    HTTPRoute(
      path: "/preferences", figures: .pages, methods: [.post], bodyLimit: Self.shortForm,
      guards: [guardStrangers, guardHost, guardOrigin]
    ) { [self] request, _, reply in
      let visit = visit(request)
      let form: FormBody
      do throws(Problem) {
        form = try PostedForm(request).read(shownTo: viewer(visit))
      } catch {
        return reply.send(errorPage(error, visit))
      }
      var cookies: [Response.Header] = []
      let words = [
        (PageVisit.languageCookie, "language", Language.allCases.map(\.rawValue)),
        (PageVisit.themeCookie, "theme", ["", "light", "dark"]),
      ]
      for (cookie, field, allowed) in words {
        guard let word = form[field], allowed.contains(word) else { continue }
        cookies.append(
          RequestCookies.setting(
            cookie, to: word, seconds: word.isEmpty ? 0 : Self.secondsOfSettings, isSecure: visit.isSecure))
      }
      let target = form["next"].flatMap { PageAddress(local: $0) } ?? PageAddress("/")
      reply.send(Self.redirect(to: target.text, cookies))
    }
  }
}
