import System

/// A log-normal law of a number above 0, of which 5 % lies below and 5 % above a 90 % interval.
///
/// Source: Google Meridian, `lognormal_dist_from_range` with a mass of 0.9.
package struct LogNormalLaw: Equatable, Sendable {
  /// The mean of the number's logarithm.
  package let mu: Double
  /// The standard deviation of the number's logarithm.
  package let sigma: Double

  /// - Returns: `nil` where the interval reaches 0 or has no width.
  package init?(_ interval: Interval) {
    guard interval.low > 0, interval.high > interval.low, interval.high.isFinite else { return nil }
    let (low, high) = (naturalLogarithm(interval.low), naturalLogarithm(interval.high))
    mu = (low + high) / 2
    sigma = (high - low) / (2 * Interval.normalReach)
  }

  package var mean: Double { exponential(mu + sigma * sigma / 2) }

  package var standardDeviation: Double { mean * (exponential(sigma * sigma) - 1).squareRoot() }
}
