import JSONText

/// The parameters of a query or a form.
///
/// Source: WHATWG URL, "application/x-www-form-urlencoded parsing". Unlike there, a broken escape or text that is not
/// UTF-8 is no form, because two readers could read it differently.
struct Parameters {
  /// Each with its name, decoded, in order.
  let members: [Sent]

  /// Reads a form; `nil` where the bytes are none.
  init?(_ bytes: [UInt8]) {
    var members: [Sent] = []
    for pair in bytes.split(separator: UInt8(ascii: "&")) {
      let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2, let name = Self.decoded(halves[0]), let value = Self.decoded(halves[1]),
        !name.isEmpty
      else { return nil }
      members.append(Sent(name, .string(value)))
    }
    guard !members.isEmpty else { return nil }
    self.members = members
  }

  /// The parameters as a query, everything encoded that is no letter, digit or one of `-._~`.
  static func text(_ parameters: [(name: String, value: String)]) -> [UInt8] {
    Array(
      parameters.map { encoded($0.name) + [UInt8(ascii: "=")] + encoded($0.value) }
        .joined(separator: [UInt8(ascii: "&")]))
  }

  private static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
    var plain: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): plain.append(0x20)
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
          return nil
        }
        plain.append(high << 4 | low)
      case 0..<0x20, 0x7F: return nil
      default: plain.append(byte)
      }
    }
    return String(validating: plain, as: UTF8.self)
  }

  private static func digit(_ letter: UInt8) -> UInt8? {
    switch letter {
    case 0x30...0x39: letter - 0x30
    case 0x41...0x46: letter - 0x37
    case 0x61...0x66: letter - 0x57
    default: nil
    }
  }

  private static func encoded(_ text: String) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return text.utf8.flatMap { byte -> [UInt8] in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: [byte]
      default: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
  }
}
