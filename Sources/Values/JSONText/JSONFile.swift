public import Values

/// A JSON file that people write, strictly read: every mistake names its line, its path and what is allowed.
public struct JSONFile {
  /// The file's bytes.
  public let bytes: [UInt8]
  /// The file's name, for messages.
  public let name: String
  /// Where its form is described.
  public let schema: String

  /// Names bytes.
  public init(_ bytes: [UInt8], name: String, schema: String) {
    self.bytes = bytes
    self.name = name
    self.schema = schema
  }

  /// The root of the file.
  public func read() throws(JSONFileError) -> JSONNode {
    do {
      return try JSONReader.read(bytes)
    } catch {
      let place = error.path.steps.isEmpty ? "" : "\(error.path): "
      let diagnosis = error.diagnosis(in: bytes)
      throw mistake(
        at: error.offset, "\(place)the file is not JSON: \(diagnosis.sentence)", cure: diagnosis.cure)
    }
  }

  /// The members of an object that has no others than these.
  public func object(
    _ node: JSONNode, _ path: JSONPath, allowing names: [String]
  ) throws(JSONFileError) -> JSONObject {
    guard let object = node.value.object else { throw wrongType(node, path, "an object", .object) }
    for member in object.members where !names.contains(member.name) {
      let guess = nearest(to: member.name, among: names)
      let hint =
        guess.map { "; did you mean \(quoted($0))?" } ?? "; use one of \(names.joined(separator: ", "))"
      throw mistake(
        at: member.nameRange.lowerBound, "\(path.member(member.name)): unknown member\(hint)")
    }
    return object
  }

  /// The elements of an array.
  public func array(_ node: JSONNode, _ path: JSONPath) throws(JSONFileError) -> [JSONNode] {
    guard let array = node.value.array else { throw wrongType(node, path, "an array", .array) }
    return array
  }

  /// A text that is not empty.
  public func text(_ node: JSONNode, _ path: JSONPath) throws(JSONFileError) -> String {
    guard let text = node.value.string else { throw wrongType(node, path, "a string", .text) }
    guard !text.isEmpty else { throw mistake(node, path, "is empty") }
    return text
  }

  /// A whole number within bounds.
  public func integer(
    _ node: JSONNode, _ path: JSONPath, in range: ClosedRange<Int64>
  ) throws(JSONFileError) -> Int64 {
    let wanted = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    guard let number = node.value.number, number.isPlainInteger else {
      throw wrongType(node, path, wanted, .integer)
    }
    guard let integer = number.integer, range.contains(integer) else {
      throw mistake(node, path, "must be \(wanted), found \(number.text.prefix(24))")
    }
    return integer
  }

  /// A value of another type than the one that belongs there.
  public func wrongType(
    _ node: JSONNode, _ path: JSONPath, _ expected: String, _ wanted: JSONWanted? = nil
  ) -> JSONFileError {
    mistake(
      node, path, "must be \(expected), found \(node.value.sort.rawValue)",
      cure: wanted.flatMap { node.value.cure(for: $0) })
  }

  /// A mistake at a value.
  public func mistake(_ node: JSONNode, _ path: JSONPath, _ problem: String, cure: String? = nil)
    -> JSONFileError
  {
    mistake(at: node.range.lowerBound, "\(path) \(problem)", cure: cure)
  }

  /// A mistake at a byte.
  public func mistake(at offset: Int, _ problem: String, cure: String? = nil) -> JSONFileError {
    JSONFileError(
      file: name, position: TextPosition(ofByte: offset, in: bytes), problem: problem,
      remedy: cure ?? "see \(schema) for the format")
  }
}

/// A mistake in a ``JSONFile``.
public struct JSONFileError: UserFacingError, Hashable, CustomStringConvertible {
  /// The file's name as it was given.
  public let file: String
  /// Where the mistake is.
  public let position: TextPosition
  /// The path of the value, what was found and what is allowed.
  public let problem: String
  /// What may help.
  public let remedy: String?

  /// The file, the place and the problem.
  public var description: String { "\(file):\(position): \(problem)" }
  /// What it means to the program that started this one.
  public var exitCode: ExitCode { .data }
}
