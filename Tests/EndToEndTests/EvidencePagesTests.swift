import Foundation
import JSONText
import Signing
import TestSupport
import Testing

/// A pages whose daemon trusts test keys, with postbacks that came from strangers.
private final class Evidence {
  private let folder: TemporaryFolder
  let keys: TestKeys
  let pages: PagesFixture

  init() throws {
    let folder = try TemporaryFolder()
    keys = try TestKeys(in: folder)
    self.folder = folder
    pages = try PagesFixture(["--trust-test-keys", keys.publicFile])
  }

  /// The text of a postback, unsigned.
  func raw(_ id: String, network: String = "one.skadnetwork", more: [JSONOutput.Member] = []) -> JSONOutput {
    .object(
      [
        .init("version", "4.0"), .init("ad-network-id", .string(network)),
        .init("source-identifier", "5239"),
        .init("app-id", 525_463_029), .init("transaction-id", .string(id)), .init("redownload", false),
        .init("source-app-id", 1_234_567_891), .init("fidelity-type", 1), .init("did-win", true),
        .init("postback-sequence-index", 0), .init("conversion-value", 5),
      ] + more)
  }

  /// Signs it and sends it as a device does.
  func arrive(_ json: JSONOutput, changing old: String = "", to new: String = "") throws -> HTTPAnswer {
    let body = String(decoding: try keys.keys.sign(json), as: UTF8.self)
    return try pages.daemon.post(Array((old.isEmpty ? body : body.replacing(old, with: new)).utf8))
  }

  func escaped(_ text: String) throws -> String {
    try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
  }
}

struct `The pages of postbacks` {
  @Test func `Script in every field of genuine and forged postbacks is shown as text on every screen`() throws
  {
    let evidence = try Evidence()
    let pages = evidence.pages
    let own = [JSONOutput.Member(script, .string(script))]
    let hostile = evidence.raw(script, network: script, more: own)
    #expect(try evidence.arrive(hostile).status == 200)
    // A copy that disagrees, two forgeries, and bodies that are no postback at all.
    #expect(
      try evidence.arrive(hostile, changing: "\"conversion-value\":5", to: "\"conversion-value\":9").status
        == 200)
    _ = try evidence.arrive(hostile, changing: "\"5239\"", to: "\"5240\"")
    _ = try evidence.arrive(hostile, changing: "\"4.0\"", to: "\"<script>alert(1)</script>\"")
    _ = try pages.daemon.post(Array(#"{"<script>alert(1)</script>":"<img src=x onerror=alert(1)>"}"#.utf8))
    _ = try pages.daemon.post(Array("<script>alert(1)</script>".utf8))
    let today = Date().ISO8601Format().prefix(10)
    let days = "from=\(today)&through=\(today)"
    let name = try evidence.escaped(script)
    var addresses = try pages.screens(pages.editor).flatMap { path in
      [path, "\(path)?environment=test&\(days)", "\(path)?environment=test", "\(path)?\(days)"]
    }
    addresses += ["", "&network=\(name)", "&campaign=5239"].map { "/postbacks?environment=test\($0)" }
    addresses += [
      "/postbacks/one?environment=test&id=\(name)", "/postbacks/one?id=\(name)",
      "/postbacks?environment=test&part=live", "/arrived?environment=test&\(days)&digits=tree",
      "/arrived?environment=test&\(days)&network=\(name)",
      "/arrived?environment=test&\(days)&find=script",
      "/campaigns?environment=test&\(days)&find=script",
      "/campaign?environment=test&\(days)&network=\(name)&campaign=39",
      "/values?environment=test&\(days)&value=5",
    ]
    var shown = 0
    for address in addresses {
      let page = try pages.get(address, pages.editor)
      // Not every screen has all of these parameters; then the page states it.
      #expect([200, 303, 400, 404].contains(page.status), "\(address): \(page.status)")
      #expect(!page.hasForeignScript, "\(address)")
      if page.showsForeignScript { shown += 1 }
    }
    #expect(shown >= 6, "the script was not on the pages at all")
  }

  @Test func `Script in a pasted body and in addresses is shown as text, and nothing of it is stored`() throws
  {
    let evidence = try Evidence()
    let pages = evidence.pages
    let signed = try evidence.keys.keys.sign(
      evidence.raw(script, network: script, more: [.init(script, .string(script))]))
    let bodies = [
      String(decoding: signed, as: UTF8.self), script, "[\(script)]", "{\"\(script)\":1}",
      "</textarea><script>alert(1)</script>", "[[[\"<script>alert(1)</script>\"]]]",
    ]
    for body in bodies {
      let page = try pages.send("/postbacks/check", [("body", body)], cookie: pages.reader)
      #expect(page.status == 200, "\(body)")
      #expect(!page.hasForeignScript, "\(body)")
      #expect(page.showsForeignScript, "\(body)")
    }
    #expect(
      try pages.send("/postbacks/check", [("body", bodies[0])], cookie: pages.reader).text
        .contains("1 of 1 shown are valid"))
    #expect(try number(pages.database, "SELECT count(*) FROM postback") == 0)
    let name = try evidence.escaped(script)
    for address in [
      "/postbacks?network=\(name)", "/postbacks?campaign=\(name)", "/postbacks?value=\(name)",
      "/postbacks?outcome=\(name)", "/postbacks?before=\(name)", "/postbacks?part=\(name)",
      "/postbacks/one?id=\(name)", "/postbacks/one?format=\(name)", "/postbacks/check?\(name)=1",
      "/trust?network=\(name)", "/trust?view=\(name)",
    ] {
      let page = try pages.get(address, pages.reader)
      #expect([200, 400, 404].contains(page.status), "\(address): \(page.status)")
      #expect(!page.hasForeignScript, "\(address)")
    }
  }

