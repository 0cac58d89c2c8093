import JSONText
import Testing
@testable import Screens

@Suite struct `Two versions of a draft` {
  private let base = #"{"name":"a","grids":[{"revenue":[1,5,20]}],"fine":[{"value":0}],"lock":"x"}"#

  private func compared(_ theirs: String, _ mine: String, base: String?) -> DraftMerge? {
    DraftMerge(base: base.map { Array($0.utf8) }, theirs: Array(theirs.utf8), mine: Array(mine.utf8))
  }

  private func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

  @Test func `A field that one side changed has that side, and one that both changed has none`() throws {
    let theirs = base.replacing("5", with: "6").replacing(#""a""#, with: #""theirs""#)
    let mine = base.replacing("5", with: "7").replacing(#","lock":"x""#, with: "")
    let merge = try #require(compared(theirs, mine, base: base))
    let found = merge.differences.map { ("\($0.path)", $0.changed) }
    #expect(found.map(\.0) == ["$.name", "$.grids[0].revenue[1]", "$.lock"])
    #expect(found.map(\.1) == [.theirs, nil, .mine])
    #expect(merge.merged { path in merge.differences.first { $0.path == path }?.changed } == nil)
    let merged = merge.merged { path in
      merge.differences.first { $0.path == path }?.changed ?? .mine
    }
    #expect(
      text(merged) == #"{"name":"theirs","grids":[{"revenue":[1,7,20]}],"fine":[{"value":0}]}"#)
    #expect(text(merge.merged { _ in .theirs }) == theirs)
  }

  @Test func `All fields of mine make my text, and what both changed alike is no difference`() throws {
    let theirs = base.replacing("20", with: "30").replacing(
      #"{"value":0}"#, with: #"{"value":0},{"value":1}"#)
    let mine = base.replacing("20", with: "30").replacing(#""x""#, with: #""y","more":1"#)
    let merge = try #require(compared(theirs, mine, base: base))
    #expect(merge.differences.map { "\($0.path)" } == [#"$.fine["1"]"#, "$.lock", "$.more"])
    let merged = try #require(merge.merged { _ in .mine })
    #expect(
      try JSONOutput(JSONReader.read(merged).value) == JSONOutput(JSONReader.read(Array(mine.utf8)).value))
  }

  @Test func `Rules that both sides added or removed are chosen one by one`() throws {
    func text(_ fine: String) -> String { #"{"name":"a","fine":[\#(fine)]}"# }
    func rule(_ value: Int, _ label: String = "") -> String { #"{"value":\#(value),"label":"\#(label)"}"# }
    let base = text([rule(0), rule(5)].joined(separator: ","))
    let theirs = text([rule(0), rule(5), rule(7, "theirs")].joined(separator: ","))
    let mine = text([rule(0), rule(9, "mine")].joined(separator: ","))
    let merge = try #require(compared(theirs, mine, base: base))
    #expect(merge.differences.map(\.changed) == [.mine, .theirs, .mine])
    let merged = merge.merged { path in merge.differences.first { $0.path == path }?.changed }
    #expect(self.text(merged) == text([rule(0), rule(7, "theirs"), rule(9, "mine")].joined(separator: ",")))
  }

  @Test func `Without the text before, each difference is to be chosen`() throws {
    let merge = try #require(compared(base.replacing("5", with: "6"), base, base: nil))
    #expect(merge.differences.map(\.changed) == [nil])
  }

  @Test func `Texts that are no JSON, or differ in all, are not compared by field`() {
    #expect(compared("{", base, base: base) == nil)
    #expect(compared(base, "no", base: base) == nil)
    #expect(compared(base, "[]", base: base) == nil)
    let many = (0..<300).map { "\"f\($0)\":1" }.joined(separator: ",")
    #expect(compared(base, "{\(many)}", base: base) == nil)
  }
}
