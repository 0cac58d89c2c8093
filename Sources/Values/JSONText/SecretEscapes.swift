import Values

/// How texts are written so that they fit into addresses, JSON and HTML.
enum SecretEscapes {
  /// The marks that HTML has names for; the first one is part of the others.
  static let ofMarkup: [(mark: String, escape: String)] = [
    ("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"), ("'", "&#39;"),
  ]
  private static let names: [(escape: [UInt8], byte: [UInt8])] = (ofMarkup + [("'", "&apos;")]).map {
    (Array($0.escape.utf8), Array($0.mark.utf8))
  }
  /// `\t` and its like: all of them are white space.
  private static let spaces = Set("bfnrt".utf8)

  /// Bytes with what `%5A`, `\u005A`, `\x5A`, `\/`, `&#90;`, `&#x5A;` and `&amp;` stand for.
  static func plain(_ bytes: [UInt8]) -> [UInt8] {
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    var rest = bytes[...]
    while let first = rest.first {
      let found =
        switch first {
        case UInt8(ascii: "%"): hexadecimal(rest, after: 1, digits: 2)
        case UInt8(ascii: "\\"): backslash(rest)
        case UInt8(ascii: "&"): entity(rest)
        default: nil as (plain: [UInt8], length: Int)?
        }
      plain += found?.plain ?? [first]
      rest = rest.dropFirst(found?.length ?? 1)
    }
    return plain
  }

  private static func hexadecimal(
    _ bytes: ArraySlice<UInt8>, after prefix: Int, digits: Int
  ) -> (plain: [UInt8], length: Int)? {
    let found = bytes.dropFirst(prefix).prefix(digits)
    guard found.count == digits, let number = value(of: found, radix: 16) else { return nil }
    // Two digits are a byte, and more are a letter.
    return (digits == 2 ? [UInt8(number)] : letter(number), prefix + digits)
  }

  private static func backslash(_ bytes: ArraySlice<UInt8>) -> (plain: [UInt8], length: Int)? {
    guard let next = bytes.dropFirst().first else { return nil }
    switch next {
    case UInt8(ascii: "u"): return hexadecimal(bytes, after: 2, digits: 4)
    case UInt8(ascii: "x"): return hexadecimal(bytes, after: 2, digits: 2)
    default: return (spaces.contains(next) ? [0x20] : [next], 2)
    }
  }

  private static func entity(_ bytes: ArraySlice<UInt8>) -> (plain: [UInt8], length: Int)? {
    if let name = names.first(where: { bytes.starts(with: $0.escape) }) {
      return (name.byte, name.escape.count)
    }
    guard bytes.dropFirst().first == UInt8(ascii: "#") else { return nil }
    let isHexadecimal = bytes.dropFirst(2).first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
    let prefix = isHexadecimal ? 3 : 2
    let digits = bytes.dropFirst(prefix).prefix(8).prefix { $0 != UInt8(ascii: ";") }
    guard let number = value(of: digits, radix: isHexadecimal ? 16 : 10) else { return nil }
    let isClosed = bytes.dropFirst(prefix + digits.count).first == UInt8(ascii: ";")
    return (letter(number), prefix + digits.count + (isClosed ? 1 : 0))
  }

  private static func value(of digits: ArraySlice<UInt8>, radix: Int) -> UInt32? {
    digits.allSatisfy(isLetterOrDigit) ? UInt32(String(decoding: digits, as: UTF8.self), radix: radix) : nil
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
  }

  private static func letter(_ number: UInt32) -> [UInt8] {
    Array(String(Unicode.Scalar(number).map(Character.init) ?? "\u{FFFD}").utf8)
  }
}
