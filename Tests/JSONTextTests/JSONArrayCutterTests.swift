import JSONText
import Testing

struct `A cutter of a JSON array` {
  /// The elements and the rest, whatever the pieces in which the text comes.
  private func cut(_ text: String, _ path: String, piece: Int) throws -> (elements: [String], rest: String) {
    var cutter = JSONArrayCutter(path: path)
    var elements: [[UInt8]] = []
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: piece) {
      try cutter.append(Array(bytes[start..<min(start + piece, bytes.count)]), to: &elements)
    }
    return (
      elements.map { String(decoding: $0, as: UTF8.self) }, String(decoding: cutter.finish(), as: UTF8.self)
    )
  }

  @Test(arguments: [
    (#"[{"a":1}, {"b":"],\"["} ,3]"#, "", [#"{"a":1}"#, #"{"b":"],\"["}"#, "3"], "[]"),
    (" [ ] ", "", [], " [] "),
    (
      #"{"x":[1,2],"data":[ {"c":[]}, [4] ],"n":"data"}"#, "data", [#"{"c":[]}"#, "[4]"],
      #"{"x":[1,2],"data":[],"n":"data"}"#
    ),
    (#"{"r":{"rows":[1]},"rows":[2]}"#, "r.rows", ["1"], #"{"r":{"rows":[]},"rows":[2]}"#),
    (#"{"r.rows":[1,2]}"#, "r.rows", ["1", "2"], #"{"r.rows":[]}"#),
    (#"{"d":[{"rows":[0]},{"rows":[1]}]}"#, "d.1.rows", ["1"], #"{"d":[{"rows":[0]},{"rows":[]}]}"#),
    (#"{"\u0064ata":[1]}"#, "data", ["1"], #"{"\u0064ata":[]}"#),
    (#"{"data":"[1]","rest":[1]}"#, "data", [], #"{"data":"[1]","rest":[1]}"#),
    (#"{"a":[1,2"#, "a", ["1"], #"{"a":["#),
  ])
  func `A cutter of a JSON array finds its elements, and keeps what is around them`(
    text: String, path: String, elements: [String], rest: String
  ) throws {
    for piece in [1, 2, 3, 1000] {
      let found = try cut(text, path, piece: piece)
      #expect(found.elements == elements && found.rest == rest)
    }
  }

  @Test(arguments: [("[1,,2]", 2), ("[1,]", 2), ("[,1]", 1)])
  func `A cutter of a JSON array misses an element beside a comma`(text: String, number: Int) throws {
    #expect(throws: JSONArrayCutter.Defect.noElement(number)) { try cut(text, "", piece: 2) }
  }

  @Test func `A cutter of a JSON array keeps no more than it has room for`() throws {
    let long = String(repeating: "x", count: JSONArrayCutter.longestElement)
    #expect(throws: JSONArrayCutter.Defect.longElement(2)) { try cut(#"[1,"\#(long)"]"#, "", piece: 10_000) }
    #expect(throws: JSONArrayCutter.Defect.longRest) { try cut(#"{"a":"\#(long)"}"#, "b", piece: 10_000) }
  }
}
