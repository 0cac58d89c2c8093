import Foundation
import Gzip
import JSONText
import TestSupport
import Testing

private let token = "read-0123456789abc"
private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

/// A daemon with a mapping and some signed postbacks, a tenth of which conflict with an earlier copy.
private final class Fixture {
  private let folder: TemporaryFolder
  private let keys: TestKeys
  let daemon: Daemon
  var database: String { folder.file("skan.db") }

  init(postbacks count: Int = 60) throws {
    folder = try TemporaryFolder()
    keys = try TestKeys(in: folder)
    let config = try folder.write(
      #"{"read-tokens":["\#(token)"],"cors-origins":["https://dash.example"]}"#, to: "skan.json")
    daemon = try Daemon(
      folder.file("skan.db"), ["--config", config, "--trust-test-keys", keys.publicFile])
    let samples = root.appending(path: "tools/samples/apple-signed.ndjson").path
    _ = try Subprocess.run("skan", ["ingest", "--database", database, samples])
    try add(count, seed: 7)
    let mapping = root.appending(path: "tools/samples/f2p-mapping.json").path
    _ = try Subprocess.run("skan", ["mapping", "load", "--database", database, mapping])
  }

  func add(_ count: Int, seed: UInt64) throws {
    let client = try daemon.client()
    for body in try keys.postbacks(count, seed: seed) {
      #expect(try client.request("POST", skanPath, headers: [], body: body).status == 200)
    }
  }

  func read(_ address: String, _ headers: [(String, String)] = [], method: String = "GET") throws
    -> HTTPAnswer
  {
    try daemon.client().request(
      method, address, headers: [("Authorization", "Bearer \(token)")] + headers, body: [])
  }

  func printed(_ words: [String]) throws -> String {
    try Subprocess.run("skan", ["report"] + words + ["--database", database]).output
  }

  /// All pages of a report, by the header Link.
  func pages(_ path: String, _ query: String, between: () throws -> Void = {}) throws -> [HTTPAnswer] {
    var answers: [HTTPAnswer] = []
    var next: String? = "?\(query)"
    while let address = next, answers.count < 200 {
      let answer = try read(path + address)
      #expect(answer.status == 200, "\(answer.text)")
      answers.append(answer)
      next = answer.header("link").map { String($0.dropFirst().prefix { $0 != ">" }) }
      if answers.count == 1 { try between() }
    }
    return answers
  }
}

struct `Pages of a long report` {
  @Test(arguments: ["postbacks", "events", "conflicts"], ["ndjson", "csv"])
  func `Pages of a long report are the command's export when put together`(report: String, format: String)
    throws
  {
    let fixture = try Fixture()
    for environment in ["production", "test"] {
      let whole = try fixture.printed([report, "--format", format, "--environment", environment])
      let query = "format=\(format)&environment=\(environment)"
      for limit in [1, 3, 10_000] {
        let pages = try fixture.pages("/v1/reports/\(report)", "\(query)&limit=\(limit)")
        #expect(pages.map(\.text).joined() == whole)
        if limit == 1, whole.split(separator: "\n").count > 3 { #expect(pages.count > 1) }
      }
    }
  }

  @Test func `Pages of a long report neither shift nor repeat rows when rows arrive meanwhile`() throws {
    let fixture = try Fixture(postbacks: 20)
    let before = try fixture.printed(["postbacks", "--format", "ndjson", "--environment", "test"])
    let pages = try fixture.pages("/v1/reports/postbacks", "format=ndjson&environment=test&limit=7") {
      try fixture.add(10, seed: 8)
    }
    let lines = pages.flatMap { $0.text.split(separator: "\n") }
    #expect(lines.prefix(20) == before.split(separator: "\n")[...])
    #expect(lines.count == 30)
    #expect(Set(lines).count == 30)
  }

  @Test func `Pages of a long report name the next one in JSON too, and have the rows of the command`() throws
  {
    let fixture = try Fixture()
    let pages = try fixture.pages("/v1/reports/postbacks", "environment=test&limit=25")
    #expect(pages.count == 3)
    let rows = try pages.flatMap { page -> [String] in
      let object = try #require(try JSONReader.read(page.body).value.object)
      #expect((object["next"] != nil) == (page.header("link") != nil))
      return page.text.split(separator: "\n").filter { $0.hasPrefix("{\"received-at") }.map {
        $0.hasSuffix(",") ? String($0.dropLast()) : String($0)
      }
    }
    let whole = try fixture.printed(["postbacks", "--format", "ndjson", "--environment", "test"])
    #expect(rows == whole.split(separator: "\n").map(String.init))
  }

  @Test func `Pages of a long campaign report keep its order and its total`() throws {
    let fixture = try Fixture()
    for by in ["day,network,campaign", "campaign,version,window"] {
      let words = "environment=test&by=\(by)"
      let whole = try fixture.printed(
        ["campaigns", "--format", "csv", "--environment", "test", "--by", by])
      let pages = try fixture.pages("/v1/reports/campaigns", "\(words)&format=csv&limit=2")
      #expect(pages.count > 2)
      #expect(pages.map(\.text).joined() == whole)
    }
    let strange = try fixture.read("/v1/reports/campaigns?cursor=Y2FtcGFpZ25zIHdoYXQ")
    #expect(strange.status == 400)
    #expect(strange.text.contains("\"member\":\"cursor\""))
  }
}

struct `An answer to a reader` {
  @Test(arguments: ["campaigns", "estimates", "nulls", "crosscheck", "totals", "conflicts"])
  func `An answer to a reader equals what the command prints`(report: String) throws {
    let fixture = try Fixture()
    for format in ["json", "ndjson", "csv"] {
      let answer = try fixture.read("/v1/reports/\(report)?environment=test&format=\(format)")
      let printed = try fixture.printed([report, "--environment", "test", "--format", format])
      #expect(answer.status == 200)
      #expect(answer.text == printed)
    }
  }

