import JSONText
import Platform

/// A JSON file that people write, strictly read: every mistake is told with its line, its path and what is allowed.
struct JSONFile {
  /// The file's bytes.
  let bytes: [UInt8]
  /// The file's name, for messages.
  let name: String
  /// Where its form is described.
  let schema: String

  /// Names bytes.
  init(_ bytes: [UInt8], name: String, schema: String) {
    self.bytes = bytes
    self.name = name
    self.schema = schema
  }

  /// The root of the file.
  func read() throws(Obstacle) -> JSONNode {
    do {
      return try JSONReader.read(bytes)
    } catch {
      let place = error.path.steps.isEmpty ? "" : "\(error.path): "
      throw obstacle(at: error.offset, "\(place)\(error.reason.sentence)")
    }
  }

  /// The members of an object that has no others than these.
  func object(
    _ node: JSONNode, _ path: JSONPath, allowing names: [String]
  ) throws(Obstacle) -> JSONObject {
    guard let object = node.value.object else { throw wrongType(node, path, "an object") }
    for member in object.members where !names.contains(member.name) {
      let guess = nearest(to: member.name, among: names)
      let hint =
        guess.map { "; did you mean \(quoted($0))?" } ?? "; known are \(names.joined(separator: ", "))"
      throw obstacle(
        at: member.nameRange.lowerBound, "\(path.member(member.name)): there is no such member\(hint)")
    }
    return object
  }

  /// The elements of an array.
  func array(_ node: JSONNode, _ path: JSONPath) throws(Obstacle) -> [JSONNode] {
    guard let array = node.value.array else { throw wrongType(node, path, "an array") }
    return array
  }

  /// A text that is not empty.
  func text(_ node: JSONNode, _ path: JSONPath) throws(Obstacle) -> String {
    guard let text = node.value.string else { throw wrongType(node, path, "a string") }
    guard !text.isEmpty else { throw obstacle(node, path, "is empty") }
    return text
  }

  /// A whole number within bounds.
  func integer(
    _ node: JSONNode, _ path: JSONPath, in range: ClosedRange<Int64>
  ) throws(Obstacle) -> Int64 {
    guard let number = node.value.number?.integer, range.contains(number) else {
      throw obstacle(
        node, path, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// A value of another type than the one that belongs there.
  func wrongType(_ node: JSONNode, _ path: JSONPath, _ expected: String) -> Obstacle {
    obstacle(node, path, "must be \(expected), found \(node.value.sort.rawValue)")
  }

  /// A mistake at a value.
  func obstacle(_ node: JSONNode, _ path: JSONPath, _ problem: String) -> Obstacle {
    obstacle(at: node.range.lowerBound, "\(path) \(problem)")
  }

  /// A mistake at a byte.
  func obstacle(at offset: Int, _ problem: String) -> Obstacle {
    Obstacle(
      .data, "\(name):\(TextPosition(ofByte: offset, in: bytes)): \(problem)",
      remedy: "\(schema) describes the file")
  }
}
