import Foundation
import JSONText
import TestSupport
import Testing

private let largest = 8 << 20

@Suite struct `A stranger at the daemon` {
  @Test(arguments: [
    ("/v1/networks/acme/postbacks", 401), ("/v1/networks/nobody/postbacks", 401), ("/nothing", 404),
    ("/t/no-such-inbox", 404), ("/v1/reports/campaigns", 405),
  ])
  func `A stranger at the daemon gets the answer to a large body before it is sent`(path: String, status: Int)
    throws
  {
    let folder = try TemporaryFolder()
    let config = try folder.write(
      #"{"networks":[{"name":"acme","token":"forward-0123456789"}]}"#, to: "skan.json")
    let daemon = try Daemon(folder.file("skan.db"), ["--config", config])
    let client = try HTTPClient(port: daemon.port, seconds: 10)
    try client.send("POST \(path) HTTP/1.1\r\nHost: t\r\nContent-Length: \(largest)\r\n\r\n")
    #expect(try client.answer().status == status)
    #expect(daemon.end(SIGTERM).exitCode == 0)
  }

  @Test func `A stranger at the pages sends no more than a sign-in needs`() throws {
    let pages = try PagesFixture()
    func status(_ path: String, _ length: Int, _ more: String = "") throws -> Int {
      let client = try HTTPClient(port: pages.daemon.pagesPort, seconds: 10)
      let host = "127.0.0.1:\(pages.daemon.pagesPort)"
      try client.send(
        "POST \(path) HTTP/1.1\r\nHost: \(host)\r\nOrigin: http://\(host)\r\n\(more)"
          + "Content-Length: \(length)\r\n\r\n")
      return try client.answer().status
    }
    #expect(try status("/mappings/editor?draft=1", 4 << 20) == 401)
    #expect(try status("/data/spend", 4 << 20, "Cookie: skan-session=none\r\n") == 401)
    #expect(try status("/data/spend", 4 << 20, "Cookie: \(pages.reader)\r\n") == 403)
    #expect(try status("/sign-in", 20_000) == 413)
    #expect(try status("/preferences", 20_000) == 413)
  }

  @Test func `A stranger at the pages gets a problem for an address with too many parameters`() throws {
    let pages = try PagesFixture()
    let query = Array(repeating: "a=1", count: 500).joined(separator: "&")
    let page = try pages.get("/?\(query)", pages.reader)
    #expect(page.status == 414)
    #expect(page.text.contains("<h1>"))
    let answer = try pages.daemon.get("/healthz?\(query)")
    #expect(answer.status == 414)
    #expect(try JSONReader.read(answer.body).value.object?["code"]?.value.string == "target-too-long")
  }

  @Test func `A stranger at the pages gets a problem for an address of more than 8 KiB, and only there`()
    throws
  {
    let pages = try PagesFixture()
    let query = "lang=de&x=" + String(repeating: "a", count: 8300)
    let page = try pages.get("/sign-in?\(query)", "none=1")
    #expect(page.status == 414)
    #expect(page.text.contains("An address may have at most 256 parameters and 8 KiB."))
    #expect(try pages.daemon.get("/healthz?\(query)").status == 200)
  }

  @Test func `A stranger who guesses form tokens is rejected, whichever letters differ`() throws {
    let pages = try PagesFixture()
    let token = Array(try pages.formToken(pages.reader).utf8)
    for place in token.indices {
      for bit in 0..<6 {
        var wrong = token
        wrong[place] ^= UInt8(1 << bit)
        let fields = [("form-token", String(decoding: wrong, as: UTF8.self)), ("theme", "dark")]
        #expect(try pages.post("/preferences", fields, cookie: pages.reader).status == 403, "\(place) \(bit)")
      }
    }
  }

  @Test func `A stranger who guesses tokens leaves a line in the log and a figure`() throws {
    let pages = try PagesFixture()
    for _ in 0..<3 {
      #expect(try pages.post("/sign-in", [("token", "guess")], cookie: "none=1").status == 403)
    }
    let line = try #require(pages.daemon.waitForLog("sign-ins-failed"))
    #expect(line.contains("warning"))
    #expect(!line.contains("guess"))
    let metrics = try pages.daemon.get("/metrics").text
    #expect(metrics.contains(#"skan_sign_ins_total{result="rejected"} 3"#))
    #expect(metrics.contains(#"skan_sign_ins_total{result="accepted"} 2"#))
  }

  @Test func `A stranger's draft with thousands of grids does not hold up the pages`() throws {
    let grid = #"{"first-value":1,"active-hours":[0,24],"revenue":[1,5]}"#
    let grids = Array(repeating: grid, count: 3000).joined(separator: ",")
    func mapping(_ more: String) -> String {
      #"{"name":"many","app":525463029,"currency":"USD","effective-from":"2026-01-01","protocol":"skan4",\#(more)}"#
    }
    let folder = try TemporaryFolder()
    let file = try folder.write(mapping(#""fine":[{"value":0,"label":"a"}]"#), to: "first.json")
    let pages = try PagesFixture { database in
      let loaded = try Subprocess.run("skan", ["mapping", "load", "-d", database, file])
      #expect(loaded.exitCode == 0, "\(loaded.errors)")
    }
    let begun = try pages.send("/mappings", [("do", "begin"), ("version", "1")])
    let address = try #require(begun.header("location"))
    let etag = try pages.value("etag", in: pages.get(address, pages.editor).text)
    let document = mapping(#""grids":[\#(grids)]"#)
    #expect(
      try pages.send(address, [("do", "save"), ("etag", etag), ("document", document)]).status == 303)
    let page = try pages.get(address, pages.editor)
    #expect(page.status == 200)
    // Grids that no correct mapping has are in the text alone.
    #expect(page.text.contains("$.grids[63].revenue[0]\" value"))
    #expect(!page.text.contains("name=\"$.grids[64]"))
  }
}
