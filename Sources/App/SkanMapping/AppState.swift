/// What is saved between launches, but for the app documents.
struct AppState: Hashable, Sendable {
  /// The largest size of the state in a store, in bytes, both items together.
  static let mostBytes = 1024
  static let stateItem = "state"
  /// The item of what was sent, without the counters.
  static let sentItem = "sent"

  static func documentItem(_ id: UInt64) -> String {
    let digits = String(id, radix: 16)
    return "mapping-" + String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// The latest time seen, in milliseconds since 1970.
  var latest: Int64 = 0
  /// The conversions, the most recent last.
  var conversions: [AppConversion] = []

  init() {}
}

// The form: a number for the form, the time, the conversions, and at the end a check sum of all of it. Whole numbers have
// 7 bits a byte, the lowest first, and the highest bit of a byte where more follow.
extension AppState {
  private static let forms: (whole: UInt8, sent: UInt8) = (1, 129)

  func encoded(withCounters: Bool) -> [UInt8] {
    var bytes: [UInt8] = [withCounters ? Self.forms.whole : Self.forms.sent]
    append(UInt64(latest), to: &bytes)
    bytes.append(UInt8(clamping: conversions.count))
    for conversion in conversions.suffix(255) {
      let isBack = conversion.type == .reengagement
      bytes.append(
        (isBack ? 1 : 0) | (conversion.tag == nil ? 0 : 2)
          | (withCounters && conversion.isUnconfirmed ? 4 : 0) | (conversion.isRestarted ? 8 : 0))
      if let tag = conversion.tag {
        bytes.append(UInt8(clamping: tag.utf8.count))
        bytes += Array(tag.utf8)
      }
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: conversion.mapping >> UInt64(shift)))
      }
      append(UInt64(conversion.start), to: &bytes)
      append(UInt64(conversion.riseEnd), to: &bytes)
      for window in conversion.windows {
        bytes.append(UInt8(window.fine + 1) | (window.isLocked ? 128 : 0))
        bytes.append(UInt8(window.coarse + 1) | (window.wasUpdated ? 128 : 0))
      }
      guard withCounters else { continue }
      append(UInt64(conversion.now), to: &bytes)
      append(UInt64(conversion.counters.count), to: &bytes)
      for counter in conversion.counters {
        // The sign goes to the lowest bit, so that small losses stay short too.
        append(UInt64(bitPattern: counter << 1 ^ counter >> 63), to: &bytes)
      }
    }
    return sealed(bytes)
  }

  /// Reads what was encoded; `nil` unless it is whole.
  init?(_ sealed: [UInt8], withCounters: Bool) {
    guard sealed.count <= Self.mostBytes, let bytes = unsealed(sealed) else { return nil }
    var reader = StateReader(bytes)
    guard reader.byte() == (withCounters ? Self.forms.whole : Self.forms.sent),
      let latest = reader.number(), let count = reader.byte()
    else { return nil }
    self.latest = latest
    for _ in 0..<count {
      guard let conversion = reader.conversion(withCounters: withCounters), conversion.start <= latest else {
        return nil
      }
      conversions.append(conversion)
    }
    guard reader.isAtEnd else { return nil }
  }

  private func append(_ number: UInt64, to bytes: inout [UInt8]) {
    var rest = number
    while rest >= 128 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}

private struct StateReader {
  private let bytes: [UInt8]
  private var at = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { at == bytes.count }

  mutating func byte() -> UInt8? {
    guard at < bytes.count else { return nil }
    at += 1
    return bytes[at - 1]
  }

  /// A number that is never negative.
  mutating func number() -> Int64? { bits().flatMap { Int64(exactly: $0) } }

  mutating func conversion(withCounters: Bool) -> AppConversion? {
    guard let flags = byte(), flags < 16 else { return nil }
    var tag: String?
    if flags & 2 != 0 {
      guard let count = byte(), bytes.count - at >= Int(count) else { return nil }
      tag = String(decoding: bytes[at..<at + Int(count)], as: UTF8.self)
      at += Int(count)
    }
    var mapping: UInt64 = 0
    for _ in 0..<8 {
      guard let byte = byte() else { return nil }
      mapping = mapping << 8 | UInt64(byte)
    }
    guard let start = number(), let riseEnd = number() else { return nil }
    var conversion = AppConversion(
      type: flags & 1 == 0 ? .install : .reengagement, tag: tag, mapping: mapping, start: start, counters: [])
    conversion.riseEnd = riseEnd
    conversion.isUnconfirmed = flags & 4 != 0
    conversion.isRestarted = flags & 8 != 0
    for index in conversion.windows.indices {
      guard let window = window() else { return nil }
      conversion.windows[index] = window
    }
    guard withCounters else {
      // Whether the last call was made is not known; the same values again do no harm.
      conversion.isUnconfirmed = true
      return conversion
    }
    guard let now = number(), let count = number(), count <= bytes.count - at else { return nil }
    conversion.now = now
    for _ in 0..<count {
      guard let bits = bits() else { return nil }
      conversion.counters.append(Int64(bitPattern: bits >> 1) ^ -Int64(bitPattern: bits & 1))
    }
    return conversion
  }

  private mutating func window() -> AppConversion.Window? {
    guard let fine = byte(), let coarse = byte(), fine & 127 <= 64, coarse & 127 <= 3 else { return nil }
    return AppConversion.Window(
      fine: Int8(fine & 127) - 1, coarse: Int8(coarse & 127) - 1, isLocked: fine & 128 != 0,
      wasUpdated: coarse & 128 != 0)
  }

  private mutating func bits() -> UInt64? {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), through: 63, by: 7) {
      guard let byte = byte(), shift < 63 || byte < 2 else { return nil }
      number |= UInt64(byte & 127) << shift
      if byte < 128 { return number }
    }
    return nil
  }
}

/// Appends eight bytes of a check sum, FNV-1a: any single byte that changes gives another sum.
func sealed(_ bytes: [UInt8]) -> [UInt8] {
  let sum = checkSum(bytes[...])
  return bytes + (0..<8).map { UInt8(truncatingIfNeeded: sum >> UInt64(8 * $0)) }
}

/// The bytes without their check sum; `nil` where it is another one.
func unsealed(_ bytes: [UInt8]) -> [UInt8]? {
  guard bytes.count >= 8 else { return nil }
  let content = bytes.dropLast(8)
  let sum = checkSum(content)
  guard (0..<8).allSatisfy({ bytes[content.count + $0] == UInt8(truncatingIfNeeded: sum >> UInt64(8 * $0)) })
  else { return nil }
  return Array(content)
}

private func checkSum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
  bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
}
