import HTTPServer
import Ledger
import Mappings
import Pages
import PostbackFixtures
import Postbacks
import Routing
import Screens
import Testing
import TestSupport
import Values
@_spi(Unsigned) import Verification

/// All pages of a database, in this process and without a sign-in, unless a proxy or a token makes one.
final class OpenSite {
  /// An install, and how many milliseconds later its first postback arrives.
  struct Install {
    var app: Int64 = 1
    var version = ProtocolVersion.v4_0
    var campaign = "1234"
    var at: Instant
    var delay: Int64 = 0
    var value: ConversionValue = .absent
  }

  private let folder: TemporaryFolder
  /// The path of the database.
  let database: String
  private let pages: PageRoutes
  private let server: Server

  /// Shows the pages at a moment, after `fill` has put rows into the database.
  init(
    at now: Instant, screens: [Screen] = allScreens, keys: Keyring? = nil, signIn: ProxySignIn? = nil,
    asksForTokens: Bool = false,
    _ fill: (String) throws -> Void = { _ in }
  ) throws {
    folder = try TemporaryFolder()
    database = folder.file("skan.db")
    _ = try LedgerWriter(path: database)
    try fill(database)
    var options = PagesOptions(
      LedgerFile.existing(database), access: Access(ledger: LedgerFile.existing(database), clock: { now }),
      keyring: try keys ?? Keyring(), clock: { now })
    options.isOpen = signIn == nil && !asksForTokens
    options.proxySignIn = signIn
    pages = try PageRoutes(screens, options)
    let router = Router(routes: RouteTable(pages.routes), meter: RequestMeter())
    var serving = ServerOptions(address: HostPort(host: "127.0.0.1", port: 0))
    serving.admission = { request in router.admission(of: request) }
    server = try Server(serving) { request, reply in
      router.answer(request, reply)
    }
  }

  deinit {
    pages.close()
    server.stop(withinSeconds: 1)
    pages.join(withinSeconds: 1)
  }

  /// The paths of all routes.
  var paths: [String] { pages.routes.map(\.path) }

  /// Signs in with a token; gives the cookie, and where the browser is sent.
  func signIn(_ token: String) throws -> (cookie: String, next: String) {
    let answer = try answer("POST", "/sign-in", [], "token=\(token)")
    let cookie = try #require(answer.header("Set-Cookie")?.prefix { $0 != ";" })
    return (String(cookie), try #require(answer.header("Location")))
  }

  /// The answer to a request with these headers.
  func answer(
    _ method: String, _ path: String, _ headers: [(String, String)] = [], _ form: String = ""
  ) throws -> HTTPAnswer {
    let site = "127.0.0.1:\(server.address.port)"
    let own =
      method == "POST"
      ? [("Origin", "http://\(site)"), ("Content-Type", "application/x-www-form-urlencoded")] : []
    return try HTTPClient(port: server.address.port, keeping: self).request(
      method, path, headers: [("Host", site)] + own + headers, body: Array(form.utf8))
  }

  /// The page, without what browsers need.
  func page(_ path: String, cookie: String? = nil) throws -> String {
    let answer = try HTTPClient(port: server.address.port, keeping: self).request(
      "GET", path,
      headers: [("Host", "127.0.0.1:\(server.address.port)")] + (cookie.map { [("Cookie", $0)] } ?? []),
      body: [])
    // A page of one thing states where there is no such thing.
    #expect(answer.status < 400 || answer.status == 404, "\(path)")
    return answer.text
  }

  /// What a browser gets without a cookie.
  func answer(_ path: String, _ method: String = "GET") throws -> HTTPAnswer {
    try HTTPClient(port: server.address.port, keeping: self).request(
      method, path, headers: [("Host", "127.0.0.1:\(server.address.port)")], body: [])
  }

  /// Sends a form of a page.
  func post(_ path: String, _ fields: [(String, String)]) throws -> HTTPAnswer {
    let page = try page(path)
    let start = try #require(page.firstRange(of: "name=\"form-token\" value=\""))
    let token = String(page[start.upperBound...].prefix { $0 != "\"" })
    let pairs = ([("form-token", token)] + fields).map { name, value in
      "\(name)=\(value.utf8.map { "%\(hexText([$0]))" }.joined())"
    }
    let place = "127.0.0.1:\(server.address.port)"
    return try HTTPClient(port: server.address.port, keeping: self).request(
      "POST", path,
      headers: [
        ("Host", place), ("Origin", "http://\(place)"), ("Content-Type", "application/x-www-form-urlencoded"),
      ], body: Array(pairs.joined(separator: "&").utf8))
  }

  /// The part of a page with a heading of this id.
  func section(_ id: String, of path: String, cookie: String? = nil) throws -> String {
    let page = try page(path, cookie: cookie)
    let start = try #require(page.firstRange(of: "aria-labelledby=\"h-\(id)\""), "\(path) has no \(id)")
    return String(
      page[start.upperBound...].prefix(
        upTo: page[start.upperBound...].firstRange(of: "</section>")?.lowerBound ?? page.endIndex))
  }

  /// Stores first postbacks in this order.
  static func store(_ installs: [Install], in database: String, environment: Environment = .production) throws
  {
    let receipts = installs.enumerated().map { number, install in
      valid(
        "\(install.app) \(install.at.milliseconds) \(number)", value: install.value,
        at: install.at + install.delay, network: "net.skadnetwork", app: install.app,
        campaign: install.campaign, version: install.version, environment: environment)
    }
    try PostbackFixtures.store(receipts, in: database)
  }

  /// Loads a mapping of an app whose value 1 is worth 1 to 3.
  static func mapping(_ app: Int64, _ currency: String, _ protocolName: String = "skan4") -> StoredMapping? {
    let text = """
      {"name":"m","app":\(app),"currency":"\(currency)","effective-from":"2020-01-01","protocol":"\(protocolName)",
       "fine":[{"value":0,"revenue":{"from":0,"to":1,"representative":0}},{"value":1,"revenue":{"from":1,"to":3}}]}
      """
    guard let mapping = MappingDocument.read(Array(text.utf8)).document?.mapping else { return nil }
    return StoredMapping(
      source: "m\(app)", app: mapping.app, effectiveFrom: mapping.effectiveFrom, digest: "d\(app)",
      loadedAt: mapping.effectiveFrom, document: Array(text.utf8))
  }
}
