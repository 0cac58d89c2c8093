package import Values

/// Reading of times and amounts from the bytes of a cell.
enum EventValues {
  /// The last second that RFC 3339 can write, 9999-12-31T23:59:59Z.
  static let lastSecond: Int64 = 253_402_300_799

  /// Reads a time: whole seconds, or RFC 3339; in milliseconds, `nil` where it is neither.
  static func time(_ text: Span<UInt8>) -> Int64? {
    if let seconds = seconds(text) { return seconds * 1000 }
    return Instant(text)?.milliseconds
  }

  private static func seconds(_ text: Span<UInt8>) -> Int64? {
    guard !text.isEmpty else { return nil }
    let hasSign = text[0] == UInt8(ascii: "-") || text[0] == UInt8(ascii: "+")
    var value: Int64 = 0
    for index in (hasSign ? 1 : 0)..<text.count {
      let digit = text[index] &- 0x30
      guard digit < 10 else { return nil }
      value = value * 10 + Int64(digit)
      guard value <= lastSecond else { return nil }
    }
    guard !hasSign || text.count > 1 else { return nil }
    return text[0] == UInt8(ascii: "-") ? -value : value
  }

  /// Reads an amount in millionths; the same as `Amount(decimal:)`, which reads what is unusual.
  ///
  /// - Throws: `Amount.Defect` when the text is not a number, needs more than six decimals, or does not fit.
  static func micros(_ text: Span<UInt8>) throws(Amount.Defect) -> Int64 {
    if let plain = plainMicros(text) { return plain }
    let bytes = text.indices.map { text[$0] }
    return try Amount(decimal: String(decoding: bytes, as: UTF8.self)).micros
  }

  /// Reads up to twelve digits and six decimals, which always fit.
  private static func plainMicros(_ text: Span<UInt8>) -> Int64? {
    let isNegative = !text.isEmpty && text[0] == UInt8(ascii: "-")
    let start = isNegative ? 1 : 0
    var at = start
    var value: Int64 = 0
    while at < text.count, text[at] &- 0x30 < 10 {
      value = value &* 10 &+ Int64(text[at] - 0x30)
      at += 1
      guard at - start <= 12 else { return nil }
    }
    guard at > start, at == start + 1 || text[start] != 0x30 else { return nil }
    var decimals = 0
    if at < text.count {
      guard text[at] == UInt8(ascii: "."), at + 1 < text.count else { return nil }
      at += 1
      while at < text.count, text[at] &- 0x30 < 10, decimals < 6 {
        value = value &* 10 &+ Int64(text[at] - 0x30)
        decimals += 1
        at += 1
      }
      guard at == text.count else { return nil }
    }
    while decimals < 6 {
      value &*= 10
      decimals += 1
    }
    return isNegative ? -value : value
  }
}

extension Amount {
  /// The text of a number with a point in the place of its only comma, where that can only be the decimal mark.
  ///
  /// - Returns: `nil` where there is no such comma; `1,234` can mean two numbers.
  package static func pointed(_ text: String) -> String? {
    guard text.count(where: { $0 == "," }) == 1, !text.contains("."),
      text.drop(while: { $0 != "," }).dropFirst().count != 3
    else { return nil }
    return text.replacing(",", with: ".")
  }
}
