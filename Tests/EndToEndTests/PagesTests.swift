import Foundation
import TestSupport
import Testing

/// A daemon with pages, and tokens for them.
private final class Site {
  private let folder: TemporaryFolder
  let daemon: Daemon
  let reader: String
  let editor: String
  var database: String { folder.file("skan.db") }

  init(_ options: [String] = []) throws {
    folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    func token(_ kind: String, _ name: String) throws -> String {
      try Subprocess.run("skan", ["token", "create", "-d", database, kind, name]).output
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }
    reader = try token("--reader", "anna")
    editor = try token("--editor", "ben")
    daemon = try Daemon(database, ["--pages", "127.0.0.1:0"] + options)
  }

  var origin: String { "http://127.0.0.1:\(daemon.pagesPort)" }
  private var host: (String, String) { ("Host", "127.0.0.1:\(daemon.pagesPort)") }

  func get(_ path: String, cookie: String? = nil, _ headers: [(String, String)] = []) throws -> HTTPAnswer {
    try HTTPClient(port: daemon.pagesPort).request(
      "GET", path, headers: [host] + headers + (cookie.map { [("Cookie", $0)] } ?? []), body: [])
  }

  func post(
    _ path: String, _ form: String, cookie: String? = nil, origin: String? = "own",
    _ headers: [(String, String)] = []
  ) throws -> HTTPAnswer {
    let origin = origin == "own" ? self.origin : origin
    return try HTTPClient(port: daemon.pagesPort).request(
      "POST", path,
      headers: [host] + headers + (cookie.map { [("Cookie", $0)] } ?? [])
        + (origin.map { [("Origin", $0)] } ?? [])
        + [("Content-Type", "application/x-www-form-urlencoded")], body: Array(form.utf8))
  }

  /// Signs in and returns the cookie.
  func signIn(_ token: String, cookie: String? = nil) throws -> String {
    let answer = try post("/sign-in", "token=\(token)", cookie: cookie)
    #expect(answer.status == 303)
    let line = try #require(answer.header("set-cookie"))
    return String(line.prefix { $0 != ";" })
  }

  /// What a form of the page has to send along.
  func formToken(_ cookie: String) throws -> String {
    let page = try get("/", cookie: cookie).text
    let field = try #require(page.firstRange(of: #"name="form-token" value=""#))
    return String(page[field.upperBound...].prefix { $0 != "\"" })
  }
}

struct `The pages` {
  @Test func `The pages lead to the sign-in and back, and have their own address`() throws {
    let site = try Site()
    let answer = try site.get("/campaigns?sort=-installs")
    #expect(answer.status == 303)
    #expect(answer.header("location") == "/sign-in?next=%2Fcampaigns%3Fsort%3D-installs")
    #expect(try site.daemon.get("/sign-in").status == 404)
    #expect(try site.get("/v1/reports/campaigns").status == 404)
    let signed = try site.post("/sign-in", "token=\(site.reader)&next=%2Fcampaigns%3Fsort%3D-installs")
    #expect(signed.header("location") == "/campaigns?sort=-installs")
  }

  @Test func `The pages forbid inline script, foreign frames and copies in caches`() throws {
    let site = try Site()
    let cookie = try site.signIn(site.reader)
    for path in ["/", "/campaigns", "/sign-in", "/nowhere"] {
      let answer = try site.get(path, cookie: path == "/sign-in" ? nil : cookie)
      let policy = try #require(answer.header("content-security-policy"))
      #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'"))
      #expect(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"))
      #expect(answer.header("x-frame-options") == "DENY")
      #expect(answer.header("x-content-type-options") == "nosniff")
      #expect(answer.header("cache-control") == "no-store")
      #expect(answer.header("cross-origin-opener-policy") == "same-origin")
      #expect(answer.header("cross-origin-resource-policy") == "same-origin")
      for inline in ["<script>", "style=\"", "onclick", "javascript:"] {
        #expect(!answer.text.contains(inline), "\(path)")
      }
    }
  }

  @Test func `The pages serve assets for ever under a name of their content, packed where it is allowed`()
    throws
  {
    let site = try Site()
    let page = try site.get("/sign-in").text
    let link = try #require(page.firstRange(of: #"href="/assets/style."#))
    let path = String(page[page.index(link.lowerBound, offsetBy: 6)...].prefix { $0 != "\"" })
    let plain = try site.get(path)
    #expect(plain.status == 200)
    #expect(plain.header("content-type") == "text/css; charset=utf-8")
    #expect(plain.header("cache-control") == "public, max-age=31536000, immutable")
    let packed = try site.get(path, [("Accept-Encoding", "gzip, br")])
    #expect(packed.header("content-encoding") == "gzip")
    #expect(packed.body.count * 3 < plain.body.count)
  }

