public import Values

/// A sum of money that can't overflow, in millionths of the currency's unit.
public struct MoneySum: Equatable, Sendable {
  public private(set) var micros: Int128

  public static let zero = MoneySum(0)

  public init(_ micros: Int128) { self.micros = micros }

  /// The sum as an amount; held at the end of the range where it does not fit.
  public var amount: Amount { Amount(micros: Int64(clamping: micros)) }

  /// The sum in units of the currency, rounded to the nearest binary fraction.
  public var units: Double { Double(micros) / 1e6 }

  /// Adds two sums.
  public static func + (a: Self, b: Self) -> Self { Self(a.micros + b.micros) }

  public static func += (a: inout Self, b: Self) { a.micros += b.micros }

  /// Adds millionths.
  @inline(__always)
  mutating func add(_ micros: Int64) { self.micros += Int128(micros) }
}
