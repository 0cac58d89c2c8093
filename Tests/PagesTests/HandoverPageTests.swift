import Ledger
import MappingLibrary
import Postbacks
import Routing
import System
import Testing
import TestSupport
import Values

struct `The page for developers` {
  private static let now = Instant("2026-11-24T10:00:00Z") ?? Instant(seconds: 0)
  private static let secret = String(repeating: "5", count: 64)

  private static func document(app: Int, from date: String = "2026-11-01", edges: String) -> [UInt8] {
    Array(
      """
      {"name": "Shop <b>", "app": \(app), "currency": "USD", "effective-from": "\(date)", "protocol": "skan4",
       "fine": [{"value": 0, "label": "only installed"}],
       "grids": [{"first-value": 1, "events": ["purchase"], "revenue": [\(edges)], "worth": [333.5, 777]}]}
      """.utf8)
  }

  /// Two apps with mappings, and a link of the first one.
  @Test func `Sample data have no link, because it would open nothing`() throws {
    let user = [("X-Forwarded-User", "ana"), ("Cookie", "skan-sample=1")]
    let proxy = ProxySignIn(
      header: "X-Forwarded-User", groupsHeader: nil,
      proxies: [AddressRange("127.0.0.1/32")].compactMap(\.self), editors: [.everyone], readers: [])
    let site = try OpenSite(at: Self.now, signIn: proxy) { database in
      for path in [database, "\(database)-sample/skan.db"] {
        if path != database { _ = try Folder(making: "\(database)-sample") }
        _ = try MappingLoad.load(
          [.init(source: "a.json", contents: .success(Self.document(app: 7, edges: "0.99, 600, null")))],
          into: MappingStore(path: path), isWhole: false, now: Self.now)
      }
    }
    let page = try site.answer("GET", "/mappings/handover?app=7", user).text
    #expect(page.contains("600") && !page.contains("value=\"link\""))
    #expect(try site.answer("GET", "/mappings/handover?app=7", [user[0]]).text.contains("value=\"link\""))
  }

  private func site(endingIn days: Int64 = 30) throws -> OpenSite {
    try OpenSite(at: Self.now) { database in
      _ = try MappingLoad.load(
        [
          .init(source: "a.json", contents: .success(Self.document(app: 7, edges: "0.99, 600, null"))),
          .init(
            source: "a2.json",
            contents: .success(Self.document(app: 7, from: "2026-12-01", edges: "1.23, 600, null"))),
          .init(source: "b.json", contents: .success(Self.document(app: 8, edges: "4.44, 600, null"))),
        ], into: MappingStore(path: database), isWhole: false, now: Self.now)
      _ = try TokenStore(path: database).add(
        .handover, name: "app-7", token: Self.secret, expiresAt: Self.now + days * Day.milliseconds,
        limit: ReadLimit(apps: [#require(AppID(7))]), now: Self.now)
    }
  }

  @Test func `A link opens the newest version of its app without an account, and nothing more`() throws {
    let site = try site()
    let page = try site.answer("/m/\(Self.secret)")
    #expect(page.status == 200)
    #expect(page.text.contains("1.23") && !page.text.contains("0.99") && !page.text.contains("4.44"))
    #expect(page.text.contains("Shop &lt;b&gt;"))
    for word in ["777", "333.5", "only installed", "<nav", "/campaigns", "form-token"] {
      #expect(!page.text.contains(word), "\(word)")
    }
    let tests = try site.answer("/m/\(Self.secret)?save=tests")
    #expect(tests.status == 200 && tests.text.contains("\"updates\"") && tests.text.contains("1.23"))
    #expect(try site.answer("/m/\(Self.secret)?app=8").status == 400)
  }

  @Test func `No other site, no search engine and no cache gets the address of a link`() throws {
    let site = try site()
    for path in ["/m/\(Self.secret)", "/m/\(Self.secret)?save=json", "/m/unknown"] {
      let page = try site.answer(path)
      let policies = page.headers.filter { $0.name == "referrer-policy" }.map(\.value)
      #expect(policies == ["no-referrer"], "\(path)")
      #expect(page.header("x-robots-tag")?.contains("noindex") == true, "\(path)")
      #expect(page.header("cache-control") == "no-store", "\(path)")
    }
  }

  @Test func `A link that is unknown, has ended or was revoked opens nothing`() throws {
    let ended = try site(endingIn: -1)
    #expect(try ended.answer("/m/\(Self.secret)").status == 404)
    let site = try site()
    #expect(try site.answer("/m/\(String(repeating: "6", count: 64))").status == 404)
    let revoked = try self.site()
    let id = try #require(LedgerReader(path: revoked.database).tokens().first?.id)
    #expect(try TokenStore(path: revoked.database).revoke(id, now: Self.now))
    #expect(try revoked.answer("/m/\(Self.secret)").status == 404)
  }

  @Test func `Who tries secrets has to wait after ten of them`() throws {
    let site = try site()
    let statuses = try (0..<11).map { try site.answer("/m/guess\($0)").status }
    #expect(statuses == Array(repeating: 404, count: 10) + [429])
    #expect(try site.answer("/m/\(Self.secret)").status == 200)
  }

  @Test func `The database has the digest of a link and no secret, and the list of tokens has the link`()
    throws
  {
    let site = try site()
    let token = try #require(LedgerReader(path: site.database).tokens().first)
    #expect(token.secret == nil && token.use == .handover)
    #expect(try site.page("/access").contains("Link for developers"))
    #expect(try site.page("/mappings/handover?app=7").contains("ends on"))
  }

  @Test func `A link opens its page at once after it is made`() throws {
    let user = [("X-Forwarded-User", "ana")]
    let proxy = ProxySignIn(
      header: "X-Forwarded-User", groupsHeader: nil,
      proxies: [AddressRange("127.0.0.1/32")].compactMap(\.self),
      editors: [.everyone], readers: [])
    let site = try OpenSite(at: Self.now, signIn: proxy) { database in
      _ = try MappingLoad.load(
        [.init(source: "a.json", contents: .success(Self.document(app: 7, edges: "0.99, 600, null")))],
        into: MappingStore(path: database), isWhole: false, now: Self.now)
    }
    // The tokens have just been read.
    #expect(try site.answer("/m/unknown").status == 404)
    let page = try site.answer("GET", "/mappings/handover?app=7", user).text
    let form = try #require(page.firstRange(of: "name=\"form-token\" value=\""))
    let token = page[form.upperBound...].prefix(64)
    let made = try site.answer(
      "POST", "/mappings/handover?app=7", user, "form-token=\(token)&do=link&days=30"
    ).text
    let link = try #require(made.firstRange(of: "/m/"))
    let path = made[link.lowerBound...].prefix { $0 != "\"" && $0 != "<" }
    #expect(try site.answer(String(path)).status == 200)
  }

  @Test func `Without a sign-in no link is made`() throws {
    let site = try site()
    let answer = try site.post("/mappings/handover?app=7", [("do", "link"), ("days", "30")])
    #expect(answer.status == 200 && !answer.text.contains("id=\"new-link\""))
    #expect(try LedgerReader(path: site.database).tokens().count == 1)
  }
}
