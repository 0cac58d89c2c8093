import JSONText
import Values

/// Reads the members of one object by their documented names and exact JSON types.
struct MemberReader {
  let object: JSONObject
  let part: PostbackPart
  /// The members that were asked for and found, to notice at the end that others are there.
  private var names: [MemberName] = []

  init(_ object: JSONObject, part: PostbackPart) {
    self.object = object
    self.part = part
    names.reserveCapacity(16)
  }

  /// Whether a member is there, of whatever type; it still counts as not asked for.
  func has(_ name: MemberName) -> Bool { object[name.rawValue] != nil }

  mutating func string(_ name: MemberName) throws(PostbackDefect) -> String {
    try required(try optionalString(name), name)
  }

  /// Reads a text that has to be there and must not be empty.
  mutating func nonEmptyString(_ name: MemberName) throws(PostbackDefect) -> String {
    let text = try string(name)
    guard !text.isEmpty else { throw .wrongForm(MemberPath(part, name), .notEmpty) }
    return text
  }

  /// Reads a text that may be missing; `null` is not missing.
  mutating func optionalString(_ name: MemberName) throws(PostbackDefect) -> String? {
    guard let node = take(name) else { return nil }
    guard case .string(let text) = node.value else { throw wrongType(name, .string, node) }
    guard !holdsSeparator(text) else { throw .separatorInValue(MemberPath(part, name)) }
    return text
  }

  /// Reads a text that Apple does not sign; one that is written for no value counts as missing, with a warning.
  mutating func optionalClaim(
    _ name: MemberName, _ warnings: inout [PostbackWarning]
  ) throws(PostbackDefect) -> String? {
    guard let text = try optionalString(name) else { return nil }
    guard NullText.isOne(text) else { return text }
    warnings.append(.nullAsText(name))
    return nil
  }

  mutating func boolean(_ name: MemberName) throws(PostbackDefect) -> Bool {
    let node = try required(take(name), name)
    guard case .bool(let truth) = node.value else { throw wrongType(name, .boolean, node) }
    return truth
  }

  mutating func integer(_ name: MemberName, in range: ClosedRange<Int64>) throws(PostbackDefect) -> Int64 {
    let number = try required(try optionalNumber(name), name)
    guard let integer = number.integer, range.contains(integer) else {
      throw .outOfRange(MemberPath(part, name), .within(range.lowerBound, range.upperBound))
    }
    return integer
  }

  mutating func app(_ name: MemberName) throws(PostbackDefect) -> AppID {
    try required(try optionalApp(name), name)
  }

  mutating func optionalApp(_ name: MemberName) throws(PostbackDefect) -> AppID? {
    guard let number = try optionalNumber(name) else { return nil }
    // `-0` is a plain integer too, but not how a device writes zero.
    guard number.text.utf8.first != UInt8(ascii: "-"), let app = number.integer.flatMap({ AppID($0) }) else {
      throw .outOfRange(MemberPath(part, name), .notNegative)
    }
    return app
  }

  /// Reads a number that may be missing and has to be written as a plain integer, of whatever size.
  mutating func optionalNumber(_ name: MemberName) throws(PostbackDefect) -> JSONNumber? {
    guard let node = take(name) else { return nil }
    guard case .number(let number) = node.value, number.isPlainInteger else {
      throw wrongType(name, .integer, node)
    }
    return number
  }

  mutating func network(_ name: MemberName) throws(PostbackDefect) -> AdNetworkID {
    guard let network = AdNetworkID(try string(name)) else {
      throw .wrongForm(MemberPath(part, name), .notEmpty)
    }
    return network
  }

  mutating func sourceIdentifier() throws(PostbackDefect) -> SourceIdentifier {
    guard let source = SourceIdentifier(try string(.sourceIdentifier)) else {
      throw .wrongForm(MemberPath(part, .sourceIdentifier), .twoToFourDigits)
    }
    return source
  }

  mutating func window() throws(PostbackDefect) -> ConversionWindow {
    let index = try integer(.postbackSequenceIndex, in: 0...2)
    // The range above is that of the three windows.
    return ConversionWindow(rawValue: Int(index)) ?? .first
  }

  /// The names that were not asked for; at most 16 of them, because a sender can add thousands.
  var others: [String] {
    guard names.count != object.members.count else { return [] }
    let others = object.members.lazy.map(\.name).filter { name in
      !names.contains { haveSameBytes($0.rawValue, name) }
    }
    return Array(others.prefix(16))
  }

  private mutating func take(_ name: MemberName) -> JSONNode? {
    guard let node = object[name.rawValue] else { return nil }
    names.append(name)
    return node
  }

  private func required<Value>(_ value: Value?, _ name: MemberName) throws(PostbackDefect) -> Value {
    guard let value else { throw .missingMember(MemberPath(part, name)) }
    return value
  }

  private func wrongType(_ name: MemberName, _ expected: JSONType, _ node: JSONNode) -> PostbackDefect {
    .wrongType(MemberPath(part, name), expected: expected, found: node.value.sort)
  }
}

/// Whether a text holds U+2063, the separator of the signed string, in UTF-8 `E2 81 A3`.
func holdsSeparator(_ text: String) -> Bool {
  guard !text.utf8Span.isKnownASCII else { return false }
  return text.unicodeScalars.contains("\u{2063}")
}