  @Test func `A paste that is huge, deep or not text is answered with a page`() throws {
    let pages = try PagesFixture()
    let deep = String(repeating: "[", count: 50_000)
    let many = String(repeating: "{}\n", count: 20_000)
    for body in [deep, deep + String(repeating: "]", count: 50_000), many, "\u{0}\u{1B}[2J", ""] {
      let page = try pages.send("/postbacks/check", [("body", body)], cookie: pages.reader)
      #expect(page.status == 200, "\(body.prefix(4))")
      #expect(page.body.count < 100_000, "\(body.prefix(4)): \(page.body.count)")
    }
    let token = try pages.formToken(pages.reader)
    let noText = Array("form-token=\(token)&body=%FF%FE".utf8)
    let type = "application/x-www-form-urlencoded"
    #expect(try pages.post("/postbacks/check", noText, type: type, cookie: pages.reader).status == 400)
    let huge = Array("form-token=\(token)&body=".utf8) + Array(repeating: UInt8(ascii: "a"), count: 5 << 20)
    #expect(try pages.post("/postbacks/check", huge, type: type, cookie: pages.reader).status == 413)
    #expect(try pages.get("/postbacks", pages.reader).status == 200)
  }

  @Test func `A search for a path, or for anything that is no identifier, finds nothing`() throws {
    let evidence = try Evidence()
    #expect(try evidence.arrive(evidence.raw("present")).status == 200)
    for id in [
      "../../etc/passwd", "/etc/passwd", "present%00", "%25present", "PRESENT", "present'--", "pres%",
    ] {
      let page = try evidence.pages.get("/postbacks/one?id=\(evidence.escaped(id))", evidence.pages.reader)
      #expect(page.status == 404, "\(id)")
      #expect(!page.text.contains("root:"), "\(id)")
    }
    #expect(
      try evidence.pages.get("/postbacks/one?environment=test&id=present", evidence.pages.reader).status
        == 200)
    for path in ["/postbacks/one/../../etc/passwd", "/postbacks/%2e%2e/one", "/postbacks/one%00"] {
      #expect([400, 404].contains(try evidence.pages.get(path, evidence.pages.reader).status), "\(path)")
    }
  }

  @Test func `A file of postbacks is saved and not shown, so that no browser takes it for a page`() throws {
    let evidence = try Evidence()
    #expect(try evidence.arrive(evidence.raw(script, network: script)).status == 200)
    let today = Date().ISO8601Format().prefix(10)
    for address in [
      "/postbacks?environment=test&from=\(today)&through=\(today)&format=csv",
      "/postbacks?environment=test&from=\(today)&through=\(today)&format=ndjson",
      "/postbacks/one?environment=test&format=json&id=\(try evidence.escaped(script))",
    ] {
      let file = try evidence.pages.get(address, evidence.pages.reader)
      #expect(file.status == 200, "\(address)")
      #expect(file.text.contains("alert(1)"), "\(address)")
      #expect(file.header("content-disposition")?.hasPrefix("attachment; filename=\"postback") == true)
      #expect(file.header("content-type")?.hasPrefix("text/html") == false)
      #expect(file.header("x-content-type-options") == "nosniff", "\(address)")
      #expect(file.header("content-security-policy") == "sandbox; default-src 'none'")
    }
  }

  @Test func `The live part of the list needs a session, and is sent again only when something is new`()
    throws
  {
    let evidence = try Evidence()
    let pages = evidence.pages
    let address = "/postbacks?environment=test&part=live"
    #expect(try pages.get(address, "skan-session=\(String(repeating: "0", count: 64))").status == 303)
    let empty = try pages.get(address, pages.reader)
    #expect(empty.status == 200 && !empty.text.contains("<html"))
    let tag = try #require(empty.header("etag"))
    #expect(try pages.get(address, pages.reader, [("If-None-Match", tag)]).status == 304)
    #expect(try evidence.arrive(evidence.raw("first")).status == 200)
    let next = try pages.get(address, pages.reader, [("If-None-Match", tag)])
    #expect(next.status == 200 && next.text.contains("first"))
    #expect(next.header("cache-control") == "no-store")
  }
}
