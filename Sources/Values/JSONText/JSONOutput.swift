import Values

/// A JSON value to be written; object members are written in the order they are given.
public enum JSONOutput: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// A number in its own words, so that no digit is lost.
  case number(JSONNumber)
  case string(String)
  case array([JSONOutput])
  case object([Member])

  public struct Member: Hashable, Sendable {
    public let name: String
    public let value: JSONOutput

    public init(_ name: String, _ value: JSONOutput) {
      self.name = name
      self.value = value
    }
  }

  /// A text, or `null` where there is none.
  public static func optional(_ text: String?) -> JSONOutput { text.map { .string($0) } ?? .null }

  /// A number that was computed in binary, with up to six decimals; `null` where there is none or it is not finite.
  public static func decimal(_ number: Double?) -> JSONOutput {
    guard let number, number.isFinite else { return .null }
    return JSONNumber(trimmed(number, 6)).map { .number($0) } ?? .null
  }

  public init(_ value: JSONValue) {
    self =
      switch value {
      case .null: .null
      case .bool(let truth): .bool(truth)
      case .number(let number): .number(number)
      case .string(let text): .string(text)
      case .array(let elements): .array(elements.map { JSONOutput($0.value) })
      case .object(let object): .object(object.members.map { Member($0.name, JSONOutput($0.value.value)) })
      }
  }

  /// The bytes of the JSON text.
  ///
  /// The same value gives the same bytes: compact without any space, or pretty with two spaces a level and an array
  /// of numbers on one line. Neither ends with a line break.
  public func bytes(pretty: Bool = false) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(256)
    append(to: &bytes, level: pretty ? 0 : nil)
    return bytes
  }

  /// The JSON text; see ``bytes(pretty:)``.
  public func text(pretty: Bool = false) -> String { String(decoding: bytes(pretty: pretty), as: UTF8.self) }

  /// Whether it is an object that has members, or has one in it.
  var hasObjects: Bool {
    switch self {
    case .object(let members): !members.isEmpty
    case .array(let elements): elements.contains(where: \.hasObjects)
    case .null, .bool, .integer, .number, .string: false
    }
  }

  private var isNumber: Bool {
    switch self {
    case .integer, .number: true
    case .null, .bool, .string, .array, .object: false
    }
  }

  /// Writes the value at the end of `bytes`; `level` is the indentation, or `nil` for compact text.
  func append(to bytes: inout [UInt8], level: Int?) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let truth): bytes += (truth ? "true" : "false").utf8
    case .integer(let integer): bytes += String(integer).utf8
    case .number(let number): bytes += number.text.utf8
    case .string(let text): appendJSONString(text, to: &bytes)
    case .array(let elements) where level != nil && elements.allSatisfy(\.isNumber):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes += ", ".utf8 }
        element.append(to: &bytes, level: nil)
      }
      bytes.append(UInt8(ascii: "]"))
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        breakLine(in: &bytes, isFirst: index == 0, level: level.map { $0 + 1 })
        element.append(to: &bytes, level: level.map { $0 + 1 })
      }
      if let level, !elements.isEmpty { indent(&bytes, level: level) }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        breakLine(in: &bytes, isFirst: index == 0, level: level.map { $0 + 1 })
        appendJSONString(member.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        if level != nil { bytes.append(0x20) }
        member.value.append(to: &bytes, level: level.map { $0 + 1 })
      }
      if let level, !members.isEmpty { indent(&bytes, level: level) }
      bytes.append(UInt8(ascii: "}"))
    }
  }
}

extension JSONOutput: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(stringLiteral text: String) { self = .string(text) }
  public init(integerLiteral integer: Int64) { self = .integer(integer) }
  public init(booleanLiteral truth: Bool) { self = .bool(truth) }
  public init(nilLiteral: ()) { self = .null }
  public init(arrayLiteral elements: JSONOutput...) { self = .array(elements) }
  /// Takes a dictionary literal, whose order is kept.
  public init(dictionaryLiteral members: (String, JSONOutput)...) {
    self = .object(members.map { Member($0, $1) })
  }
}

func breakLine(in bytes: inout [UInt8], isFirst: Bool, level: Int?) {
  if !isFirst { bytes.append(UInt8(ascii: ",")) }
  if let level { indent(&bytes, level: level) }
}

func indent(_ bytes: inout [UInt8], level: Int) {
  bytes.append(0x0A)
  bytes.append(contentsOf: repeatElement(0x20, count: 2 * level))
}

/// Writes a text as a JSON string, with quotation marks, at the end of `bytes`.
///
/// Escaped is what JSON demands, and with `escapesInvisible` also the invisible letters that would let a text from
/// outside play tricks on a terminal or hide a separator. Source: RFC 8259, section 7.
public func appendJSONString(_ text: String, to bytes: inout [UInt8], escapesInvisible: Bool = false) {
  bytes.append(UInt8(ascii: "\""))
  if escapesInvisible {
    for scalar in text.unicodeScalars {
      if isInvisible(scalar) {
        for unit in String(scalar).utf16 { appendEscape(UInt32(unit), to: &bytes) }
      } else {
        for byte in String(scalar).utf8 { appendEscaped(byte, to: &bytes) }
      }
    }
  } else {
    for byte in text.utf8 { appendEscaped(byte, to: &bytes) }
  }
  bytes.append(UInt8(ascii: "\""))
}

private func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
  default: false
  }
}

private func appendEscaped(_ byte: UInt8, to bytes: inout [UInt8]) {
  switch byte {
  case UInt8(ascii: "\""), UInt8(ascii: "\\"):
    bytes.append(UInt8(ascii: "\\"))
    bytes.append(byte)
  case 0x0A: bytes += "\\n".utf8
  case 0x0D: bytes += "\\r".utf8
  case 0x09: bytes += "\\t".utf8
  case 0..<0x20, 0x7F: appendEscape(UInt32(byte), to: &bytes)
  default: bytes.append(byte)
  }
}

private func appendEscape(_ unit: UInt32, to bytes: inout [UInt8]) {
  bytes += "\\u".utf8
  for shift in [12, 8, 4, 0] as [UInt32] {
    let digit = UInt8(truncatingIfNeeded: unit >> shift & 15)
    bytes.append(digit < 10 ? digit + 0x30 : digit + 0x57)
  }
}
