package import Values

/// A JSON value as it was read, with the bytes it came from.
public struct JSONNode: Equatable, Sendable {
  public let value: JSONValue
  /// Where its text is in the bytes that were read, without white space around it.
  public let range: Range<Int>

  public init(value: JSONValue, range: Range<Int>) {
    self.value = value
    self.range = range
  }
}

/// A JSON value.
///
/// Source: RFC 8259, section 3.
public enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSONNode])
  case object(JSONObject)

  public var string: String? { if case .string(let text) = self { text } else { nil } }

  public var bool: Bool? { if case .bool(let truth) = self { truth } else { nil } }

  public var number: JSONNumber? { if case .number(let number) = self { number } else { nil } }

  public var array: [JSONNode]? { if case .array(let elements) = self { elements } else { nil } }

  public var object: JSONObject? { if case .object(let object) = self { object } else { nil } }

  public var sort: JSONType {
    switch self {
    case .null: .null
    case .bool: .boolean
    case .number(let number): number.isPlainInteger ? .integer : .fraction
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }
}

/// The sorts of JSON value that messages distinguish; the raw value is the words they use.
public enum JSONType: String, Hashable, Sendable, CaseIterable {
  case null
  case boolean = "a boolean"
  /// A number written without fraction and exponent.
  case integer = "an integer"
  /// A number written with a fraction or an exponent, even where its value is whole.
  case fraction = "a number with a fraction or an exponent"
  case string = "a string"
  case array = "an array"
  case object = "an object"

  package var words: Sentence {
    switch self {
    case .null: Sentence("\(code: rawValue)")
    case .boolean: Sentence("a boolean")
    case .integer: Sentence("an integer")
    case .fraction: Sentence("a number with a fraction or an exponent")
    case .string: Sentence("a string")
    case .array: Sentence("an array")
    case .object: Sentence("an object")
    }
  }
}

/// A JSON number, kept as the text it was written in so that no digit is lost.
public struct JSONNumber: Hashable, Sendable {
  /// The number exactly as it was written.
  public let text: String

  /// Wraps text that the reader has found to be a number.
  init(unchecked text: String) { self.text = text }

  /// Wraps the text of a number; `nil` when JSON would not allow it.
  public init?(_ text: String) {
    guard let node = try? JSONReader.read(Array(text.utf8)), case .number(let number) = node.value else {
      return nil
    }
    guard number.text.utf8.count == text.utf8.count else { return nil }
    self = number
  }

  /// Whether the number is written without fraction and exponent: `5`, but not `5.0` or `5E0`.
  public var isPlainInteger: Bool {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
  }

  /// The value, when the number is written as a plain integer and fits 64 bits.
  public var integer: Int64? { isPlainInteger ? Int64(text) : nil }
}

/// A JSON object whose members keep the order they were sent in.
public struct JSONObject: Equatable, Sendable {
  /// The members in order; no two have the same name, unless reading accepts duplicates.
  public let members: [JSONMember]

  public init(members: [JSONMember]) { self.members = members }

  /// The value of the first member with that name.
  ///
  /// - Complexity: Linear in the number of members.
  public subscript(name: String) -> JSONNode? {
    let length = name.utf8.count
    for place in members.indices where members[place].nameLength == length {
      if haveSameBytes(members[place].name, name) { return members[place].value }
    }
    return nil
  }

  /// The members of other names than these, in the order of the document.
  public func members(otherThan names: [String]) -> some Sequence<JSONMember> {
    members.lazy.filter { member in !names.contains { haveSameBytes($0, member.name) } }
  }

  /// The first member whose name another has already; `nil` in everything that was read strictly.
  ///
  /// - Complexity: Linear in the number of members.
  public var duplicate: JSONMember? {
    var names: Set<ByteName> = []
    for (index, member) in members.enumerated() {
      let isKnown =
        members.count <= ByteName.fewMembers
        ? members[..<index].contains { haveSameBytes($0.name, member.name) }
        : !names.insert(ByteName(text: member.name)).inserted
      if isKnown { return member }
    }
    return nil
  }
}

/// A member of a JSON object.
public struct JSONMember: Equatable, Sendable {
  public let name: String
  /// Where the name is, with its quotation marks.
  public let nameRange: Range<Int>
  public let value: JSONNode
  /// Bytes of the name, by which most names differ: compared first, because each look at a text counts a use of its memory.
  let nameLength: Int

  public init(name: String, nameRange: Range<Int>, value: JSONNode) {
    self.name = name
    self.nameRange = nameRange
    self.value = value
    nameLength = name.utf8.count
  }
}

/// Whether two texts are the same UTF-8 bytes.
///
/// `==` on strings calls `é` written as one scalar and as two the same; names and identifiers on the wire are not.
public func haveSameBytes(_ a: String, _ b: String) -> Bool {
  guard a.utf8.count == b.utf8.count, a == b else { return false }
  // What equals an ASCII letter without being it takes more bytes, so the counts would differ.
  return a.utf8Span.isKnownASCII || a.utf8.elementsEqual(b.utf8)
}
