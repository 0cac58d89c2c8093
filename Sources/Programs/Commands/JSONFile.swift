import JSONText
import System
import Values

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
  func read() throws(CommandError) -> JSONNode {
    do {
      return try JSONReader.read(bytes)
    } catch {
      let place = error.path.steps.isEmpty ? "" : "\(error.path): "
      let diagnosis = error.diagnosis(in: bytes)
      throw obstacle(
        at: error.offset, "\(place)the file is not JSON: \(diagnosis.sentence)", cure: diagnosis.cure)
    }
  }

  /// The members of an object that has no others than these.
  func object(
    _ node: JSONNode, _ path: JSONPath, allowing names: [String]
  ) throws(CommandError) -> JSONObject {
    guard let object = node.value.object else { throw wrongType(node, path, "an object", .object) }
    for member in object.members where !names.contains(member.name) {
      let guess = nearest(to: member.name, among: names)
      let hint =
        guess.map { "; did you mean \(quoted($0))?" } ?? "; use one of \(names.joined(separator: ", "))"
      throw obstacle(
        at: member.nameRange.lowerBound, "\(path.member(member.name)): unknown member\(hint)")
    }
    return object
  }

  /// The elements of an array.
  func array(_ node: JSONNode, _ path: JSONPath) throws(CommandError) -> [JSONNode] {
    guard let array = node.value.array else { throw wrongType(node, path, "an array", .array) }
    return array
  }

  /// A text that is not empty.
  func text(_ node: JSONNode, _ path: JSONPath) throws(CommandError) -> String {
    guard let text = node.value.string else { throw wrongType(node, path, "a string", .text) }
    guard !text.isEmpty else { throw obstacle(node, path, "is empty") }
    return text
  }

  /// A whole number within bounds.
  func integer(
    _ node: JSONNode, _ path: JSONPath, in range: ClosedRange<Int64>
  ) throws(CommandError) -> Int64 {
    let wanted = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    guard let number = node.value.number, number.isPlainInteger else {
      throw wrongType(node, path, wanted, .integer)
    }
    guard let integer = number.integer, range.contains(integer) else {
      throw obstacle(node, path, "must be \(wanted), found \(number.text.prefix(24))")
    }
    return integer
  }

  /// A value of another type than the one that belongs there.
  func wrongType(
    _ node: JSONNode, _ path: JSONPath, _ expected: String, _ wanted: JSONWanted? = nil
  ) -> CommandError {
    obstacle(
      node, path, "must be \(expected), found \(node.value.sort.rawValue)",
      cure: wanted.flatMap { node.value.cure(for: $0) })
  }

  /// A mistake at a value.
  func obstacle(_ node: JSONNode, _ path: JSONPath, _ problem: String, cure: String? = nil) -> CommandError {
    obstacle(at: node.range.lowerBound, "\(path) \(problem)", cure: cure)
  }

  /// A mistake at a byte.
  func obstacle(at offset: Int, _ problem: String, cure: String? = nil) -> CommandError {
    CommandError(
      .data, "\(name):\(TextPosition(ofByte: offset, in: bytes)): \(problem)",
      remedy: cure ?? "see \(schema) for the format")
  }
}
