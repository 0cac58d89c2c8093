internal import Numerics
internal import System

/// A confidence interval that holds at all sample sizes at once, so that it may be looked at whenever one likes.
///
/// Its reach is `sqrt(2 (t ρ² + 1) / (t² ρ²) · ln(sqrt(t ρ² + 1) / α)) σ` for a sample of t. It is asymptotic: it holds
/// once samples are large enough for the central limit theorem. Source: Waudby-Smith, Arbour, Sinha, Kennedy and
/// Ramdas, "Time-uniform central limit theory and asymptotic confidence sequences", 2021, theorem 2.2.
package struct ConfidenceSequence: Equatable, Sendable {
  /// How often it holds at all times, strictly between 0 and 1.
  package let level: Double
  package let tuning: Double

  /// Tunes a sequence to be tightest at one sample size.
  ///
  /// The best t ρ² solves x = ln((x + 1) / α²), which is where the derivative of the reach is 0. Source: the same
  /// paper, appendix on the choice of ρ.
  ///
  /// - Parameters:
  ///   - level: How often it shall hold, strictly between 0 and 1.
  ///   - size: The sample size for which it is tightest; it must not follow from the data. More than 0.
  package init(level: Double, tightestAt size: Double) {
    precondition(level > 0 && level < 1 && size > 0, "A sequence needs a level inside 0 to 1 and a size.")
    let alpha = 1 - level
    var product = 1.0
    // The map contracts, because its derivative is 1 / (x + 1).
    for _ in 0..<100 { product = naturalLogarithm((product + 1) / (alpha * alpha)) }
    self.level = level
    tuning = product / size
  }

  /// Returns how many standard errors the sequence reaches to each side of the mean.
  ///
  /// - Parameter size: The sample size, in the unit of the one it is tuned to.
  /// - Returns: More than 0; infinity for an empty sample.
  package func standardErrors(at size: Double) -> Double {
    guard size > 0 else { return .infinity }
    let product = size * tuning
    return (2 * (product + 1) / product * naturalLogarithm((product + 1).squareRoot() / (1 - level)))
      .squareRoot()
  }
}

/// Returns the value that Student's variable stays below with a probability.
///
/// Cornish and Fisher's expansion, within 0.002 from 5 degrees of freedom on at the usual levels. Source: Abramowitz and Stegun,
/// "Handbook of mathematical functions", 26.7.5.
///
/// - Parameters:
///   - probability: Strictly between 0 and 1.
///   - freedom: The degrees of freedom, at least 1.
package func studentQuantile(_ probability: Double, freedom: Double) -> Double {
  let z = normalQuantile(probability)
  let square = z * z
  let first = z * (square + 1) / 4
  let second = z * (5 * square * square + 16 * square + 3) / 96
  let third = z * (((3 * square + 19) * square + 17) * square - 15) / 384
  let fourth = z * ((((79 * square + 776) * square + 1482) * square - 1920) * square - 945) / 92160
  return z + (first + (second + (third + fourth / freedom) / freedom) / freedom) / freedom
}
