/// A calculation that has no answer for its arguments.
public enum NumericError: Error, Equatable, Sendable {
  /// The function is not finite somewhere on the interval.
  case notFinite
  /// The interval is empty, or one of its ends is not a number.
  case badInterval

  public var code: String {
    switch self {
    case .notFinite: "not-finite"
    case .badInterval: "bad-interval"
    }
  }
}
