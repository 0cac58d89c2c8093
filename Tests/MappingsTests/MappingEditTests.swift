import JSONText
import Mappings
import TestSupport
import Testing
import Values

@Suite struct `Building a mapping step by step` {
  private static let head =
    #""name":"t","app":1,"currency":"USD","effective-from":"2026-11-01","protocol":"skan4""#

  private func made(_ text: String, _ steps: String..., fields: [String: String] = [:]) -> String {
    steps.reduce(Self.document(text)) { text, step in
      let edit = MappingEdit(step, fields: { fields[$0] })
      let after = edit.flatMap { $0.applied(to: Array(text.utf8)) }
      return after.map { String(decoding: $0, as: UTF8.self) } ?? "no \(step)"
    }
  }

  private static func document(_ text: String) -> String { "{\(head)\(text.isEmpty ? "" : ",")\(text)}" }

  private func findings(_ text: String) -> [MappingFinding] {
    MappingDocument.check(Array(text.utf8)).findings
  }

  @Test func `An empty draft becomes a mapping without errors by buttons alone`() {
    let text = made(
      #""fine":[{"value":0,"label":"installed"}]"#, "add $.grids", "add $.grids[0].events",
      #"add $.grids[0]["active-hours"]"#, "add $.fine", "add $.coarse", "add $.coarse")
    #expect(findings(text).allSatisfy { $0.severity == .warning }, "\(findings(text))")
    let mapping = MappingDocument.read(Array(text.utf8)).document?.mapping
    // Two ranges on two days, one single value behind them, and two windows.
    #expect(mapping?.fine.map(\.value.number).sorted() == [0, 1, 2, 3, 4, 5])
    #expect(mapping?.coarse.count == 2)
    #expect(mapping?.fine.first { $0.value.number == 1 }?.conditions.events.map(\.name) == ["new_event"])
    #expect(mapping?.fine.first { $0.value.number == 5 }?.conditions.events.map(\.name) == ["new_event_2"])
  }

  @Test func `A step in a text without any list adds the list`() {
    #expect(made("", "add $.fine") == Self.document(#""fine": [{"value":1,"events":["new_event"]}]"#))
    #expect(made("", "add $.grids").contains(#""grids": [{"first-value":1,"revenue":[1,5,20]}]"#))
  }

  @Test func `What grows moves the values behind it, and what shrinks moves them back`() {
    let text =
      #""fine":[{"value":0},{"value":3,"events":["trial"]},{"value":9,"events":["far"]}],"#
      + #""grids":[{"first-value":1,"revenue":[1,5,20]}]"#
    let inserted = made(text, "insert $.grids[0].revenue", fields: ["at:$.grids[0].revenue": "0"])
    #expect(inserted.contains(#""revenue":[1,3,5,20]"#), "\(inserted)")
    #expect(inserted.contains(#"{"value":4,"events":["trial"]},{"value":9,"events":["far"]}"#), "\(inserted)")
    let back = made(
      text, "insert $.grids[0].revenue", "remove-edge $.grids[0].revenue",
      fields: ["at:$.grids[0].revenue": "0"])
    #expect(
      back.contains(#""revenue":[3,5,20]"#) && back.contains(#"{"value":3,"events":["trial"]}"#), "\(back)")
  }

  @Test func `Values that were left free are used before anything behind them moves`() {
    let text = #""fine":[{"value":5,"events":["late"]}],"grids":[{"first-value":1,"revenue":[1,5,20]}]"#
    let grown = made(text, "list $.grids[0].revenue", fields: ["list:$.grids[0].revenue": "1\n2\n5\n20\n50"])
    #expect(grown.contains(#""value":5"#), "\(grown)")
    let more = made(text, "list $.grids[0].revenue", fields: ["list:$.grids[0].revenue": "1;2;3;5;20;50"])
    #expect(more.contains(#""value":6"#), "\(more)")
  }

  @Test(arguments: [
    ("1, 2.50, 20", "[1,2.50,20]"), ("1\r\n2\r\n", "[1,2]"), ("1,2,3", "[1,2,3]"),
    ("0.5 x 3", #"[0.5,"x",3]"#),
  ]) func `A list of edges is read as people write lists`(_ list: String, _ edges: String) {
    let text = #""grids":[{"first-value":1,"revenue":[1,5,20]}]"#
    let after = made(text, "list $.grids[0].revenue", fields: ["list:$.grids[0].revenue": list])
    #expect(after.contains("\"revenue\":\(edges)"), "\(after)")
  }

  @Test func `Neighbours that change places keep the values that they have together`() {
    let text =
      #""grids":[{"first-value":1,"events":["a"],"revenue":[1,5,20]},{"first-value":3,"events":["b"],"revenue":[1,2,3,4]}]"#
    let after = made(text, "down $.grids[0]")
    #expect(after.contains(#"{"first-value":1,"events":["b"],"revenue":[1,2,3,4]}"#), "\(after)")
    #expect(after.contains(#"{"first-value":4,"events":["a"],"revenue":[1,5,20]}"#), "\(after)")
    #expect(made(text, "down $.grids[0]", "up $.grids[1]") == made(text))
    let events = #""grids":[{"first-value":1,"events":["a","b"],"revenue":[1,5]}]"#
    #expect(made(events, "up $.grids[0].events[1]").contains(#""events":["b","a"]"#))
  }

  @Test func `The last element that goes takes its list with it, and fewer than two edges are none`() {
    let text = #""grids":[{"first-value":1,"events":["a"],"revenue":[1,5]}]"#
    #expect(made(text, "remove $.grids[0]") == Self.document(""))
    #expect(made(text, "remove $.grids[0].events[0]").contains(#"{"first-value":1,"revenue":[1,5]}"#))
    #expect(made(text, "remove $.grids[0].revenue[1]").contains(#"{"first-value":1,"events":["a"]}"#))
  }

  @Test func `The value of plain installs stays where it is when another rule goes`() {
    let text = #""fine":[{"value":0},{"value":1,"events":["a"]},{"value":2,"events":["b"]}]"#
    #expect(made(text, "remove $.fine[0]").contains(#"[{"value":1,"events":["a"]},{"value":2"#))
    #expect(made(text, "remove $.fine[1]").contains(#"[{"value":0},{"value":1,"events":["b"]}]"#))
  }

  @Test func `Coarse ranges of a new window end where fine ranges end`() {
    let text = #""grids":[{"first-value":1,"revenue":[1,2,3,4,5,6]}]"#
    let after = made(text, "add $.coarse")
    #expect(after.contains(#""low":{"revenue":{"from":0,"to":3}}"#), "\(after)")
    #expect(after.contains(#""high":{"revenue":{"from":5,"representative":6}}"#), "\(after)")
  }

  @Test(arguments: [
    "", "add", "add $", "add $.name", "remove $.grids[9]", "remove $.name", "up $.grids[0]",
    "down $.grids[0]",
    "insert $.grids[0].revenue", "explode $.grids[0]", "remove $.grids[0].events[0].name",
    "remove $.grids[-1]", "remove $.grids[99999999999999999999]", "add $.coarse[0]",
    "list $.grids[0].revenue",
  ]) func `A step that there is nothing for makes nothing`(_ step: String) {
    let text = Self.document(#""grids":[{"first-value":1,"events":["a"],"revenue":[1,5]}]"#)
    let edit = MappingEdit(step, fields: { _ in nil })
    #expect(edit?.applied(to: Array(text.utf8)) == nil, "\(step)")
  }

  @Test func `With no value left a rule is not added`() {
    #expect(made(#""fine":[{"value":63}]"#, "add $.fine").hasPrefix("no "))
    #expect(made(#""fine":[{"value":62}]"#, "add $.grids").hasPrefix("no "))
    #expect(made(#""fine":[{"value":62}]"#, "add $.fine").contains(#"{"value":63,"#))
  }

  @Test func `In a text of several lines what a step adds takes lines too`() {
    let text = "{\n  \"name\": \"t\",\n  \"fine\": [\n    {\n      \"value\": 0\n    }\n  ]\n}\n"
    let after = MappingEdit.add(JSONPath.root.member("fine")).applied(to: Array(text.utf8)) ?? []
    #expect(
      String(decoding: after, as: UTF8.self)
        == "{\n  \"name\": \"t\",\n  \"fine\": [\n    {\n      \"value\": 0\n    },\n    {\n      \"value\": 1,\n"
        + "      \"events\": [\n        \"new_event\"\n      ]\n    }\n  ]\n}\n")
  }

  @Test func `A value that a step moved beyond the 64 comes back with the next one`() {
    let fine = (31...34).map { #"{"value":\#($0),"events":["e\#($0)"]}"# }.joined(separator: ",")
    let edges = (0...30).map { "\($0)" }.joined(separator: ",")
    let text =
      #""fine":[\#(fine)],"grids":[{"first-value":1,"events":["a"],"revenue":[\#(edges)]}]"#
    #expect(made(text, "add $.grids[0].events").contains(#"{"value":64,"events":["e34"]}"#))
    let back = made(text, "add $.grids[0].events", "remove $.grids[0].events[1]")
    #expect(back.contains(#"{"value":34,"events":["e34"]}"#), "\(back)")
  }

  @Test func `No number in a draft stops a step`() throws {
    let numbers = [
      "9223372036854775807", "-9223372036854775808", "9000000000000", "-9000000000000", "5000000000000",
      "0", "64", "-1", "1e18", "\"9000000000000\"",
    ]
    var rng = SplitMix64(seed: 7)
    func number() -> String { numbers.randomElement(using: &rng) ?? "0" }
    let words: [MappingEdit.Word] = [.add, .remove, .up, .down, .list, .insert, .removeEdge]
    let places = ["", "[0]", "[1]", "[9223372036854775807]", "[2147483647]"]
    for _ in 0..<2000 {
      let grid = """
        {"first-value":\(number()),"revenue":[\(number()),\(number()),\(number())],\
        "active-hours":[\(number()),\(number()),\(number())]}
        """
      let text = Self.document(
        #""fine":[{"value":\#(number())},{"value":\#(number()),"events":["e"]}],"grids":[\#(grid),\#(grid)]"#)
      let list = ["$.grids", "$.fine", "$.coarse"].randomElement(using: &rng) ?? ""
      let inner = ["", ".revenue", #"["active-hours"]"#, ".events"].randomElement(using: &rng) ?? ""
      let place = places.randomElement(using: &rng) ?? ""
      let path = list + place + (place.isEmpty ? "" : inner + (places.randomElement(using: &rng) ?? ""))
      let word = words.randomElement(using: &rng) ?? .add
      let edge = ["0", "1", "2", "9223372036854775807"].randomElement(using: &rng)
      let edit = MappingEdit("\(word.rawValue) \(path)") { field in
        field.hasPrefix("at:") ? edge : "\(numbers[0])\n\(numbers[1])"
      }
      let bytes = Array(text.utf8)
      let after = edit?.applied(to: bytes) ?? bytes
      #expect(throws: Never.self) { try JSONReader.read(after, allowingDuplicates: true) }
      _ = MappingEdit.makingRoom(in: after, since: bytes)
    }
  }
}
