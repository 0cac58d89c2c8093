import Foundation
import Gzip
import JSONText
import TestSupport
import Testing

private let forwardToken = "forward-0123456789"
private let readToken = "read-0123456789abc"
private let forwardPath = "/v1/networks/acme/postbacks"

/// A daemon with a network and a read token, and the folder it lives in.
private final class Fixture {
  private let folder: TemporaryFolder
  let daemon: Daemon
  var database: String { folder.file("skan.db") }

  init() throws {
    let folder = try TemporaryFolder()
    let config = try folder.write(
      """
      {"networks":[{"name":"acme","token":"\(forwardToken)"},{"name":"other","token":"other-0123456789"}],
       "read-tokens":["\(readToken)"]}
      """, to: "skan.json")
    daemon = try Daemon(folder.file("skan.db"), ["--config", config])
    self.folder = folder
  }

  func forward(_ body: [UInt8], token: String? = forwardToken, type: String? = nil) throws -> HTTPAnswer {
    var headers: [(String, String)] = []
    if let token { headers.append(("Authorization", "Bearer \(token)")) }
    if let type { headers.append(("Content-Type", type)) }
    return try daemon.post(body, forwardPath, headers: headers)
  }
}

/// Reads the members of a problem document and checks its shape.
private func problem(_ answer: HTTPAnswer, _ status: Int) throws -> JSONObject {
  #expect(answer.status == status)
  #expect(answer.header("content-type") == "application/problem+json")
  let object = try #require(try JSONReader.read(answer.body).value.object)
  #expect(object["status"]?.value.number?.integer == Int64(status))
  return object
}

struct `The daemon's rejections` {
  @Test(arguments: [
    ("not json", "broken-json", nil as String?), ("[1]", "not-an-object", nil),
    (#"{"version":"4.0","ad-network-id":7}"#, "wrong-type", nil),
  ])
  func `The daemon answers 400 with a code to a body that is no postback`(
    body: String, code: String, member: String?
  ) throws {
    let fixture = try Fixture()
    let object = try problem(try fixture.daemon.post(Array(body.utf8)), 400)
    #expect(object["code"]?.value.string == code)
    #expect(object["type"]?.value.string == "urn:skan:problem:\(code)")
  }

  @Test(arguments: [
    "Content-Length: 2\r\nContent-Length: 999\r\n", "Content-Length : 2\r\nContent-Length: 2\r\n",
    "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n",
  ])
  func `The daemon rejects requests whose body a proxy could delimit in another way`(framing: String) throws {
    let fixture = try Fixture()
    let client = try fixture.daemon.client()
    let smuggled = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    try client.send("POST \(skanPath) HTTP/1.1\r\nHost: x\r\n\(framing)\r\n{}\(smuggled)")
    let answers = String(decoding: try client.rest(), as: UTF8.self)
    #expect(answers.hasPrefix("HTTP/1.1 400 "))
    #expect(answers.components(separatedBy: "HTTP/1.1 ").count == 2, "\(answers)")
  }

  @Test func `The daemon distinguishes a batch that is too large in bytes or items from a broken one`() throws
  {
    let fixture = try Fixture()
    let many = [UInt8](String(repeating: "{}\n", count: 10_001).utf8)
    #expect(try problem(try fixture.forward(many), 413)["code"]?.value.string == "too-many-items")
    let bomb = gzip([UInt8](repeating: UInt8(ascii: "a"), count: 9 << 20))
    #expect(try problem(try fixture.forward(bomb), 413)["code"]?.value.string == "body-too-large")
    let coded = try fixture.daemon.post(
      [0], forwardPath, headers: [("Authorization", "Bearer \(forwardToken)"), ("Content-Encoding", "br")])
    _ = try problem(coded, 415)
  }

  @Test func `The daemon accepts a target in absolute form, and names a duplicate parameter`() throws {
    let fixture = try Fixture()
    #expect(try fixture.daemon.get("http://skan.example/healthz").status == 200)
    let twice = try fixture.daemon.get("/v1/reports/campaigns?by=day&by=app", token: readToken)
    #expect(try problem(twice, 400)["member"]?.value.string == "by")
  }

  @Test func `The daemon's rejections name a duplicate member`() throws {
    let fixture = try Fixture()
    let object = try problem(try fixture.daemon.post(try SharedVectors.body("d-raw-dup-cv")), 400)
    #expect(object["member"]?.value.string == "conversion-value")
  }

  @Test func `The daemon's rejections name the wrong member`() throws {
    let fixture = try Fixture()
    let object = try problem(
      try fixture.daemon.post(try SharedVectors.body("d-4.0-app-id-string")), 400)
    #expect(object["code"]?.value.string == "wrong-type")
    #expect(object["member"]?.value.string?.contains("app-id") == true)
  }

  @Test func `The daemon's rejections have the documented status and headers`() throws {
    let fixture = try Fixture()
    #expect(try problem(fixture.daemon.post([], "/nowhere"), 404)["code"]?.value.string == "not-found")
    let method = try fixture.daemon.get(skanPath)
    #expect(try problem(method, 405)["code"]?.value.string == "method-not-allowed")
    #expect(method.header("allow") == "POST")
    #expect(try fixture.daemon.post([], "/healthz").header("allow") == "GET, HEAD")
    let large = [UInt8](repeating: 0x20, count: 65_537)
    #expect(try problem(fixture.daemon.post(large), 413)["code"]?.value.string == "body-too-large")
    #expect(try problem(fixture.forward([], token: nil), 401)["code"]?.value.string == "unauthorized")
    #expect(try fixture.forward([], token: nil).header("www-authenticate")?.hasPrefix("Bearer") == true)
    #expect(
      try problem(fixture.forward([], token: "wrong-0123456789"), 401)["code"]?.value.string == "unauthorized"
    )
    #expect(
      try problem(fixture.forward([], token: "other-0123456789"), 403)["code"]?.value.string == "forbidden")
    let media = try problem(fixture.forward(Array("{}".utf8), type: "text/html"), 415)
    #expect(media["code"]?.value.string == "unsupported-media-type")
    #expect(
      try problem(fixture.daemon.get("/v1/reports/campaigns"), 401)["code"]?.value.string == "unauthorized")
  }
}

