import Foundation
import JSONText
import MappingEditing
import Mappings
import Testing
import TestSupport
import Values

struct `Findings of a draft` {
  private func answer(_ text: String) -> EditorAnswer? { answer(Array(text.utf8)) }

  private func answer(_ bytes: [UInt8]) -> EditorAnswer? {
    MappingTrials().answer(MappingDocument.check(bytes), of: bytes)
  }

  /// Makes the change as a script of the page does.
  private func apply(_ repair: DraftFinding.Repair, to text: String) -> String {
    (text as NSString).replacingCharacters(
      in: NSRange(location: repair.range.lowerBound, length: repair.range.count), with: repair.text)
  }

  static let repairable: [(String, String)] = [
    (#""grids": [{"first-value": 1, "revenue": [0, 5, 2]}]"#, "not-rising"),
    (#""grids": [{"first-value": 1, "revenue": [0, 4,99, 150]}]"#, "decimal-comma"),
    (#""grid": [{"first-value": 1, "revenue": [0, 5]}]"#, "unknown-member"),
    (#""precedence": "Highest_Value", "fine": [{"value": 0}]"#, "unknown-word"),
    (#""fine": [{"value": 3, "events": ["buy"]}]"#, "no-value-for-plain-installs"),
    (
      #""declared-events": ["buy"], "fine": [{"value": 0}, {"value": 3, "events": ["purchase"]}]"#,
      "undeclared-event"
    ),
    (
      #""fine": [{"value": 0, "coarse": "low"}, {"value": 1, "coarse": "low", "revenue": {"from": 1, "to": 3}}, {"value": 2, "coarse": "high", "revenue": {"from": 2, "to": 9}}]"#,
      "overlapping-ranges"
    ),
    (
      #""fine": [{"value": 0, "coarse": "low"}, {"value": 1, "coarse": "low", "revenue": {"from": 1, "to": 3}}, {"value": 2, "coarse": "high", "revenue": {"from": 4, "to": 9}}]"#,
      "gap-between-ranges"
    ),
    (
      #""fine": [{"value": 0, "coarse": "low", "revenue": {"to": 1}}, {"value": 1, "coarse": "high", "revenue": {"from": 1, "to": 3, "representative": 2}}]"#,
      "no-value-above-the-last-range"
    ),
    (
      #""fine": [{"value": 0}, {"value": 1, "lock": true, "events": ["open"]}, {"value": 2, "revenue": {"from": 4}}]"#,
      "lock-loses-money"
    ),
    (
      #""fine": [{"value": 0}, {"value": 1, "events": ["a"]}, {"value": 1, "events": ["a"]}]"#,
      "repeated-rule"
    ),
  ]

  @Test(arguments: repairable) func `A repair ends its finding and leaves the rest of the text`(
    part: String, code: String
  ) throws {
    for name in ["m", "Ö😀 日本"] {
      let text =
        "{\n  \"name\": \"\(name)\", \"app\": 7, \"currency\": \"USD\",\n  \"effective-from\": \"2026-11-01\", "
        + "\"protocol\": \"skan4\",\n  \(part)\n}\n"
      let findings = try #require(answer(text)).findings
      let found = try #require(
        findings.first { $0.finding.code.text == code }, "\(findings.map(\.finding.description))")
      let repair = try #require(found.repair)
      let mended = apply(repair, to: text)
      let left = try #require(answer(mended)).findings
      #expect(
        !left.contains {
          $0.finding.code.text == code && $0.finding.path == found.finding.path
            && $0.finding.sentence == found.finding.sentence
        }, "\(mended)")
      #expect(left.allSatisfy { $0.finding.severity == .warning }, "\(left.map(\.finding.description))")
      #expect(mended.hasPrefix("{\n  \"name\": \"\(name)\", \"app\": 7"))
      #expect(mended.hasSuffix("\n}\n"))
    }
  }

  @Test func `A finding of a rule names the rule's value`() throws {
    let text =
      #"{"name": "m", "app": 7, "currency": "USD", "effective-from": "2026-11-01", "protocol": "skan4", "#
      + #""fine": [{"value": 0}, {"value": 9, "revenue": {"from": "x"}}], "#
      + #""coarse": [{"window": 2, "high": {"revenue": {"to": []}}}]}"#
    let keys = try #require(answer(text)).findings.map { $0.slot?.key }
    #expect(keys == ["9", "2-high"])
  }

  /// Places of findings lie in the text, lines and columns are those of an editor, and repairs replace what is there.
  @Test func `Places of findings hold for thousands of damaged texts`() throws {
    var random = SplitMix64(seed: 5)
    let sound = Array(mapping().utf8)
    let pieces = [
      "\"", "{", "}", "[", "]", ",", ":", "null", "-1", "1e999", "NaN", "0.5", "\\", "\u{e9}", "\u{1F600}",
      "\"lock\": true,", "\"revenue\": ", "\"value\": 70", " ", "\n",
    ]
    for _ in 0..<3000 {
      var bytes = sound
      for _ in 0...random.number(below: 3) {
        let at = random.number(below: bytes.count)
        switch random.number(below: 3) {
        case 0: bytes.removeSubrange(at..<min(bytes.count, at + 1 + random.number(below: 12)))
        case 1: bytes.insert(contentsOf: Array(pieces[random.number(below: pieces.count)].utf8), at: at)
        default: bytes[at] = UInt8(truncatingIfNeeded: random.next())
        }
        if bytes.isEmpty { bytes = [0x20] }
      }
      let answer = try #require(self.answer(bytes))
      let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
      let units = String(decoding: bytes, as: UTF8.self).utf16.count
      for found in answer.findings {
        let position = found.finding.position
        #expect((1...lines.count).contains(position.line))
        let length = position.line <= lines.count ? lines[position.line - 1].count { $0 & 0xC0 != 0x80 } : 0
        #expect((1...length + 1).contains(position.column))
        if let repair = found.repair { #expect(repair.range.upperBound <= units) }
      }
      #expect((answer.errors > 0) == (answer.mapping == nil))
      #expect(answer.cells.isEmpty == (answer.mapping == nil))
    }
  }

  static let hostile: [(String, String)] = [
    ("deep", String(repeating: "[", count: 200_000)),
    ("deep object", String(repeating: #"{"fine":"#, count: 50_000)),
    ("huge number", #"{"app": "# + String(repeating: "9", count: 400_000) + "}"),
    ("NaN", #"{"name": NaN, "app": Infinity}"#),
    ("duplicates", "{" + (0..<40_000).map { _ in #""name": 1"# }.joined(separator: ",") + "}"),
    ("many members", "{" + (0..<40_000).map { "\"m\($0)\": 1" }.joined(separator: ",") + "}"),
    (
      "many rules",
      mapping().replacingOccurrences(
        of: #""fine": [{"value": 0, "label": "installed"}]"#,
        with: #""fine": ["#
          + (0..<512).map {
            #"{"value": \#($0 % 64), "label": "\#($0)", "events": [{"name": "e\#($0 % 40)", "count": {"min": \#($0 % 7), "max": \#($0 % 7 + 3)}, "revenue": {"from": \#($0), "to": \#($0 + 9)}}]}"#
          }.joined(separator: ",") + "]"
      ).replacingOccurrences(
        of: #""grids": [{"first-value": 1, "revenue": [0, 0.5, 2, 10, null], "worth": "low"}],"#, with: "")
    ),
    (
      "a value that is none",
      mapping().replacingOccurrences(
        of: #""first-value": 1, "revenue": [0, 0.5, 2, 10, null]"#,
        with: #""first-value": 9223372036854775807, "revenue": [5, 1, 20]"#)
    ),
    ("control characters", "{\"name\": \"\u{0}\u{1}\u{202E}\"}"),
  ]

  @Test(.timeLimit(.minutes(1)), arguments: hostile) func `A hostile text gets an answer in bounded time`(
    name: String, text: String
  ) throws {
    let start = wallMicroseconds()
    let answer = try #require(self.answer(text))
    #expect(!answer.findings.isEmpty)
    #expect(answer.findings.count <= 200)
    // Debug builds are some thirty times slower than released ones.
    #expect((wallMicroseconds() - start) / 1e6 < 20, "\(name)")
  }
}

private func wallMicroseconds() -> Double { Date().timeIntervalSince1970 * 1e6 }
