import Postbacks

/// One conversion under SKAdNetwork 3 and below: a value that only rises, and a timer that each rise restarts.
///
/// Source: Apple, "updateConversionValue(_:)" and "registerAppForAdNetworkAttribution()".
public struct SKAdNetwork3Device: Equatable, Sendable {
  public enum Reaction: Hashable, Sendable {
    /// The value is greater than the one before: it is kept, and the timer starts again.
    case raised
    /// The value is not greater: nothing changes.
    case ignored
    /// The timer had run out; the value is final.
    case tooLate
  }

  /// The value, from 0.
  public private(set) var value = 0
  /// The seconds since install of the last rise; 0, the first launch, before any.
  public private(set) var lastRise: Int64 = 0

  /// Registers the install at the first launch, which sets the value 0 and starts the timer.
  public init() {}

  /// When the timer runs out, in seconds since install; an update at that very second is too late.
  public var timerEnd: Int64 { lastRise + AppleTimers.riseTimer }

  /// Takes a value that the app sets.
  public mutating func update(to value: Int, at seconds: Int64) -> Reaction {
    guard seconds < timerEnd else { return .tooLate }
    guard value > self.value else { return .ignored }
    self.value = value
    lastRise = seconds
    return .raised
  }
}
