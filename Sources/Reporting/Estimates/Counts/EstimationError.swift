package import Numerics

/// A reason why counts can't be estimated from.
package enum EstimationError: Error, Equatable, Sendable {
  case noCodes
  /// A worth is not a number, or its low lies above its high.
  case notAWorth
  /// A campaign does not count every code.
  case unevenCodes(campaign: String)
  /// A count is negative, not finite, or a thousand million and more.
  case notACount(campaign: String)
  /// The mix of own users does not have every code, or is empty.
  case notAMix
  case numeric(NumericError)

  package var code: String {
    switch self {
    case .noCodes: "no-codes"
    case .notAWorth: "not-a-worth"
    case .unevenCodes: "uneven-codes"
    case .notACount: "not-a-count"
    case .notAMix: "not-a-mix"
    case .numeric(let error): error.code
    }
  }
}
