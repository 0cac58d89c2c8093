public import Postbacks

/// Apple's postback data tier, inferred from the fields of a winning first-window postback of a version with windows.
///
/// No postback names its tier. A publisher or a country is in the highest only; a fine value, or more than two digits
/// of the source identifier, from the second on; a coarse value in the first window in the first alone. Without all
/// that the tier is the lowest, or the app set no value.
/// Source: Apple, "Receiving postbacks in multiple conversion windows" and "Receiving postbacks" of AdAttributionKit.
public enum PostbackTier: Int, Hashable, Comparable, Sendable, CaseIterable {
  case zero = 0
  case one, two, three

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

  public var text: String { "\(rawValue)" }

  /// Infers the tier; `nil` for what has none.
  ///
  /// `digits` is how many digits of the source identifier came; `hasDetail`, whether there is a publisher or a country.
  public init?(
    version: ProtocolVersion, window: ConversionWindow, outcome: Outcome, value: ConversionValue,
    digits: Int, hasDetail: Bool
  ) {
    guard version.hasWindows, window == .first, outcome != .assist else { return nil }
    if hasDetail {
      self = .three
      return
    }
    self =
      switch value {
      case .fine: .two
      case .coarse where digits <= 2: .one
      case .absent where digits <= 2: .zero
      case .rejected where digits <= 2: .zero
      case .coarse, .absent, .rejected: .two
      }
  }
}