struct `The forwarding route` {
  /// The `state` and `stored` of each result.
  private func results(_ answer: HTTPAnswer) throws -> [String] {
    #expect(answer.status == 200)
    let results = try #require(try JSONReader.read(answer.body).value.object?["results"]?.value.array)
    return results.map { node in
      let object = node.value.object
      return "\(object?["state"]?.value.string ?? "?") \(object?["stored"]?.value.string ?? "?")"
    }
  }

  @Test func `The forwarding route answers each item of an array, of NDJSON and of gzip`() throws {
    let fixture = try Fixture()
    let (a, b) = (
      try SharedVectors.body("apple-4.0-web-fine"), try SharedVectors.body("apple-4.0-web-coarse")
    )
    let broken = Array(#"{"version":"4.0"}"#.utf8)
    let array = Array("[".utf8) + a + Array(",".utf8) + broken + Array(",".utf8) + b + Array("]".utf8)
    #expect(try results(fixture.forward(array)) == ["valid first", "malformed kept", "valid first"])
    let lines = a + [10] + Array("{broken\n".utf8) + b + [10]
    #expect(try results(fixture.forward(lines)) == ["valid copy", "malformed kept", "valid copy"])
    #expect(
      try results(fixture.forward(gzip(lines))) == ["valid copy", "malformed kept", "valid copy"])
    #expect(try results(fixture.forward(a)) == ["valid copy"])
  }

  @Test func `The forwarding route rejects damaged gzip and an empty body`() throws {
    let fixture = try Fixture()
    #expect(try problem(fixture.forward(Array(gzip(Array("{}".utf8)).dropLast(4))), 400)["code"] != nil)
    #expect(try problem(fixture.forward([]), 400)["code"]?.value.string == "broken-json")
  }
}

struct `Operators and readers` {
  @Test func `Operators and readers see that the daemon is alive, ready and what it counted`() throws {
    let fixture = try Fixture()
    #expect(try fixture.daemon.get("/healthz").text == "ok\n")
    #expect(try fixture.daemon.get("/readyz").status == 200)
    _ = try fixture.daemon.post(try SharedVectors.body("apple-4.0-web-fine"))
    let metrics = try fixture.daemon.get("/metrics").text
    #expect(metrics.contains("skan_postbacks_judged_total{state=\"valid\"} 1\n"))
    #expect(metrics.contains("skan_postbacks_stored_total{effect=\"first\"} 1\n"))
  }

  @Test func `Operators and readers get with a token over HTTP what the command line prints`() throws {
    let fixture = try Fixture()
    _ = try fixture.daemon.post(try SharedVectors.body("apple-4.0-web-fine"))
    let report = try fixture.daemon.get("/v1/reports/campaigns", token: readToken)
    let printed = try Subprocess.run(
      "skan", ["report", "campaigns", "--database", fixture.database, "--format", "json"])
    #expect(report.status == 200)
    #expect(report.text == printed.output)
    let id = "6aafb7a5-0170-41b5-bbe4-fe71dedf1e30"
    let explained = try fixture.daemon.get("/v1/postbacks/\(id)", token: readToken)
    let page = try Subprocess.run(
      "skan", ["explain", "--database", fixture.database, id, "--format", "json"])
    #expect(explained.text == page.output)
    #expect(try fixture.daemon.get("/v1/postbacks/unknown", token: readToken).status == 404)
    #expect(try fixture.daemon.get("/v1/reports/campaigns?by=moon", token: readToken).status == 400)
  }
}
