@testable import MappingFormats
import Postbacks

/// Some of the six bits of a fine value, as systems use them that pack several numbers into one.
///
/// Source: tealium-ios-skadnetwork-remote-command, `ValueBitLimiter`; deferlink, `cv_schema`.
struct BitField: Hashable, Sendable {
  /// The number of bits of a fine value.
  static let bits = 6

  /// The lowest bit that belongs to the field, from 0.
  let lowest: Int
  /// How many bits belong to it.
  let width: Int

  /// Describes a field; `nil` unless it has a bit and all its bits are ones of a fine value.
  init?(lowest: Int, width: Int) {
    guard lowest >= 0, width > 0, width <= Self.bits, lowest <= Self.bits - width else { return nil }
    self.lowest = lowest
    self.width = width
  }

  static func leftmost(_ width: Int) -> BitField? {
    // Held inside a fine value, so that no width can overflow.
    BitField(lowest: bits - min(max(width, 0), bits + 1), width: width)
  }

  static func rightmost(_ width: Int) -> BitField? { BitField(lowest: 0, width: width) }

  func number(in value: FineValue) -> Int { Int(value.number) >> lowest & ((1 << width) - 1) }

  /// The value with another number in the field, of which only as many low bits count as the field has.
  func writing(_ number: Int, into value: FineValue) -> FineValue {
    let mask = ((1 << width) - 1) << lowest
    let packed = Int64((Int(value.number) & ~mask) | ((number << lowest) & mask))
    return FineValue(packed) ?? value
  }
}