  @Test func `The pages set a cookie that scripts cannot read and other sites cannot send`() throws {
    let site = try Site()
    let line = try #require(try site.post("/sign-in", "token=\(site.reader)").header("set-cookie"))
    #expect(line.hasPrefix("skan-session="))
    #expect(line.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
    #expect(line.count == "skan-session=; Path=/; HttpOnly; SameSite=Strict".count + 64)
  }

  @Test func `The pages take no session that the browser had before, and end it`() throws {
    let site = try Site()
    let planted = "skan-session=" + String(repeating: "a", count: 64)
    let first = try site.signIn(site.reader, cookie: planted)
    #expect(first != planted)
    #expect(try site.get("/", cookie: planted).status == 303)
    let second = try site.signIn(site.editor, cookie: first)
    #expect(second != first)
    #expect(try site.get("/", cookie: first).status == 303)
    #expect(try site.get("/", cookie: second).text.contains("<bdi>ben</bdi>"))
  }

  @Test func `The pages limit how often a token can be guessed, and reveal nothing about tokens`() throws {
    let site = try Site()
    _ = try Subprocess.run("skan", ["token", "revoke", "-d", site.database, "1"])
    Thread.sleep(forTimeInterval: 1.2)
    let revoked = try site.post("/sign-in", "token=\(site.reader)")
    let unknown = try site.post("/sign-in", "token=\(String(repeating: "0", count: 64))")
    #expect(revoked.status == 403 && unknown.status == 403)
    #expect(revoked.text == unknown.text)
    var statuses: [Int] = []
    for number in 0..<12 { statuses.append(try site.post("/sign-in", "token=\(number)").status) }
    #expect(statuses.prefix(8).allSatisfy { $0 == 403 })
    #expect(statuses.last == 429)
    // Even the right token has to wait, or the answer would show which guess was right.
    #expect(try site.post("/sign-in", "token=\(site.editor)").status == 429)
  }

  @Test func `The pages end a session with its token, within two seconds`() throws {
    let site = try Site()
    let cookie = try site.signIn(site.reader)
    #expect(try site.get("/", cookie: cookie).status == 200)
    _ = try Subprocess.run("skan", ["token", "revoke", "-d", site.database, "1"])
    Thread.sleep(forTimeInterval: 1.2)
    #expect(try site.get("/", cookie: cookie).status == 303)
  }

  @Test func `The pages end a session at the sign-out, which needs the form's token`() throws {
    let site = try Site()
    let cookie = try site.signIn(site.reader)
    #expect(try site.get("/sign-out", cookie: cookie).status == 405)
    #expect(try site.post("/sign-out", "", cookie: cookie).status == 403)
    #expect(try site.post("/sign-out", "form-token=0000", cookie: cookie).status == 403)
    #expect(try site.get("/", cookie: cookie).status == 200)
    let answer = try site.post("/sign-out", "form-token=\(site.formToken(cookie))", cookie: cookie)
    #expect(answer.status == 303)
    #expect(answer.header("set-cookie")?.contains("Max-Age=0") == true)
    #expect(try site.get("/", cookie: cookie).status == 303)
  }

  @Test func `The pages reject forms of other sites, even with the form's token`() throws {
    let site = try Site()
    let cookie = try site.signIn(site.reader)
    let form = "form-token=\(try site.formToken(cookie))&theme=dark"
    for origin in ["https://evil.example", "null", "http://127.0.0.1:1", "http://127.0.0.1"] {
      #expect(try site.post("/preferences", form, cookie: cookie, origin: origin).status == 403, "\(origin)")
      #expect(try site.post("/sign-in", "token=\(site.reader)", origin: origin).status == 403, "\(origin)")
    }
    #expect(try site.post("/preferences", form, cookie: cookie, origin: nil).status == 403)
    let crossSite = [("Sec-Fetch-Site", "cross-site")]
    #expect(try site.post("/preferences", form, cookie: cookie, crossSite).status == 403)
    let own = try site.post("/preferences", form, cookie: cookie, [("Sec-Fetch-Site", "same-origin")])
    #expect(own.status == 303)
    #expect(own.header("set-cookie")?.hasPrefix("skan-theme=dark;") == true)
    // The token of one session is none for another.
    let other = try site.signIn(site.editor)
    let answer = try site.post("/preferences", form, cookie: other)
    #expect(answer.status == 403, "\(answer.status) \(answer.text)")
  }

  @Test func `The pages never lead to another site after a form`() throws {
    let site = try Site()
    for next in [
      "https://evil.example/", "//evil.example/", "/%5Cevil.example", "%2F%2Fevil.example",
      "/a%0D%0ASet-Cookie:x=1", "",
      "javascript:alert(1)",
    ] {
      let answer = try site.post("/sign-in", "token=\(site.editor)&next=\(next)")
      #expect(answer.status == 303 && answer.header("location") == "/", "\(next)")
      #expect(answer.headers.filter { $0.name == "set-cookie" }.count == 1)
    }
  }

