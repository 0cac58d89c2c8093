/// A range of amounts that has for each end whether it belongs to it; never empty.
public struct AmountRange: Hashable, Sendable {
  public enum Bound: Hashable, Sendable {
    case closed(Amount)
    /// At the amount, which does not belong to the range.
    case open(Amount)
    case unbounded

    public var amount: Amount? {
      switch self {
      case .closed(let amount), .open(let amount): amount
      case .unbounded: nil
      }
    }
  }

  public let lower: Bound
  public let upper: Bound

  public static let all = AmountRange(first: .unbounded, last: .unbounded)

  /// Joins two ends; `nil` when no amount lies between them.
  public init?(lower: Bound, upper: Bound) {
    guard let first = Self.first(lower), let last = Self.last(upper), first <= last else { return nil }
    self.init(first: lower, last: upper)
  }

  private init(first: Bound, last: Bound) {
    lower = first
    upper = last
  }

  /// The smallest amount, in steps of a millionth.
  public var first: Int64 { Self.first(lower) ?? .max }
  /// The largest amount, in steps of a millionth.
  public var last: Int64 { Self.last(upper) ?? .min }

  public func contains(_ amount: Amount) -> Bool { first <= amount.micros && amount.micros <= last }

  /// Whether some amount belongs to both ranges.
  public func overlaps(_ other: AmountRange) -> Bool { first <= other.last && other.first <= last }

  /// The amount half-way between the ends, rounded down to a millionth; `nil` when an end is missing.
  public var middle: Amount? {
    guard let low = lower.amount?.micros, let high = upper.amount?.micros else { return nil }
    // The floor of the sum's half, without the sum, which could overflow.
    return Amount(micros: (low & high) + ((low ^ high) >> 1))
  }

  private static func first(_ bound: Bound) -> Int64? {
    switch bound {
    case .unbounded: .min
    case .closed(let amount): amount.micros
    case .open(let amount): amount.micros == .max ? nil : amount.micros + 1
    }
  }

  private static func last(_ bound: Bound) -> Int64? {
    switch bound {
    case .unbounded: .max
    case .closed(let amount): amount.micros
    case .open(let amount): amount.micros == .min ? nil : amount.micros - 1
    }
  }
}

extension AmountRange: CustomStringConvertible {
  /// The range as mathematicians write it: `[0, 20)`; an end that is missing is `∞`.
  public var description: String {
    let low =
      switch lower {
      case .closed(let amount): "[\(amount)"
      case .open(let amount): "(\(amount)"
      case .unbounded: "(-∞"
      }
    let high =
      switch upper {
      case .closed(let amount): "\(amount)]"
      case .open(let amount): "\(amount))"
      case .unbounded: "∞)"
      }
    return "\(low), \(high)"
  }
}
