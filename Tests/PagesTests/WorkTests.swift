import JSONText
import TestSupport
import Testing
@testable import Screens
@testable import Pages

/// How many times as much work is accepted for 16 times the input.
///
/// Twice the work for twice the input is 16 times; a loop within a loop takes 256 times.
private let most = 64.0

private func grids(_ count: Int) -> [UInt8] {
  let grid = #"{"first-value":1,"active-hours":[0,24],"revenue":[1,5,20]}"#
  let all = Array(repeating: grid, count: count).joined(separator: ",")
  return Array(#"{"name":"many","currency":"USD","protocol":"skan4","grids":[\#(all)]}"#.utf8)
}

private func edges(_ count: Int) -> [UInt8] {
  let numbers = (0..<count).map { "\($0)" }.joined(separator: ", ")
  return Array(#"{"name":"long","grids":[{"first-value":1,"revenue":[\#(numbers)]}]}"#.utf8)
}

@Suite struct `The work of a form` {
  @Test func `The work of a form grows as its fields do, however often each is asked for`() throws {
    func read(_ count: Int) throws {
      let body = (0..<count).map { "field\($0)=1" }.joined(separator: "&")
      let form = try #require(FormBody(Array(body.utf8)))
      #expect((0..<count).allSatisfy { form["field\($0)"] == "1" })
    }
    #expect(try workRatio(of: { try read(4096) }, to: { try read(256) }) < most)
  }

  @Test func `The work of a form is bounded by a number of fields`() {
    #expect(FormBody(Array(Array(repeating: "a", count: 4096).joined(separator: "&").utf8)) != nil)
    #expect(FormBody(Array(Array(repeating: "a", count: 4097).joined(separator: "&").utf8)) == nil)
  }

  @Test func `The work of a form of a draft grows as its document does`() {
    func draw(_ count: Int) {
      let root = try? JSONReader.read(grids(count))
      let fields = EditorFields(
        fields: DraftField.all(of: root), texts: Texts(.english), isLocked: false, wrong: [])
      #expect(fields.markup.text.contains("fieldset"))
    }
    #expect(workRatio(of: { draw(4000) }, to: { draw(250) }) < most)
  }

  @Test func `The work of a form of a draft grows as the fields do that changed`() {
    func change(_ count: Int) {
      let after = DraftChange.applied(to: edges(count)) {
        $0.contains("revenue[") && !$0.hasSuffix("[+]") ? "7" : nil
      }
      #expect(after.count < edges(count).count)
    }
    #expect(workRatio(of: { change(960) }, to: { change(60) }) < most)
  }

  @Test func `The work of a form of a draft is bounded, whatever the document`() throws {
    for document in [grids(9000), edges(90_000)] {
      #expect(DraftField.all(of: try JSONReader.read(document)).count <= DraftField.most)
    }
    // A correct mapping with the most fields: each value is a grid.
    #expect(DraftField.all(of: try JSONReader.read(grids(64))).count == 4 + 64 * 9)
  }

  @Test func `A form of a draft changes, removes and adds edges in one go`() {
    let document = edges(6)
    let filled = [
      "$.grids[0].revenue[1]": "", "$.grids[0].revenue[2]": "2.5", "$.grids[0].revenue[5]": "",
      "$.grids[0].revenue[+]": "3.5", "$.name": "short",
    ]
    let after = DraftChange.applied(to: document) { filled[$0] }
    #expect(
      String(decoding: after, as: UTF8.self)
        == #"{"name":"short","grids":[{"first-value":1,"revenue":[0,2.5,3,3.5,4]}]}"#)
  }
}
