internal import Numerics

/// How many users an experiment of two arms needs to find a stated difference.
package struct ExperimentSize: Hashable, Sendable {
  /// Users with a shown value of both arms together, where the result is looked at once, at the end.
  package let shownAtEnd: Double
  /// The same where it is looked at every day and may stop at each look: the most that it takes.
  package let shownWithLooks: Double
  /// The standard errors that the sequence reaches at ``shownWithLooks``.
  package let standardErrors: Double

  /// What is wanted of an experiment.
  package struct Request: Hashable, Sendable {
    /// The difference of the means that is to be found; not 0.
    package var difference: Double
    /// The variance of a user of arm A, within codes and between them; 0 or more.
    package var varianceA: Double
    /// The variance of a user of arm B.
    package var varianceB: Double
    /// The share of users in arm B, strictly between 0 and 1.
    package var shareB = 0.5
    /// How often the difference is to be found where it exists, strictly between 0 and 1.
    package var power = 0.8
    /// How often nothing is to be found where there is no difference, strictly between 0 and 1.
    package var level = 0.95

    /// Wants to find a difference in four of five cases at a level of 95 per cent with equal arms.
    package init(difference: Double, varianceA: Double, varianceB: Double) {
      self.difference = difference
      self.varianceA = varianceA
      self.varianceB = varianceB
    }
  }

  /// Finds the sizes.
  ///
  /// At a fixed end `n = (z_α/2 + z_β)² (s_A² / (1 - f) + s_B² / f) / d²` users of both arms, f being B's share: the
  /// two-sided normal approximation. With daily looks the smallest n at which the confidence sequence excludes 0 with
  /// the power that is wanted, found by bisection; the sequence is tuned to the fixed end, and what stops earlier is not
  /// counted, so that the power is a little higher. Source: Chow, Shao and Wang, "Sample size calculations in clinical
  /// research", section 3.2.
  ///
  /// The result is `nil` where a number is outside its range, or the size is above 10¹¹, which are more
  /// users than there are.
  ///
  /// - Parameter request: What is wanted.
  package init?(_ request: Request) {
    let variance = request.varianceA / (1 - request.shareB) + request.varianceB / request.shareB
    let inside = [request.shareB, request.power, request.level].allSatisfy { $0 > 0 && $0 < 1 }
    guard inside, request.difference.isFinite, request.difference != 0, variance.isFinite, variance > 0 else {
      return nil
    }
    let square = request.difference * request.difference
    let unit = variance / square
    // The comparison never takes an arm's variance for less than that of both.
    let common = (1 - request.shareB) * request.varianceA + request.shareB * request.varianceB
    let held =
      max(request.varianceA, common) / (1 - request.shareB) + max(request.varianceB, common) / request.shareB
    let widening = (held / variance).squareRoot()
    let beta = normalQuantile(request.power)
    let reach = normalQuantile((1 + request.level) / 2) + beta
    guard reach > 0 else { return nil }
    let fixed = reach * reach * unit
    guard fixed.isFinite, fixed < 1e11 else { return nil }
    let sequence = ConfidenceSequence(level: request.level, tightestAt: fixed)
    func isEnough(_ size: Double) -> Bool {
      (size / unit).squareRoot() >= widening * sequence.standardErrors(at: size) + beta
    }
    var low = 0.0
    var high = fixed
    while !isEnough(high) { (low, high) = (high, 2 * high) }
    // Sixty halvings leave less than one user of any size.
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if isEnough(middle) { high = middle } else { low = middle }
    }
    shownAtEnd = fixed
    shownWithLooks = high
    standardErrors = sequence.standardErrors(at: high)
  }
}
