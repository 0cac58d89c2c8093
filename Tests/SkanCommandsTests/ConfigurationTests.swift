import Crypto
import Foundation
import JSONText
import Platform
import TestSupport
import Testing

@testable import SkanCommands

struct `The configuration file` {
  @Test(arguments: [
    (#"{"databse":"x"}"#, #"1:2: $.databse: there is no such member; did you mean "database"?"#),
    (
      "{\n  \"networks\": [{\"name\": \"a\", \"tokn\": \"x\"}]}",
      #"2:30: $.networks[0].tokn: there is no such member; did you mean "token"?"#
    ),
    (
      #"{"networks":[{"name":"a","token":"123456789012345"}]}"#,
      "1:34: $.networks[0].token is a token of fewer than 16 letters"
    ),
    (#"{"networks":[{"name":"a"}]}"#, #"1:14: $.networks[0] needs either "token" or "token-sha256""#),
    (
      #"{"networks":[{"name":"a/b","token":"1234567890123456"}]}"#,
      "1:22: $.networks[0].name may have letters"
    ),
    (#"{"read-token-sha256":["abc"]}"#, #"1:23: $["read-token-sha256"][0] must be a SHA-256 digest"#),
    (#"{"listen":"8080"}"#, "1:11: $.listen must be HOST:PORT"),
    (#"{"threads":0}"#, "1:12: $.threads must be a whole number from 1 to 256"),
    (#"{"threads":257}"#, "1:12: $.threads must be a whole number from 1 to 256"),
    (
      #"{"connections-per-address":-1}"#,
      #"1:28: $["connections-per-address"] must be a whole number from 0 to 65535"#
    ),
    (
      #"{"connections-per-address":65536}"#,
      #"1:28: $["connections-per-address"] must be a whole number from 0 to 65535"#
    ),
    (#"{"database":7}"#, "1:13: $.database must be a string, found an integer"),
    (#"{"database":""}"#, "1:13: $.database is empty"),
    ("[]", "1:1: $ must be an object, found an array"),
    ("{\"database\":\n}", "2:1: $.database: this character can't stand here"),
    (#"{"database":"a","database":"b"}"#, "an object has two members of this name"),
  ])
  func `is refused with line, column and path`(text: String, expected: String) throws {
    let error = #expect(throws: Obstacle.self) {
      try Configuration.read(Array(text.utf8), named: "skan.json")
    }
    let obstacle = try #require(error)
    #expect(obstacle.exitCode == .data)
    #expect(obstacle.message.hasPrefix("skan.json:"))
    #expect(obstacle.message.contains(expected), "\(obstacle.message)")
  }

  @Test(arguments: [0, 65_535])
  func `takes connections for each address`(count: Int) throws {
    let text = #"{"connections-per-address":\#(count)}"#
    let configuration = try Configuration.read(Array(text.utf8), named: "x")
    #expect(configuration.texts == ["connections-per-address": "\(count)"])
  }

  @Test func `takes tokens in the clear and as digests`() throws {
    let token = "1234567890123456"
    let digest = SHA256Digest(of: Array(token.utf8))
    let text = #"{"networks":[{"name":"a","token":"\#(token)"}],"read-token-sha256":["\#(digest.hex)"]}"#
    let configuration = try Configuration.read(Array(text.utf8), named: "x")
    #expect(configuration.networks.map(\.token) == [digest])
    #expect(configuration.readTokens == [digest])
    let twice =
      #"{"networks":[{"name":"a","token":"\#(token)"},{"name":"b","token-sha256":"\#(digest.hex)"}]}"#
    #expect(throws: Obstacle.self) { try Configuration.read(Array(twice.utf8), named: "x") }
  }

  @Test func `has a schema with the same members`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let bytes = try [UInt8](Data(contentsOf: root.appending(path: "schemas/config.schema.json")))
    let schema = try #require(JSONReader.read(bytes).value.object)
    let properties = try #require(schema["properties"]?.value.object)
    #expect(Set(properties.members.map(\.name)) == Set(Configuration.members))
    let network = properties["networks"]?.value.object?["items"]?.value.object?["properties"]?.value.object
    #expect(Set(network?.members.map(\.name) ?? []) == Set(Configuration.networkMembers))
  }

  @Test func `ends a command with 65 where it is wrong and with 74 where it is missing`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("{", to: "c.json")
    #expect(skan("config", "show", "--config", file).code == .data)
    #expect(skan("config", "show", environment: ["SKAN_CONFIG": file]).code == .data)
    #expect(skan("config", "show", "--config", folder.file("none")).code == .inputOutput)
  }
}

struct `The daemon's log` {
  @Test func `has one line an event in both forms`() {
    let outcome = { (isJSON: Bool) in
      let console = Console.captured()
      ServiceLog(console, clock: { noon }, isJSON: isJSON).write(
        .warning, "test", [("figure", .integer(3)), ("note", "two words")])
      return console.errors.captured
    }
    #expect(outcome(false) == "2026-11-21T12:00:00Z warning test figure=3 note=\"two words\"\n")
    #expect(
      outcome(true)
        == #"{"time":"2026-11-21T12:00:00Z","level":"warning","event":"test","figure":3,"note":"two words"}"#
        + "\n")
  }
}
