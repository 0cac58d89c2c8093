import JSONText
import Mappings
import System
import Testing
import Values

@Suite struct `A mapping file` {
  private func codes(_ text: String) -> [String] {
    MappingDocument.read(Array(text.utf8)).findings.map { "\($0.position) \($0.code.text) \($0.path)" }
  }

  @Test func `A mapping file with a grid equals its rules written out`() throws {
    let compact = try mapping(subscriptions)
    var rules: [String] = []
    for hour in 0..<4 {
      for range in 0..<4 {
        rules.append(
          #"""
          {"value":\#(6 + hour * 4 + range),"events":[{"name":"subs_success","revenue":{"from":\#(range * 20),
          "includes-from":true,"to":\#(range * 20 + 20),"includes-to":false,"representative":\#(range * 20 + 10)}}],
          "active-hours":{"from":\#(hour * 12),"to":\#(hour * 12 + 12)}}
          """#)
      }
    }
    let table =
      subscriptions.split(separator: #""grids""#)[0] + #""fine":[\#(rules.joined(separator: ","))]}"#
    #expect(try mapping(String(table)) == compact)
  }

  @Test func `A mapping file allows comments everywhere`() throws {
    let rest = #"""
      "comment":[1],"$schema":"x","fine":[{"comment":{},"value":1,"events":[{"name":"a","comment":"b",
      "count":{"comment":1,"min":2}}],"active-hours":{"comment":null,"from":0,"to":1},
      "revenue":{"comment":"","from":"1.50","to":null}}],
      "coarse":[{"window":2,"comment":1,"low":[{"comment":2},{"events":["b"]}]}],
      "declared-events":["a",{"name":"b","earliest-hours":3,"comment":true}]
      """#
    let mapping = try mapping(skan: "skan4", rest)
    #expect(mapping.fine.count == 1 && mapping.coarse.values.map(\.rules.count) == [2])
  }

  @Test(arguments: [
    ("[]", "1:1 wrong-type $"), ("{", "1:2 unexpected-end $"), ("", "1:1 unexpected-end $"),
    (#"{"a":1,"a":2}"#, "1:8 duplicate-member $.a"), ("{} x", "1:4 trailing-bytes $"),
  ]) func `A mapping file that is no mapping gets the reason`(text: String, first: String) {
    #expect(codes(text).first == first)
  }

  @Test(
    arguments: [
      (#""fine":[{"value":64}]"#, "out-of-range $.fine[0].value"),
      (#""fine":[{"value":1.0}]"#, "wrong-type $.fine[0].value"),
      (#""fine":[{"valeu":1,"value":2}]"#, "unknown-member $.fine[0].valeu"),
      (#""fine":[{}]"#, "missing-member $.fine[0]"),
      (#""fine":[{"value":1,"events":[""]}]"#, "empty-text $.fine[0].events[0]"),
      (#""fine":[{"value":1,"events":["a","a"]}]"#, "repeated-name $.fine[0].events"),
      (#""fine":[{"value":1,"lock":1}]"#, "wrong-type $.fine[0].lock"),
      (#""fine":[{"value":1,"coarse":"hihg"}]"#, "unknown-word $.fine[0].coarse"),
      (#""fine":[{"value":1,"active-hours":{"from":2,"to":2}}]"#, #"empty-range $.fine[0]["active-hours"]"#),
      (#""fine":[{"value":1,"revenue":{"from":2,"to":2}}]"#, "empty-range $.fine[0].revenue"),
      (#""fine":[{"value":1,"revenue":{"from":"NaN"}}]"#, "invalid-amount $.fine[0].revenue.from"),
      (#""fine":[{"value":1,"revenue":{"from":1e400}}]"#, "amount-too-large $.fine[0].revenue.from"),
      (#""fine":[{"value":1,"revenue":{"from":0.0000001}}]"#, "amount-too-precise $.fine[0].revenue.from"),
      (
        #""fine":[{"value":1,"revenue":{"from":1,"to":2,"low":1.6}}]"#,
        nil
      ),
      (
        #""fine":[{"value":1,"revenue":{"from":1,"to":2,"representative":2.5}}]"#,
        "worth-outside-range $.fine[0].revenue"
      ),
      (
        #""fine":[{"value":1,"revenue":{"from":1,"currency":"usd"}}]"#,
        "currency-not-listed $.fine[0].revenue.currency"
      ),
      (
        #""fine":[{"value":1,"events":[{"name":"a","count":{"max":0}}]}]"#,
        "empty-range $.fine[0].events[0].count"
      ),
      (#""raise-only":"yes""#, #"wrong-type $["raise-only"]"#),
      (#""measurement-window-hours":49"#, #"out-of-range $["measurement-window-hours"]"#),
      (#""grids":[{"first-value":60,"revenue":[0,1,2,3,4,5]}]"#, "values-pass-63 $.grids[0]"),
      (#""grids":[{"first-value":1,"revenue":[0,2,2]}]"#, "not-rising $.grids[0].revenue[2]"),
      (#""grids":[{"first-value":1,"revenue":[0]}]"#, "too-few-edges $.grids[0].revenue"),
      (
        #""grids":[{"first-value":1,"revenue":[0,1,2],"worth":[1]}]"#,
        "wrong-number-of-amounts $.grids[0].worth"
      ),
      (#""grids":[{"first-value":1,"revenue":[0,1],"worth":[2]}]"#, "worth-outside-range $.grids[0]"),
      (#""fine":[{"value":2}],"grids":[{"first-value":1,"revenue":[0,1,2]}]"#, "value-taken $.grids[0]"),
      (#""coarse":[{"window":4}]"#, "out-of-range $.coarse[0].window"),
      (#""coarse":[{"window":2},{"window":2}]"#, "repeated-name $.coarse[1]"),
      (
        #""fine":[{"value":2,"coarse":"low"}],"coarse":[{"window":1}]"#, "two-coarse-sources $.fine[0]"
      ),
    ] as [(String, String?)]) func `A mapping file has one finding for one error`(
      rest: String, finding: String?
    )
  {
    let text =
      #"{"name":"t","app":1,"currency":"USD","effective-from":"2026-11-01","protocol":"skan4",\#(rest)}"#
    let found = MappingDocument.read(Array(text.utf8)).findings.map { "\($0.code.text) \($0.path)" }
    #expect(found == (finding.map { [$0] } ?? []))
  }

  @Test(
    arguments: [
      (#""revenue":{"min":3,"max":4}"#, ["from", "to"]),
      (#""revenue":{"lower":3,"upper":4}"#, ["from", "to"]),
      (#""revenue":{"from":3,"to":4,"includes-max":true}"#, ["includes-to"]),
      (#""revenue":{"from":3,"to":4,"includes-min":true}"#, ["includes-from"]),
      (#""active-hours":{"min":3,"max":4}"#, [nil, nil, "from", "to"]),
      (#""events":[{"name":"p","count":{"least":1,"most":2}}]"#, ["min", "max"]),
      (#""events":[{"name":"p","count":{"from":1,"to":2}}]"#, ["min", "max"]),
    ] as [(String, [String?])])
  func `A mapping file with another word for the end of a range gets the one that is meant`(
    member: String, words: [String?]
  ) {
    let text =
      #"{"name":"t","app":1,"currency":"USD","effective-from":"2026-11-01","protocol":"skan4","#
      + #""fine":[{"value":1,\#(member)}]}"#
    #expect(
      MappingDocument.read(Array(text.utf8)).findings.map(\.hint?.english)
        == words.map { $0.map { "Did you mean \"\($0)\"?" } })
  }

  @Test func `A mapping file with an error gets the line and column, with a hint`() throws {
    let text =
      "{\n  \"name\": \"é\", \"ap\": 1,\n  \"app\": 1,\n  \"currency\": \"EURO\",\n"
      + "  \"effective-from\": \"2026-02-30\",\n  \"protocol\": \"skan5\"\n}"
    #expect(
      codes(text) == [
        "2:16 unknown-member $.ap", "4:15 currency-not-listed $.currency",
        #"5:21 invalid-date $["effective-from"]"#, "6:15 unknown-word $.protocol",
      ])
    let hints = MappingDocument.read(Array(text.utf8)).findings.map(\.hint?.english)
    #expect(hints[0] == #"Did you mean "app"?"# && hints[1] == #"Did you mean "EUR", Euro?"#)
  }

  @Test func `A mapping file is rejected quickly when it is hostile`() {
    let brackets = [UInt8](repeating: UInt8(ascii: "["), count: 100 << 20)
    #expect(MappingDocument.read(brackets).findings.map(\.code.text) == ["file-too-large"])
    let deep = [UInt8](repeating: UInt8(ascii: "["), count: 1 << 20)
    #expect(MappingDocument.read(deep).findings.map(\.code.text) == ["too-deep"])
    let many = "[" + String(repeating: "{},", count: 400_000) + "{}]"
    #expect(
      codes(#"{"fine":\#(many)}"#).contains { $0.contains("too-many-rules") })
    let members = (0..<100_000).map { #""m\#($0)":1"# }.joined(separator: ",")
    #expect(MappingDocument.read(Array("{\(members)}".utf8)).findings.count == 200)
    let bytes = Array(subscriptions.utf8)
    for end in bytes.indices.dropLast() {
      #expect(MappingDocument.read(Array(bytes[..<end])).findings.count >= 1, "cut at \(end)")
    }
  }

  @Test func `A mapping file is written so that it is read back the same`() throws {
    var random = SplitMix64(seed: 20)
    for round in 0..<300 {
      let mapping = randomMapping(&random)
      let text = mapping.json.text(pretty: round % 2 == 0)
      let reading = MappingDocument.read(Array(text.utf8))
      #expect(reading.document?.mapping == mapping, "round \(round): \(reading.findings) \(text)")
    }
  }
}
