@testable import Assistants
import JSONText
import PostbackFixtures
import TestSupport
import Testing
import Values

private let modern: JSONOutput = [
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": .object([]),
]

private func headers(_ method: String?, _ name: String? = nil, _ revision: String? = "2026-07-28")
  -> RequestMetadata
{
  RequestMetadata(revision: revision, method: method, name: name)
}

struct `A server for assistants` {
  private let fixture: Fixture

  init() throws { fixture = try Fixture(conversions: 3) }

  @Test(arguments: ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
  func `A server for assistants takes the revision that a handshake asks for`(revision: String) throws {
    let result = try fixture.result("initialize", ["protocolVersion": .string(revision)])
    #expect(result["protocolVersion"]?.value.string == revision)
    #expect(result["serverInfo"]?.value.object?["version"]?.value.string == "1.2.3")
    #expect(result["capabilities"]?.value.object?["tools"] != nil)
    #expect(result["resultType"] == nil)
  }

  @Test func `A server for assistants offers the newest handshake where it does not know the revision`()
    throws
  {
    for revision in ["2019-01-01", "2026-07-28", "nonsense"] {
      let result = try fixture.result("initialize", ["protocolVersion": .string(revision)])
      #expect(result["protocolVersion"]?.value.string == "2025-11-25")
    }
    #expect(try fixture.fault("initialize").code == -32_602)
  }

  @Test func `A server for assistants states what it is where requests state their revision`() throws {
    let result = try fixture.result("server/discover", ["_meta": modern])
    #expect(result["supportedVersions"]?.value.array?.first?.value.string == "2026-07-28")
    #expect(result["resultType"]?.value.string == "complete")
    #expect(result["ttlMs"]?.value.number?.integer == 300_000)
    #expect(result["cacheScope"]?.value.string == "public")
    let info = result["_meta"]?.value.object?["io.modelcontextprotocol/serverInfo"]?.value.object
    #expect(info?["name"]?.value.string == "skan")
    let call = try fixture.result(
      "tools/call", ["name": "mapping_list", "arguments": .object([]), "_meta": modern])
    #expect(call["resultType"]?.value.string == "complete")
    #expect(call["ttlMs"] == nil)
  }

  @Test func `A server for assistants rejects revisions and metadata that it cannot use, and lists its own`()
    throws
  {
    #expect(try fixture.fault("server/discover").code == -32_602)
    let other: JSONOutput = [
      "io.modelcontextprotocol/protocolVersion": "2030-01-01",
      "io.modelcontextprotocol/clientCapabilities": .object([]),
    ]
    let answer = fixture.server.answer(message("tools/list", ["_meta": other]))
    #expect(answer.status == 400)
    let error = try #require(try object(of: answer)["error"]?.value.object)
    #expect(error["code"]?.value.number?.integer == -32_022)
    let supported = error["data"]?.value.object?["supported"]?.value.array?.compactMap(\.value.string)
    #expect(supported == ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])
    let bare: JSONOutput = ["io.modelcontextprotocol/protocolVersion": "2026-07-28"]
    let incomplete = fixture.server.answer(message("tools/list", ["_meta": bare]))
    #expect(incomplete.status == 400)
    #expect(try object(of: incomplete)["error"]?.value.object?["code"]?.value.number?.integer == -32_602)
  }

  @Test func `A server for assistants answers unknown methods and tools with errors of the protocol`() throws
  {
    let method = try fixture.fault("prompts/list")
    #expect(method.code == -32_601)
    #expect(method.message.contains("tools/call"))
    let tool = try fixture.fault("tools/call", ["name": "report_campaign"])
    #expect(tool.code == -32_602)
    #expect(tool.message.contains("Did you mean \"report_campaigns\"?"))
    #expect(try fixture.fault("tools/call").code == -32_602)
    #expect(try fixture.fault("tools/call", ["name": "explain", "arguments": 5]).code == -32_602)
    #expect(try fixture.fault("tools/list", ["cursor": "x"]).code == -32_602)
    #expect(try fixture.fault("resources/read", ["uri": "skan://tools/none"]).code == -32_002)
    #expect(
      try fixture.fault("resources/read", ["uri": "skan://tools/none", "_meta": modern]).code == -32_602)
    // After a handshake a client takes any status but 200 for an end; without one it expects them.
    #expect(fixture.server.answer(message("prompts/list")).status == 200)
    #expect(fixture.server.answer(message("prompts/list", ["_meta": modern])).status == 404)
  }

