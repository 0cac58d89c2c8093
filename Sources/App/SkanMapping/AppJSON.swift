/// A JSON value of an app document; numbers are whole.
enum AppJSON: Sendable {
  case object([(name: String, value: AppJSON)])
  case array([AppJSON])
  case string(String)
  case integer(Int64)
  case truth(Bool)
  case null

  /// What it is, as an error names it.
  var found: String {
    switch self {
    case .object: "an object"
    case .array: "an array"
    case .string(let text): "the text \"\(shortened(text))\""
    case .integer(let number): "the number \(number)"
    case .truth(let truth): "\(truth)"
    case .null: "null"
    }
  }
}

/// The text, at most 40 letters of it, so that an error stays readable.
func shortened(_ text: String) -> String { text.count > 40 ? text.prefix(40) + "..." : text }

/// Reads JSON as RFC 8259 has it, and stricter: numbers are whole and fit 64 bits, no object has a name twice, nothing
/// is nested deeper than ``deepest``.
struct AppJSONReader {
  /// Objects and arrays in each other at most.
  static let deepest = 16

  private let bytes: [UInt8]
  private var at = 0
  private var depth = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads one value and nothing behind it.
  static func read(_ bytes: [UInt8]) throws(AppDocumentError) -> AppJSON {
    guard isUnicode(bytes) else {
      throw AppDocumentError(place: "document", found: "bytes that are no UTF-8", allowed: "JSON in UTF-8")
    }
    var reader = AppJSONReader(bytes)
    let value = try reader.value()
    reader.skipSpace()
    guard reader.at == bytes.count else { throw reader.wrong("the end of the document") }
    return value
  }

  private static func isUnicode(_ bytes: [UInt8]) -> Bool {
    var iterator = bytes.makeIterator()
    var decoder = UTF8()
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue: continue
      case .emptyInput: return true
      case .error: return false
      }
    }
  }

  private mutating func value() throws(AppDocumentError) -> AppJSON {
    skipSpace()
    switch peek {
    case UInt8(ascii: "{"): return try nested { (reader) throws(AppDocumentError) in try reader.object() }
    case UInt8(ascii: "["): return try nested { (reader) throws(AppDocumentError) in try reader.array() }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .truth(true))
    case UInt8(ascii: "f"): return try word("false", .truth(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return .integer(try integer())
    }
  }

  private mutating func nested(
    _ read: (inout AppJSONReader) throws(AppDocumentError) -> AppJSON
  ) throws(AppDocumentError) -> AppJSON {
    guard depth < Self.deepest else {
      throw wrong("at most \(Self.deepest) objects and arrays in each other")
    }
    depth += 1
    at += 1
    let value = try read(&self)
    depth -= 1
    return value
  }

  private mutating func object() throws(AppDocumentError) -> AppJSON {
    var members: [(name: String, value: AppJSON)] = []
    var names: Set<String> = []
    skipSpace()
    if skip("}") { return .object([]) }
    repeat {
      skipSpace()
      let start = at
      let name = try string()
      guard names.insert(name).inserted else {
        at = start
        throw AppDocumentError(
          place: place, found: "a second member \"\(shortened(name))\"", allowed: "each name once")
      }
      skipSpace()
      guard skip(":") else { throw wrong("a colon") }
      members.append((name, try value()))
      skipSpace()
    } while skip(",")
    guard skip("}") else { throw wrong("a comma or }") }
    return .object(members)
  }

  private mutating func array() throws(AppDocumentError) -> AppJSON {
    var elements: [AppJSON] = []
    skipSpace()
    if skip("]") { return .array([]) }
    repeat {
      elements.append(try value())
      skipSpace()
    } while skip(",")
    guard skip("]") else { throw wrong("a comma or ]") }
    return .array(elements)
  }

  private mutating func word(_ text: StaticString, _ value: AppJSON) throws(AppDocumentError) -> AppJSON {
    let letters = Array("\(text)".utf8)
    guard bytes[at...].starts(with: letters) else { throw wrong("a JSON value") }
    at += letters.count
    return value
  }

  private mutating func integer() throws(AppDocumentError) -> Int64 {
    let start = at
    _ = skip("-")
    while isDigit(peek) { at += 1 }
    let text = String(decoding: bytes[start..<at], as: UTF8.self)
    let isWhole = peek != UInt8(ascii: ".") && peek.map { $0 | 0x20 } != UInt8(ascii: "e")
    let digits = text.drop { $0 == "-" }
    guard isWhole, digits.count == 1 || digits.first != "0", let number = Int64(text) else {
      at = start
      throw wrong(digits.isEmpty ? "a JSON value" : "a whole number of at most 64 bits")
    }
    return number
  }

  private mutating func string() throws(AppDocumentError) -> String {
    guard skip("\"") else { throw wrong("a text in quotation marks") }
    var letters: [UInt8] = []
    while let byte = peek, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw wrong("no control character within a text") }
      at += 1
      if byte != UInt8(ascii: "\\") {
        letters.append(byte)
      } else {
        letters += Array(String(Character(try escaped())).utf8)
      }
    }
    guard skip("\"") else { throw wrong("a quotation mark") }
    return String(decoding: letters, as: UTF8.self)
  }

  private mutating func escaped() throws(AppDocumentError) -> Unicode.Scalar {
    guard let byte = peek else { throw wrong("an escape") }
    at += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let unit = try hexadecimal()
      if let scalar = Unicode.Scalar(unit) { return scalar }
      // The first half of a pair; only together are both a letter.
      if unit < 0xDC00, skip("\\"), skip("u") {
        let second = try hexadecimal()
        if (0xDC00...0xDFFF).contains(second),
          let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00))
        {
          return scalar
        }
      }
      throw wrong("both halves of a surrogate pair")
    default:
      at -= 1
      throw wrong("one of the escapes \" \\ / b f n r t u")
    }
  }

  private mutating func hexadecimal() throws(AppDocumentError) -> UInt32 {
    guard at + 4 <= bytes.count,
      bytes[at..<at + 4].allSatisfy({ isDigit($0) || (0x61...0x66).contains($0 | 0x20) }),
      let number = UInt32(String(decoding: bytes[at..<at + 4], as: UTF8.self), radix: 16)
    else { throw wrong("four hexadecimal digits") }
    at += 4
    return number
  }

  private var peek: UInt8? { at < bytes.count ? bytes[at] : nil }

  private func isDigit(_ byte: UInt8?) -> Bool { byte.map { (0x30...0x39).contains($0) } ?? false }

  private mutating func skip(_ letter: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: letter) else { return false }
    at += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { at += 1 }
  }

  /// Line and column, from 1.
  private var place: String {
    let before = bytes[..<at]
    let line = 1 + before.count { $0 == 0x0A }
    let column = 1 + before.reversed().prefix { $0 != 0x0A }.count
    return "line \(line), column \(column)"
  }

  private func wrong(_ allowed: String) -> AppDocumentError {
    let found: String
    if let byte = peek {
      found = (0x21...0x7E).contains(byte) ? "\"\(Character(Unicode.Scalar(byte)))\"" : "byte \(byte)"
    } else {
      found = "the end of the document"
    }
    return AppDocumentError(place: place, found: found, allowed: allowed)
  }
}
