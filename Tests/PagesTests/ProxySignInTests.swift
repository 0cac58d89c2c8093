import Ledger
import Routing
import System
import TestSupport
import Testing
import Values

struct `Sign-in by a proxy` {
  private let now = Instant("2026-11-24T10:00:00Z") ?? Instant(seconds: 0)

  private func signIn(from proxies: [String] = ["127.0.0.1/32"]) -> ProxySignIn {
    ProxySignIn(
      header: "X-Forwarded-User", groupsHeader: "X-Forwarded-Groups",
      proxies: proxies.compactMap { AddressRange($0) },
      editors: [.person("ana@example.com"), .group("marketing")], readers: [.person("ben")])
  }

  private func formToken(_ page: String) throws -> String {
    let start = try #require(page.firstRange(of: "name=\"form-token\" value=\""))
    return String(page[start.upperBound...].prefix(64))
  }

  @Test(arguments: [
    ("ana@example.com", "", true), ("eve", "sales, marketing", true), ("ben", "sales", false),
  ])
  func `A person has the role that the configuration gives to the name or a group`(
    name: String, groups: String, mayEdit: Bool
  ) throws {
    let site = try OpenSite(at: now, signIn: signIn())
    let headers = [("X-Forwarded-User", name), ("X-Forwarded-Groups", groups)]
    let page = try site.answer("GET", "/mappings", headers)
    #expect(page.status == 200 && page.text.contains("Signed in as <bdi>\(name)</bdi>"))
    let form = "form-token=\(try formToken(page.text))&do=none"
    let status = try site.answer("POST", "/access", headers, form).status
    #expect(status == (mayEdit ? 303 : 403))
    // The proxy made the sign-in, so it cannot be ended here, and no token can be asked for.
    #expect(!page.text.contains("/sign-out"))
    let access = try site.answer("GET", "/access", headers)
    #expect(!access.text.contains("name=\"own\""))
  }

  @Test func `A user without a role has no access, and nor has a request without a single name`() throws {
    let site = try OpenSite(at: now, signIn: signIn())
    let stranger = try site.answer("GET", "/sign-in", [("X-Forwarded-User", "eve")])
    #expect(stranger.text.contains("who has no access"))
    for headers in [
      [], [("X-Forwarded-User", "")], [("X-Forwarded-User", "eve"), ("X-Forwarded-Groups", "marketing2")],
      // Several names are none.
      [("X-Forwarded-User", "ana@example.com"), ("X-Forwarded-User", "ben")],
      [("X-Forwarded-User", "ana@example.com,ben")], [("X_Forwarded_User", "ana@example.com")],
      [("X-Forwarded-Groups", "marketing")],
    ] {
      #expect(try site.answer("GET", "/", headers).status == 303, "\(headers)")
    }
  }

  @Test func `The header counts for nothing from another address than the proxy's`() throws {
    let site = try OpenSite(at: now, signIn: signIn(from: ["10.0.0.0/8"]))
    let answer = try site.answer(
      "GET", "/", [("X-Forwarded-User", "ana@example.com"), ("X-Forwarded-For", "10.0.0.1")])
    #expect(answer.status == 303)
  }

  @Test func `A form needs the token of the person's own pages`() throws {
    let site = try OpenSite(at: now, signIn: signIn())
    let ana = [("X-Forwarded-User", "ana@example.com")]
    func token(_ headers: [(String, String)]) throws -> String {
      try formToken(try site.answer("GET", "/mappings", headers).text)
    }
    let own = try token(ana)
    #expect(try token(ana) == own)
    let other = try token([("X-Forwarded-User", "ben")])
    #expect(other != own)
    func status(_ token: String, _ headers: [(String, String)]) throws -> Int {
      try site.answer("POST", "/access", headers, "form-token=\(token)&do=none").status
    }
    #expect(try status(own, ana) == 303)
    #expect(try status(other, ana) == 403)
    #expect(try status(own, []) == 401)
  }

  @Test func `Sessions are listed, and an editor ends those of others`() throws {
    let now = now
    let site = try OpenSite(at: now, signIn: signIn()) { database in
      let store = try TokenStore(path: database)
      _ = try store.add(.read, name: "reader", token: "text-of-reader", now: now)
    }
    let signedIn = try site.answer("POST", "/sign-in", [], "token=text-of-reader")
    let cookie = try #require(signedIn.header("Set-Cookie"))
    let session = [("Cookie", String(cookie.prefix { $0 != ";" }))]
    #expect(try site.answer("GET", "/", session).status == 200)
    #expect(try site.answer("GET", "/access", session).text.contains("Who is signed in"))
    let ana = [("X-Forwarded-User", "ana@example.com")]
    let page = try site.answer("GET", "/access", ana).text
    #expect(page.contains("<bdi>reader</bdi>") && page.contains("value=\"sign-out\""))
    let token = try formToken(page)
    let end = try site.answer("POST", "/access", ana, "form-token=\(token)&do=sign-out&session=1")
    #expect(end.text.contains("Session 1 has ended."))
    #expect(try site.answer("GET", "/", session).status == 303)
    #expect(
      try site.answer("POST", "/access", ana, "form-token=\(token)&do=sign-out&session=1").text
        .contains("had ended before"))
  }
}
