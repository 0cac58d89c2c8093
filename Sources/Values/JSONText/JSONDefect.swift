package import Values

/// What keeps bytes from being strict JSON, and where.
public struct JSONDefect: Error, Hashable, Sendable {
  public let reason: Reason
  /// The first byte that is not allowed where it is, from 0; the number of bytes when more were needed.
  public let offset: Int
  /// The value that was being read.
  public let path: JSONPath

  public init(_ reason: Reason, offset: Int, path: JSONPath = .root) {
    self.reason = reason
    self.offset = offset
    self.path = path
  }

  /// The kinds of defect; the raw value is the stable code.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    case unexpectedEnd = "unexpected-end"
    case unexpectedCharacter = "unexpected-character"
    case byteOrderMark = "byte-order-mark"
    case trailingBytes = "trailing-bytes"
    case invalidNumber = "invalid-number"
    case invalidEscape = "invalid-escape"
    case loneSurrogate = "lone-surrogate"
    case controlCharacter = "control-character"
    case invalidUTF8 = "invalid-utf8"
    case duplicateMember = "duplicate-member"
    case tooDeep = "too-deep"

    package var sentence: Sentence {
      switch self {
      case .unexpectedEnd: Sentence("the text ends before the value does")
      case .unexpectedCharacter: Sentence("this character is not allowed here")
      case .byteOrderMark: Sentence("the text starts with a byte order mark")
      case .trailingBytes: Sentence("something follows the value")
      case .invalidNumber: Sentence("this is not a JSON number")
      case .invalidEscape: Sentence("this is not a JSON escape")
      case .loneSurrogate: Sentence("an escape holds half of a surrogate pair")
      case .controlCharacter: Sentence("control characters have to be escaped in a string")
      case .invalidUTF8: Sentence("these bytes are not UTF-8")
      case .duplicateMember: Sentence("an object has two members of this name")
      case .tooDeep: Sentence("the nesting is too deep")
      }
    }
  }

  public var code: String { reason.rawValue }

  /// The line and column of the defect in the bytes that were read.
  public func position(in bytes: [UInt8]) -> TextPosition { TextPosition(ofByte: offset, in: bytes) }
}

extension JSONDefect: CustomStringConvertible {
  public var description: String { sentence.english }

  /// The reason and the place.
  package var sentence: Sentence {
    // Names come from the sender, so a path can be as long as the text it was found in.
    let way = path.description.unicodeScalars
    let shown = String(way.prefix(120)) + (way.count > 120 ? "…" : "")
    return path.steps.isEmpty
      ? Sentence("\(reason.sentence), at byte \(offset)")
      : Sentence("\(reason.sentence), at byte \(offset) in \(code: shown)")
  }
}

/// A place in a text as editors count it.
public struct TextPosition: Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1.
  public let line: Int
  /// The column in Unicode scalars, from 1.
  public let column: Int

  /// Counts lines and columns up to the byte at `offset`.
  ///
  /// - Complexity: Linear in `offset`.
  public init(ofByte offset: Int, in bytes: [UInt8]) {
    var line = 1
    var column = 1
    for byte in bytes.prefix(max(0, offset)) {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    self.line = line
    self.column = column
  }

  /// Counts the columns from the start of a line that is known already.
  ///
  /// - Complexity: Linear in the part of the line.
  public init(ofByte offset: Int, inLine line: Int, from start: Int, of bytes: [UInt8]) {
    self.line = line
    let end = max(start, min(offset, bytes.count))
    column = bytes[start..<end].count { $0 & 0xC0 != 0x80 } + 1
  }

  public var description: String { "\(line):\(column)" }
}
