/// Text as a part of an address: all but letters, digits, `-`, `.`, `_`, `~` and what is kept is escaped.
///
/// Source: RFC 3986, section 2.
package func percentEncoded(_ text: String, keeping kept: String = "") -> String {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(text.utf8.count)
  for byte in text.utf8 {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
    case _ where kept.utf8.contains(byte): bytes.append(byte)
    default:
      bytes.append(UInt8(ascii: "%"))
      bytes.append(hexDigit(byte >> 4))
      bytes.append(hexDigit(byte & 0xF))
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}

private func hexDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
}

/// The text that a name or value of a query or form stands for, in which a plus is a space; `nil` where an escape lacks its
/// two digits, or where it is no UTF-8.
///
/// Source: WHATWG, "URL", section 5.1.
package func percentDecoded(_ bytes: some Collection<UInt8>) -> String? {
  var plain: [UInt8] = []
  plain.reserveCapacity(bytes.count)
  var rest = bytes.makeIterator()
  while let byte = rest.next() {
    switch byte {
    case UInt8(ascii: "+"): plain.append(0x20)
    case UInt8(ascii: "%"):
      guard let high = rest.next().flatMap(hexValue), let low = rest.next().flatMap(hexValue) else {
        return nil
      }
      plain.append(high << 4 | low)
    default: plain.append(byte)
    }
  }
  return String(validating: plain, as: UTF8.self)
}

private func hexValue(_ letter: UInt8) -> UInt8? {
  switch letter {
  case 0x30...0x39: letter - 0x30
  case 0x41...0x46: letter - 0x37
  case 0x61...0x66: letter - 0x57
  default: nil
  }
}