  @Test(arguments: [
    ("", -32_700), ("{", -32_700), ("\u{FEFF}{}", -32_700), (#"{"a":1,"a":2}"#, -32_700), ("5", -32_600),
    ("{}", -32_600), ("[]", -32_600), (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32_600),
    (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32_600),
    (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32_600),
    (#"{"jsonrpc":"2.0","id":1}"#, -32_600), (#"{"jsonrpc":"2.0","id":1,"method":5}"#, -32_600),
    (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#, -32_602),
  ])
  func `A server for assistants answers what is no message with the code for it`(text: String, code: Int)
    throws
  {
    let answer = fixture.server.answer(Array(text.utf8))
    #expect(answer.status == 400)
    let object = try object(of: answer)
    #expect(object["jsonrpc"]?.value.string == "2.0")
    #expect(object["id"] != nil)
    #expect(object["error"]?.value.object?["code"]?.value.number?.integer == Int64(code))
  }

  @Test func `A server for assistants does not answer notifications and responses`() {
    for text in [
      #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}"#,
      #"{"jsonrpc":"2.0","method":"no/such"}"#, #"{"jsonrpc":"2.0","id":1,"result":{}}"#,
      #"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}"#,
    ] {
      let answer = fixture.server.answer(Array(text.utf8))
      #expect(answer == AssistantServer.Answer(status: 202, body: nil), "\(text)")
    }
  }

  @Test func `A server for assistants repeats the identifier of a request as it was written`() throws {
    for id in ["\"a\"", "0", "-12", "12345678901234567890"] {
      let answer = fixture.server.answer(Array(#"{"jsonrpc":"2.0","id":\#(id),"method":"ping"}"#.utf8))
      let text = String(decoding: try #require(answer.body), as: UTF8.self)
      #expect(text == #"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#)
    }
  }

  @Test func `A server for assistants answers the requests of a batch, and no more than some at once`() throws
  {
    func batch(_ count: Int, _ one: String) -> AssistantServer.Answer {
      fixture.server.answer(Array("[\(Array(repeating: one, count: count).joined(separator: ","))]".utf8))
    }
    let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
    let answers = try JSONReader.read(try #require(batch(16, ping).body)).value.array
    #expect(answers?.count == 16)
    #expect(try object(of: batch(17, ping))["error"] != nil)
    #expect(batch(3, #"{"jsonrpc":"2.0","method":"x"}"#).body == nil)
    #expect(batch(1, "[\(ping)]").body.map { String(decoding: $0, as: UTF8.self).contains("-32600") } == true)
  }

  @Test func `A server for assistants compares headers with the body where requests state their revision`()
    throws
  {
    let list = message("tools/list", ["_meta": modern])
    let call = message("tools/call", ["name": "mapping_list", "_meta": modern])
    func code(_ body: [UInt8], _ metadata: RequestMetadata) throws -> Int64? {
      let answer = fixture.server.answer(body, metadata)
      let code = try object(of: answer)["error"]?.value.object?["code"]?.value.number?.integer
      #expect(answer.status == (code == nil ? 200 : 400))
      return code
    }
    #expect(try code(list, headers("tools/list")) == nil)
    #expect(try code(call, headers("tools/call", "mapping_list")) == nil)
    #expect(try code(call, headers("tools/call", "=?base64?bWFwcGluZ19saXN0?=")) == nil)
    #expect(try code(list, headers("tools/call")) == -32_020)
    #expect(try code(list, headers(nil)) == -32_020)
    #expect(try code(list, headers("tools/list", nil, "2025-11-25")) == -32_020)
    #expect(try code(call, headers("tools/call", nil)) == -32_020)
    #expect(try code(call, headers("tools/call", "explain")) == -32_020)
    // Without a revision in the body the header alone counts.
    #expect(try code(message("ping"), headers(nil, nil, nil)) == nil)
    #expect(try code(message("ping"), headers(nil, nil, "2025-06-18")) == nil)
    #expect(try code(message("ping"), headers(nil, nil, "2026-07-28")) != nil)
  }

  @Test func `A revision that no server has is rejected in a header too`() throws {
    let answer = fixture.server.answer(message("ping"), headers(nil, nil, "2001-01-01"))
    #expect(answer.status == 400)
    #expect(try object(of: answer)["error"]?.value.object?["code"]?.value.number?.integer == -32_022)
  }
}

struct `Lines of an assistant` {
  @Test func `Lines of an assistant are the same however their bytes come`() {
    let bytes = Array("one\n\r\ntwo\r\n\nthree".utf8)
    let expected = ["one", "two", "three"].map { MessageLines.Line.message(Array($0.utf8)) }
    for size in 1...bytes.count {
      var lines = MessageLines()
      var found: [MessageLines.Line] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        found += lines.take(Array(bytes[start..<min(start + size, bytes.count)]))
      }
      found += [lines.finish()].compactMap(\.self)
      #expect(found == expected)
      #expect(lines.finish() == nil)
    }
  }

  @Test func `Lines of an assistant that are too long take no memory and do not spoil the next one`() {
    var lines = MessageLines()
    let chunk = [UInt8](repeating: 0x61, count: 262_144)
    for _ in 0..<20 { #expect(lines.take(chunk).isEmpty) }
    #expect(lines.take(Array("\nnext\n".utf8)) == [.tooLong, .message(Array("next".utf8))])
  }
}
