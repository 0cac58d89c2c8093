import Foundation
import JSONText
import TestSupport
import Testing

private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

private func call(_ tool: String, _ arguments: String = "{}", id: Int = 1) -> String {
  #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
}

/// The member of a JSON text at a path of names.
private func member(_ path: [String], of text: String) throws -> JSONValue? {
  try path.reduce(JSONReader.read(Array(text.utf8)).value) { $0?.object?[$1]?.value }
}

private func storeSamples(in database: String) throws {
  let samples = root.appending(path: "tools/samples/apple-signed.ndjson").path
  _ = try Subprocess.run("skan", ["ingest", "--quiet", "-d", database, samples])
}

private func printedRows(of database: String) throws -> JSONOutput? {
  let words = ["report", "campaigns", "-d", database, "--format", "json"]
  return try member(["rows"], of: Subprocess.run("skan", words).output).map { JSONOutput($0) }
}

struct `An assistant at the pages` {
  private let pages: PagesFixture

  init() throws { pages = try PagesFixture(prepared: storeSamples) }

  private func ask(
    _ body: String, token: String? = nil, headers: [(String, String)] = [], method: String = "POST"
  ) throws -> HTTPAnswer {
    let port = pages.daemon.pagesPort
    let lines: [(String, String)] = [
      ("Host", "127.0.0.1:\(port)"), ("Content-Type", "application/json"),
      ("Accept", "application/json, text/event-stream"),
      ("Authorization", "Bearer \(token ?? pages.readerToken)"),
    ]
    let replaced = lines.filter { line in !headers.contains { $0.0 == line.0 } }
    return try HTTPClient(port: port).request(
      method, "/mcp", headers: (replaced + headers).filter { !$0.1.isEmpty }, body: Array(body.utf8))
  }

  @Test func `An assistant at the pages gets the figures of the command line with a reader's token`() throws {
    let answer = try ask(call("report_campaigns"))
    #expect(answer.status == 200)
    #expect(answer.header("content-type") == "application/json")
    #expect(answer.header("cache-control") == "no-store")
    let rows = try member(["result", "structuredContent", "rows"], of: answer.text).map { JSONOutput($0) }
    #expect(try rows == printedRows(of: pages.database))
    #expect(try ask(call("report_campaigns"), token: pages.editorToken).status == 200)
  }

