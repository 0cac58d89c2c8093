extension JSONScanner {
  /// Reads the string at the present place.
  ///
  /// Source: RFC 8259, section 7.
  mutating func string() throws(JSONDefect) -> String {
    at += 1
    let start = at
    // Nearly all strings are ASCII without escapes: no copy is made but the string's own.
    while at < bytes.count {
      let byte = bytes[at]
      if byte == UInt8(ascii: "\"") {
        at += 1
        return String(decoding: bytes[start..<at - 1], as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\") || byte < 0x20 || byte >= 0x80 { break }
      at += 1
    }
    return try unusualString(from: start)
  }

  /// Reads on in a string that has escapes or letters beyond ASCII.
  private mutating func unusualString(from start: Int) throws(JSONDefect) -> String {
    var text = Array(bytes[start..<at])
    while at < bytes.count {
      let byte = bytes[at]
      switch byte {
      case UInt8(ascii: "\""):
        at += 1
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): try escape(into: &text)
      case 0..<0x20: throw JSONDefect(.controlCharacter, offset: at)
      case 0x20..<0x80:
        text.append(byte)
        at += 1
      default:
        let length = try lengthOfScalar()
        text += bytes[at..<at + length]
        at += length
      }
    }
    throw JSONDefect(.unexpectedEnd, offset: at)
  }

  /// The bytes that the scalar beyond ASCII takes.
  ///
  /// Source: RFC 3629, section 4.
  private func lengthOfScalar() throws(JSONDefect) -> Int {
    let second: ClosedRange<UInt8>
    let length: Int
    switch bytes[at] {
    case 0xC2...0xDF: (second, length) = (0x80...0xBF, 2)
    case 0xE0: (second, length) = (0xA0...0xBF, 3)
    case 0xED: (second, length) = (0x80...0x9F, 3)
    case 0xE1...0xEF: (second, length) = (0x80...0xBF, 3)
    case 0xF0: (second, length) = (0x90...0xBF, 4)
    case 0xF1...0xF3: (second, length) = (0x80...0xBF, 4)
    case 0xF4: (second, length) = (0x80...0x8F, 4)
    default: throw JSONDefect(.invalidUTF8, offset: at)
    }
    guard at + length <= bytes.count, second.contains(bytes[at + 1]) else {
      throw JSONDefect(.invalidUTF8, offset: at)
    }
    for index in 2..<max(2, length) where bytes[at + index] & 0xC0 != 0x80 {
      throw JSONDefect(.invalidUTF8, offset: at)
    }
    return length
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONDefect) {
    let start = at
    guard at + 1 < bytes.count else { throw JSONDefect(.unexpectedEnd, offset: bytes.count) }
    at += 2
    switch bytes[at - 1] {
    case UInt8(ascii: "\""): text.append(UInt8(ascii: "\""))
    case UInt8(ascii: "\\"): text.append(UInt8(ascii: "\\"))
    case UInt8(ascii: "/"): text.append(UInt8(ascii: "/"))
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text += Array(String(try escapedScalar(from: start)).utf8)
    default: throw JSONDefect(.invalidEscape, offset: start)
    }
  }

  /// Reads the digits behind `\u`, and the second half when they are the first half of a surrogate pair.
  private mutating func escapedScalar(from start: Int) throws(JSONDefect) -> Unicode.Scalar {
    let first = try fourHexDigits(from: start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, at + 1 < bytes.count, bytes[at] == UInt8(ascii: "\\"),
      bytes[at + 1] == UInt8(ascii: "u")
    else { throw JSONDefect(.loneSurrogate, offset: start) }
    at += 2
    let second = try fourHexDigits(from: at - 2)
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw JSONDefect(.loneSurrogate, offset: start) }
    return scalar
  }

  private mutating func fourHexDigits(from start: Int) throws(JSONDefect) -> UInt32 {
    guard at + 4 <= bytes.count else { throw JSONDefect(.unexpectedEnd, offset: bytes.count) }
    var number: UInt32 = 0
    for _ in 0..<4 {
      let digit: UInt8
      switch bytes[at] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = bytes[at] - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = bytes[at] - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = bytes[at] - UInt8(ascii: "A") + 10
      default: throw JSONDefect(.invalidEscape, offset: start)
      }
      number = number << 4 | UInt32(digit)
      at += 1
    }
    return number
  }
}
