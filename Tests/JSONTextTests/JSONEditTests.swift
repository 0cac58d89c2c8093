import JSONText
import TestSupport
import Testing
import Values

struct `Edits of a JSON text` {
  private func edit(_ text: String, _ edit: JSONEdit) -> String? {
    edit.applied(to: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
  }

  private let a = JSONPath.root.member("a")

  @Test func `A value is replaced and the rest stays as it was written`() {
    #expect(edit("{ \"a\" :  1 , \"b\": [ 2 ]}", .set(a, "x")) == "{ \"a\" :  \"x\" , \"b\": [ 2 ]}")
    #expect(edit("[0, [1,  2]]", .set(JSONPath.root.element(1).element(1), 9)) == "[0, [1,  9]]")
  }

  @Test func `A member that is missing is added in the layout of the one before`() {
    #expect(edit("{}", .set(a, 1)) == "{\"a\": 1}")
    #expect(edit("{\n  \"b\": 2\n}", .set(a, 1)) == "{\n  \"b\": 2,\n  \"a\": 1\n}")
    #expect(edit("{\"b\": 2, \"c\": 3}", .set(a, 1)) == "{\"b\": 2, \"c\": 3, \"a\": 1}")
    #expect(edit("{\"b\": 2}", .set(JSONPath.root.member("b").member("a"), 1)) == nil)
  }

  @Test func `An element is added at the end of an array`() {
    #expect(edit("{\"a\": []}", .append(a, 1)) == "{\"a\": [1]}")
    #expect(edit("{\"a\": [\n 0\n]}", .append(a, 1)) == "{\"a\": [\n 0,\n 1\n]}")
    #expect(edit("{\"a\": 3}", .append(a, 1)) == nil)
  }

  @Test func `A member or an element is removed with its comma`() {
    #expect(edit("{\"a\": 1, \"b\": 2}", .remove(a)) == "{\"b\": 2}")
    #expect(edit("{\"b\": 2, \"a\": 1}", .remove(a)) == "{\"b\": 2}")
    #expect(edit("{\"a\": 1}", .remove(a)) == "{}")
    #expect(edit("[1, 2, 3]", .remove(JSONPath.root.element(1))) == "[1, 3]")
    #expect(edit("[1]", .remove(JSONPath.root.element(1))) == nil)
  }

  @Test func `A member is renamed`() {
    #expect(edit("{\"a\": 1}", .rename(a, "b\"")) == "{\"b\\\"\": 1}")
    #expect(edit("{\"b\": 1}", .rename(a, "b")) == nil)
  }

  @Test func `A text that is no JSON is not edited`() {
    #expect(edit("{", .set(a, 1)) == nil)
    #expect(edit("", .remove(a)) == nil)
  }

  @Test func `A change between two texts gives the second, whatever the letters`() {
    var random = SplitMix64(seed: 3)
    let letters = ["a", "é", "€", "😀", "日", "b"]
    for _ in 0..<2000 {
      func text() -> String {
        (0..<random.number(below: 8)).map { _ in letters[random.number(below: letters.count)] }.joined()
      }
      let (old, new) = (text(), text())
      let change = TextChange(from: Array(old.utf8), to: Array(new.utf8))
      let range = change.rangeInUTF16(of: Array(old.utf8))
      let units = Array(old.utf16)
      let result = units[..<range.lowerBound] + Array(change.text.utf16) + units[range.upperBound...]
      #expect(String(decoding: Array(result), as: UTF16.self) == new)
    }
  }
}
