import Alerts
@testable import Assistants
import Foundation
import JSONText
import Ledger
import PostbackFixtures
import TestSupport
import Testing
import Values
import Verification

/// A database with some conversions of two networks, and a server that answers from it.
final class Fixture {
  let folder: TemporaryFolder
  let server: AssistantServer
  var database: String { folder.file("skan.db") }

  init(conversions count: Int = 120) throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    self.folder = folder
    try store(
      (0..<count).map { number in
        valid(
          "conversion-\(number)", value: number.isMultiple(of: 3) ? .absent : fine(number % 64),
          at: noon + Int64(number) * -3_600_000,
          network: number.isMultiple(of: 2) ? "even.skadnetwork" : "odd.skadnetwork",
          campaign: "\(5200 + number)")
      }, in: database)
    server = Self.server(of: database)
  }

  static func server(of database: String) -> AssistantServer {
    let keyring = known(try? Keyring(trusting: []))
    return AssistantServer(
      version: "1.2.3",
      source: AssistantSource(
        database: database, keyring: keyring, clock: { noon }, open: { try LedgerReader(path: database) },
        rules: { AlertRules() }))
  }

  /// The result of a method; an error of the protocol fails the test.
  func result(_ method: String, _ params: JSONOutput = .object([])) throws -> JSONObject {
    let answer = try object(of: server.answer(message(method, params)))
    return try #require(answer["result"]?.value.object, "\(answer)")
  }

  /// The result of a tool.
  func call(_ tool: String, _ arguments: JSONOutput = .object([])) throws -> JSONObject {
    try result("tools/call", ["name": .string(tool), "arguments": arguments])
  }

  /// The code and message of the error that a method gets.
  func fault(_ method: String, _ params: JSONOutput = .object([])) throws -> (code: Int64, message: String) {
    let error = try object(of: server.answer(message(method, params)))["error"]?.value.object
    return (
      try #require(error?["code"]?.value.number?.integer), try #require(error?["message"]?.value.string)
    )
  }
}

func message(_ method: String, _ params: JSONOutput = .object([]), id: JSONOutput = 7) -> [UInt8] {
  JSONOutput.object([
    .init("jsonrpc", "2.0"), .init("id", id), .init("method", .string(method)), .init("params", params),
  ]).bytes()
}

func object(of answer: AssistantServer.Answer) throws -> JSONObject {
  let body = try #require(answer.body)
  return try #require(try JSONReader.read(body).value.object)
}

extension JSONObject {
  /// The text of a tool's answer.
  var text: String { self["content"]?.value.array?.first?.value.object?["text"]?.value.string ?? "" }
  var structured: JSONObject? { self["structuredContent"]?.value.object }
  var isError: Bool { self["isError"]?.value.bool == true }

  func rows(_ name: String = "rows") -> [JSONObject] {
    self[name]?.value.array?.compactMap(\.value.object) ?? []
  }
}