  @Test func `An assistant at the pages needs a token that reads everything`() throws {
    let limited = try Subprocess.run(
      "skan", ["token", "create", "-d", pages.database, "--reader", "agency", "--app", "1"]
    ).output.trimmingCharacters(in: .whitespacesAndNewlines)
    let network = try Subprocess.run(
      "skan", ["token", "create", "-d", pages.database, "--network", "acme"]
    ).output.trimmingCharacters(in: .whitespacesAndNewlines)
    // Tokens are read again after a second.
    Thread.sleep(forTimeInterval: 1.2)
    #expect(try ask(call("report_campaigns"), token: limited).status == 403)
    #expect(try ask(call("report_campaigns"), token: network).status == 403)
    #expect(try ask(call("report_campaigns"), token: "wrong").status == 401)
    let cookie = pages.reader
    let none = try ask(call("report_campaigns"), headers: [("Authorization", ""), ("Cookie", cookie)])
    #expect(none.status == 401)
    #expect(none.header("www-authenticate")?.hasPrefix("Bearer") == true)
    pages.daemon.send(SIGTERM)
    let log = pages.daemon.waitForEnd().errors
    for token in [limited, network, pages.readerToken] { #expect(!log.contains(token)) }
  }

  @Test func `An assistant at the pages is answered without streams, and no other site's page is`() throws {
    for method in ["GET", "DELETE", "PUT"] {
      let answer = try ask("", method: method)
      #expect(answer.status == 405)
      #expect(answer.header("allow") == "POST")
    }
    let port = pages.daemon.pagesPort
    #expect(try ask(call("explain"), headers: [("Origin", "http://127.0.0.1:\(port)")]).status == 200)
    #expect(try ask(call("explain"), headers: [("Origin", "https://evil.example")]).status == 403)
    #expect(try ask(call("explain"), headers: [("Sec-Fetch-Site", "cross-site")]).status == 403)
    #expect(try ask(call("explain"), headers: [("Content-Type", "text/plain")]).status == 415)
    #expect(try ask(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).status == 202)
    #expect(try ask("{").status == 400)
    #expect(try ask(call("explain"), headers: [("MCP-Protocol-Version", "1999-01-01")]).status == 400)
    let packed = try ask(
      #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, headers: [("Accept-Encoding", "gzip")])
    #expect(packed.header("content-encoding") == "gzip")
  }
}

struct `An assistant at open pages` {
  @Test func `An assistant at open pages needs no token, and no name that leads here is answered`() throws {
    let pages = try OpenPages()
    #expect(try pages.ask(host: "127.0.0.1:\(pages.port)").status == 200)
    #expect(try pages.ask(host: "localhost:\(pages.port)").status == 200)
    #expect(try pages.ask(host: "evil.example:\(pages.port)").status == 421)
    let answer = try pages.ask(host: "127.0.0.1:\(pages.port)", origin: "https://evil.example")
    #expect(answer.status == 403)
  }

  private final class OpenPages {
    private let folder: TemporaryFolder
    private let daemon: Daemon
    var port: UInt16 { daemon.pagesPort }

    init() throws {
      let folder = try TemporaryFolder()
      daemon = try Daemon(folder.file("skan.db"), ["--pages", "127.0.0.1:0", "--pages-open"])
      self.folder = folder
    }

    func ask(host: String, origin: String? = nil) throws -> HTTPAnswer {
      try HTTPClient(port: port).request(
        "POST", "/mcp",
        headers: [("Host", host), ("Content-Type", "application/json")]
          + (origin.map { [("Origin", $0)] } ?? []),
        body: Array(#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#.utf8))
    }
  }
}

struct `The command mcp` {
  @Test func `The command mcp answers each line, whatever it is, and ends with its input`() throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    try storeSamples(in: database)
    let lines = [
      #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#,
      #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, "", "no message",
      call("report_campaigns", id: 3), call("report_campaigns", #"{"by":["planet"]}"#, id: 4),
      String(repeating: "x", count: 1_100_000), #"{"jsonrpc":"2.0","id":5,"method":"ping"}"#,
    ]
    let result = try Subprocess.run(
      "skan", ["mcp", "-d", database], input: Array(lines.joined(separator: "\n").utf8))
    #expect(result.exitCode == 0)
    #expect(result.errors.isEmpty)
    let answers = result.output.split(separator: "\n").map(String.init)
    try #require(answers.count == 6)
    #expect(try member(["result", "protocolVersion"], of: answers[0])?.string == "2025-06-18")
    #expect(try member(["error", "code"], of: answers[1])?.number?.integer == -32_700)
    let rows = try member(["result", "structuredContent", "rows"], of: answers[2]).map { JSONOutput($0) }
    #expect(try rows == printedRows(of: database))
    #expect(try member(["result", "isError"], of: answers[3])?.bool == true)
    #expect(try member(["error", "code"], of: answers[4])?.number?.integer == -32_600)
    #expect(answers[5] == #"{"jsonrpc":"2.0","id":5,"result":{}}"#)
  }

  @Test func `The command mcp sees what arrives while it runs, and states at once that there is no database`()
    throws
  {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    let none = try Subprocess.run("skan", ["mcp", "-d", database])
    #expect(none.exitCode != 0)
    #expect(none.output.isEmpty)
    #expect(none.errors.contains("skan ingest"))
    _ = try Subprocess.run("skan", ["token", "create", "-d", database, "--reader", "r"])
    let process = try Subprocess("skan", ["mcp", "-d", database])
    func count(id: Int) throws -> Int? {
      process.write(Array((call("report_campaigns", id: id) + "\n").utf8))
      let line = try #require(process.waitForLine(containing: "\"id\":\(id),"))
      return try member(["result", "structuredContent", "rows"], of: line)?.array?.count
    }
    #expect(try count(id: 1) == 0)
    try storeSamples(in: database)
    #expect(try count(id: 2) == 7)
    #expect(process.finish().exitCode == 0)
  }
}