  @Test func `The pages show script from an address as text`() throws {
    let site = try Site()
    let cookie = try site.signIn(site.reader)
    let script = "%3Cscript%3Ealert(1)%3C%2Fscript%3E%22%27"
    for path in [
      "/campaigns?find=\(script)", "/campaigns?sort=\(script)", "/campaigns?\(script)=1", "/?from=\(script)",
      "/campaigns?network=\(script)", "/\(script)", "/sign-in?next=/\(script)",
      "/campaigns?campaign=\(script)",
      "/?environment=\(script)", "/?lang=\(script)",
    ] {
      let answer = try site.get(path, cookie: path.hasPrefix("/sign-in") ? nil : cookie)
      #expect([200, 400, 404].contains(answer.status), "\(path) \(answer.status)")
      #expect(!answer.text.contains("<script>alert"), "\(path)")
      #expect(!answer.text.contains("\"'"), "\(path)")
    }
  }

  @Test func `The pages show script from imported names as text`() throws {
    let site = try Site()
    let folder = try TemporaryFolder()
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let samples = root.appending(path: "tools/samples/apple-signed.ndjson").path
    _ = try Subprocess.run("skan", ["ingest", "-d", site.database, samples])
    let table = try Subprocess.run(
      "skan",
      ["report", "campaigns", "-d", site.database, "--format", "csv", "--columns", "network,campaign"]
    ).output
    let names = table.split(whereSeparator: \.isNewline).dropFirst().filter {
      !$0.hasPrefix(",") && $0.contains(",")
    }
    .map { "\($0),2015-01-01,\"<script>alert(1)</script><img src=x onerror=alert(1)>\"" }
    let file = try folder.write(
      "network,campaign,from,name\n" + names.joined(separator: "\n") + "\n", to: "names.csv")
    let imported = try Subprocess.run("skan", ["names", "import", "-d", site.database, file])
    #expect(imported.exitCode == 0, "\(imported.errors)")
    let cookie = try site.signIn(site.reader)
    // Pages show complete days unless others are asked for, and these postbacks came today.
    let tomorrow = Date(timeIntervalSinceNow: 86_400).ISO8601Format().prefix(10)
    // Without a mapping they are on the page of what arrived.
    let page = try site.get("/arrived?through=\(tomorrow)", cookie: cookie).text
    #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    #expect(!page.contains("<script>alert") && !page.contains("<img"))
    // A page stays small whatever is asked for.
    #expect(try site.get("/?from=0001-01-01&through=\(tomorrow)", cookie: cookie).status == 400)
    #expect(try site.get("/?from=2026-01-01", cookie: cookie).status == 200)
  }

  @Test func `The pages do not leave their paths`() throws {
    let site = try Site()
    let cookie = try site.signIn(site.reader)
    for path in [
      "/assets/../../etc/passwd", "/assets/%2e%2e/%2e%2e/etc/passwd", "/assets/", "//evil.example/",
      "/assets/app.js",
      "/campaigns/..", "/%00",
    ] {
      let answer = try site.get(path, cookie: cookie)
      #expect([400, 404].contains(answer.status), "\(path) \(answer.status)")
      #expect(answer.header("location") == nil)
    }
  }

  @Test func `The pages need no sign-in where they are open, but only under a name of this machine`() throws {
    let site = try Site(["--pages-open"])
    #expect(try site.get("/").status == 200)
    let host = "skan.evil.example:\(site.daemon.pagesPort)"
    // A page of another site whose name leads to this machine asks with that name.
    let answer = try HTTPClient(port: site.daemon.pagesPort).request(
      "GET", "/", headers: [("Host", host)], body: [])
    #expect(answer.status == 421)
    #expect(!answer.text.contains("<nav"))
  }

  @Test func `The pages are not served in plain HTTP to other machines unless that is asked for`() throws {
    let folder = try TemporaryFolder()
    func start(_ options: [String]) throws -> ProgramResult {
      try Subprocess.run("skan", ["serve", "-d", folder.file("a.db"), "--listen", "127.0.0.1:0"] + options)
    }
    let plain = try start(["--pages", "0.0.0.0:0"])
    #expect(plain.exitCode == 64 && plain.errors.contains("--pages-plain-http"))
    let open = try start(["--pages", "0.0.0.0:0", "--pages-open", "--pages-plain-http"])
    #expect(
      open.exitCode == 64 && open.errors.contains("--pages-open is only for an address of this machine"))
    #expect(try start(["--pages-open"]).exitCode == 64)
  }

  @Test func `The pages ask a browser once more where another site's link kept the cookie back`() throws {
    let site = try Site()
    let answer = try site.get("/campaigns?last=7d", [("Sec-Fetch-Site", "cross-site")])
    #expect(answer.status == 200)
    #expect(answer.text.contains(#"content="0;url=/campaigns?last=7d""#))
  }
}
