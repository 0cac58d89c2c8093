internal import CGSL

/// A calculation that has no answer for its arguments.
public enum NumericError: Error, Equatable, Sendable {
  /// The function is not finite somewhere on the interval.
  case notFinite
  /// The interval is empty, or one of its ends is not a number.
  case badInterval
  /// The library gave up before the wanted precision.
  case noConvergence
  case library(status: Int32)

  public var code: String {
    switch self {
    case .notFinite: "not-finite"
    case .badInterval: "bad-interval"
    case .noConvergence: "no-convergence"
    case .library: "numeric-library"
    }
  }

  /// Reads a status of GSL; nil for success.
  init?(status: Int32) {
    switch status {
    case Int32(GSL_SUCCESS): return nil
    case Int32(GSL_EBADFUNC): self = .notFinite
    case Int32(GSL_EMAXITER), Int32(GSL_ETOL): self = .noConvergence
    default: self = .library(status: status)
    }
  }
}

/// Turns off GSL's own reaction to an error, which is to end the program; done once, before its first use.
let silence: Void = { _ = unsafe gsl_set_error_handler_off() }()
