@testable import Assistants
import JSONText
import TestSupport
import Testing
import Values

/// Random changes of messages, with a seed.
private struct Mutation {
  var generator: SplitMix64

  mutating func next(of seeds: [[UInt8]], words: [String]) -> [UInt8] {
    var bytes = seeds[Int.random(in: 0..<seeds.count, using: &generator)]
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let place = Int.random(in: 0...bytes.count, using: &generator)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
      case 1 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &generator)
      case 2 where place < bytes.count: bytes.remove(at: place)
      case 3:
        bytes.insert(contentsOf: words[Int.random(in: 0..<words.count, using: &generator)].utf8, at: place)
      default: bytes.removeSubrange(place..<min(bytes.count, place + 9))
      }
    }
    return bytes
  }
}

struct `Any bytes of an assistant` {
  @Test func `Any bytes of an assistant get one answer of the protocol or none, with a database too`() throws
  {
    let fixture = try Fixture(conversions: 20)
    var mutation = Mutation(generator: SplitMix64(seed: 33))
    let meta =
      #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#
    let seeds = [
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"report_campaigns","arguments":{"environment":"test","by":["network"],"limit":3}}}"#,
      #"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"report_postbacks","arguments":{"environment":"test","limit":2},\#(meta)}}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"explain","arguments":{"id":"conversion-1"}}}"#,
      #"{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#,
      #"{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"skan://tools/explain"}}"#,
      #"[{"jsonrpc":"2.0","id":2,"method":"ping"},{"jsonrpc":"2.0","method":"x"}]"#,
      #"{"jsonrpc":"2.0","id":2,"method":"server/discover","params":{\#(meta)}}"#,
    ].map { Array($0.utf8) }
    let words = [
      "null", "\"limit\":-1,", "\"from\":\"2026-13-01\",", "\"sort\":[\"installs\"],", "true", "1e999", "[[",
      "\\u0000",
    ]
    for number in 0..<4_000 {
      let bytes =
        number.isMultiple(of: 8)
        ? (0..<Int.random(in: 0...40, using: &mutation.generator)).map { _ in
          UInt8.random(in: 0...255, using: &mutation.generator)
        } : mutation.next(of: seeds, words: words)
      let answer = fixture.server.answer(
        bytes, number.isMultiple(of: 3) ? RequestMetadata(revision: nil, method: nil, name: nil) : nil)
      guard let body = answer.body else {
        #expect(answer.status == 202)
        continue
      }
      #expect(!body.contains(0x0A))
      let value = try JSONReader.read(body).value
      for part in value.array?.map(\.value) ?? [value] {
        let object = try #require(part.object)
        #expect(object["jsonrpc"]?.value.string == "2.0")
        #expect(object["id"] != nil)
        #expect((object["result"] == nil) != (object["error"] == nil))
        #expect(
          object["result"]?.value.object?.text.contains("bug of skan") != true,
          "\(String(decoding: bytes, as: UTF8.self))")
      }
    }
  }
}