  @Test func `An answer to a reader lists what the command lists`() throws {
    let fixture = try Fixture()
    let answer = try fixture.read("/v1/mappings?format=csv")
    #expect(answer.status == 200)
    #expect(answer.text.hasPrefix("app,name,effective-from,effective-to,protocol,currency,file,sha-256"))
  }

  @Test func `An answer to a reader is sent once, and compressed for clients that accept that`() throws {
    let fixture = try Fixture()
    let path = "/v1/reports/postbacks/?environment=test"
    let first = try fixture.read(path)
    let tag = try #require(first.header("etag"))
    #expect(first.header("cache-control") == "no-cache, private")
    #expect(first.header("vary") == "Authorization, Accept, Accept-Encoding, Origin")
    let again = try fixture.read(path, [("If-None-Match", "\"other\", \(tag)")])
    #expect(again.status == 304)
    #expect(again.body.isEmpty)
    #expect(again.header("etag") == tag)
    let packed = try fixture.read(path, [("Accept-Encoding", "gzip")])
    #expect(packed.header("content-encoding") == "gzip")
    #expect(packed.header("etag") != tag)
    #expect(try gunzip(packed.body, limit: 1 << 20) == first.body)
    let head = try fixture.read(path, method: "HEAD")
    #expect(head.body.isEmpty)
    #expect(head.header("content-length") == "\(first.body.count)")
    try fixture.add(1, seed: 9)
    #expect(try fixture.read(path, [("If-None-Match", tag)]).status == 200)
  }

  @Test func `An answer to a reader is allowed for pages of listed origins only`() throws {
    let fixture = try Fixture(postbacks: 1)
    let path = "/v1/reports/campaigns"
    let asking = [("Access-Control-Request-Method", "GET")]
    let client = try fixture.daemon.client()
    func preflight(_ origin: String) throws -> HTTPAnswer {
      try client.request("OPTIONS", path, headers: asking + [("Origin", origin)], body: [])
    }
    let allowed = try preflight("https://dash.example")
    #expect(allowed.status == 204)
    #expect(allowed.header("access-control-allow-origin") == "https://dash.example")
    #expect(allowed.header("access-control-allow-headers")?.contains("Authorization") == true)
    #expect(allowed.header("allow") == "GET, HEAD, OPTIONS")
    #expect(allowed.header("vary") == "Origin")
    let rejected = try preflight("https://evil.example")
    #expect(rejected.status == 204)
    #expect(!rejected.headers.contains { $0.name.hasPrefix("access-control") })
    let listed = [("Origin", "https://dash.example")]
    #expect(try fixture.read(path, listed).header("access-control-allow-origin") == "https://dash.example")
    // A page has to be able to read why it was rejected.
    let bare = try client.request("GET", path, headers: listed, body: [])
    #expect(bare.status == 401)
    #expect(bare.header("access-control-allow-origin") == "https://dash.example")
    let other = try fixture.read(path, [("Origin", "https://evil.example")])
    #expect(other.header("access-control-allow-origin") == nil)
    #expect(other.header("x-content-type-options") == "nosniff")
  }
}

struct `The document of the HTTP interface` {
  @Test(.timeLimit(.minutes(5))) func `The document of the HTTP interface matches what the daemon does`()
    throws
  {
    let program = Subprocess.productsFolder.appending(path: "skan").path
    let result = try Subprocess.run(root.appending(path: "tools/checks/api").path, [program])
    #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
  }
}
