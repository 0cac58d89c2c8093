/// The value of a postback.
///
/// Apple signs none of it.
public enum ConversionValue: Hashable, Sendable {
  /// `conversion-value`: six bits.
  case fine(FineValue)
  /// `coarse-conversion-value`.
  case coarse(CoarseValue)
  /// Neither was sent: Apple withheld it, or the app never set one; a receiver cannot distinguish the two.
  case absent
  /// One was sent that Apple's rules make impossible (out of range, in a window or on a postback that has none,
  /// both at once). It stays in the kept bytes and is counted as neither a value nor an absence.
  case rejected
}

/// The six-bit value an app gave its conversion, 0 through 63.
///
/// Source: Apple, "Identifying the parameters in install-validation postbacks", `conversion-value`.
public struct FineValue: Hashable, Comparable, Sendable {
  /// The value, 0 through 63.
  public let number: UInt8

  /// Wraps a value; `nil` unless it is 0 through 63.
  public init?(_ number: Int64) {
    guard (0...63).contains(number) else { return nil }
    self.number = UInt8(number)
  }

  public static func < (a: Self, b: Self) -> Bool { a.number < b.number }
}

/// The three-step value of small groups and of windows 2 and 3.
public enum CoarseValue: String, Hashable, Sendable, CaseIterable {
  case low, medium, high
}
