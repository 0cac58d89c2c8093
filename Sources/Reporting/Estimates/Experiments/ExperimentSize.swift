internal import Numerics
internal import System

/// The number of users that an experiment of two arms needs to find a stated difference.
package struct ExperimentSize: Equatable, Sendable {
  /// Users with a shown value of both arms together, if the result is examined once, at the end.
  package let shownAtEnd: Double
  /// The same if it is examined every day and may stop at each look: the highest number of users.
  package let shownWithLooks: Double
  /// The standard errors that the sequence reaches at ``shownWithLooks``.
  package let standardErrors: Double

  package struct Request: Equatable, Sendable {
    /// The difference of the means to find; not 0.
    package var difference: Double
    package var a: CentralMoments
    package var b: CentralMoments
    /// The most that a user of either arm can be worth, which daily looks allow for while none was seen; 0 where
    /// variances are known.
    package var greatest = 0.0
    /// The share of users in arm B, strictly between 0 and 1.
    package var shareB = 0.5
    /// The power: the probability of finding an existing difference, strictly between 0 and 1.
    package var power = 0.8
    /// The level: the probability of finding nothing without a difference, strictly between 0 and 1.
    package var level = 0.95

    /// The default: a power of 80 per cent at a level of 95 per cent with equal arms.
    package init(difference: Double, a: CentralMoments, b: CentralMoments) {
      self.difference = difference
      self.a = a
      self.b = b
    }
  }

  /// Finds the sizes by bisection.
  ///
  /// At a fixed end the power is Φ((θ − z) / s), with θ = d / √(s_A² / n_A + s_B² / n_B): the two-sided normal
  /// approximation, where s is 1 for known variances. In samples with a few users of high revenue the variance estimate
  /// varies, together with the mean: s² = 1 − 2 z k + z² v with the covariance k and the variance v of the standard
  /// error's relative error, to the first order. With daily looks the power is that of passing the confidence sequence,
  /// tuned to the fixed end and with the unseen users of ``ExperimentComparison``, at any of 28 looks. Source: Chow, Shao and Wang, "Sample size calculations in clinical
  /// research", section 3.2; ``SequentialPower``.
  ///
  /// The result is `nil` if a number is outside its range, or the size is above 10¹¹, which is more
  /// users than there are.
  package init?(_ request: Request) {
    let inside = [request.shareB, request.power, request.level].allSatisfy { $0 > 0 && $0 < 1 }
    let known = [request.a, request.b].flatMap { [$0.variance, $0.third, $0.fourth] } + [request.greatest]
    guard inside, request.difference.isFinite, request.difference != 0,
      !known.contains(where: { !$0.isFinite })
    else { return nil }
    let plan = ArmPlan(request)
    guard plan.unit.isFinite, plan.unit > 0,
      let atEnd = Self.least(from: plan.unit, where: { plan.power(atEnd: $0) >= request.power }), atEnd > 0
    else { return nil }
    let sequence = ConfidenceSequence(level: request.level, tightestAt: atEnd / 4)
    guard
      let withLooks = Self.least(from: atEnd, where: { plan.power(withLooks: $0, sequence) >= request.power })
    else { return nil }
    shownAtEnd = atEnd
    shownWithLooks = withLooks
    standardErrors = plan.standardErrors(at: withLooks, sequence)
  }

  private static func least(from start: Double, where isEnough: (Double) -> Bool) -> Double? {
    var (low, high) = (0.0, start)
    while !isEnough(high) {
      (low, high) = (high, 2 * high)
      guard high < 1e11 else { return nil }
    }
    while high - low > 1e-6 * high {
      let middle = (low + high) / 2
      if isEnough(middle) { high = middle } else { low = middle }
    }
    return high
  }
}

private struct ArmPlan {
  private let request: ExperimentSize.Request
  /// The variance of the difference of means for one user, divided by the squared difference.
  let unit: Double
  /// The true variance of the difference of means, for one user.
  private let variance: Double
  /// The sequence's, without unseen users.
  private let held: Double
  /// The weight of each arm's variance in the sequence's squared standard error, for one user.
  private let taken: (a: Double, b: Double)

  init(_ request: ExperimentSize.Request) {
    self.request = request
    let (shareA, shareB) = (1 - request.shareB, request.shareB)
    variance = request.a.variance / shareA + request.b.variance / shareB
    unit = variance / (request.difference * request.difference)
    // The comparison never uses an arm's variance below that of both.
    let common = shareA * request.a.variance + shareB * request.b.variance
    held = max(request.a.variance, common) / shareA + max(request.b.variance, common) / shareB
    taken =
      request.a.variance < common
      ? (1, 1 / shareB + shareB / shareA)
      : request.b.variance < common ? (1 / shareA + shareA / shareB, 1) : (1 / shareA, 1 / shareB)
  }

  func power(atEnd size: Double) -> Double {
    let z = normalQuantile((1 + request.level) / 2)
    let drift = (size / unit).squareRoot()
    return upperTail(
      (z - drift) / deviation(at: size, z, (1 / (1 - request.shareB), 1 / request.shareB), held: variance))
  }

  func power(withLooks size: Double, _ sequence: ConfidenceSequence) -> Double {
    let drift = (size / unit).squareRoot()
    return SequentialPower.passing(drift: drift) { part in
      let users = part * size
      guard users * min(request.shareB, 1 - request.shareB) >= ExperimentComparison.fewestUsers else {
        return .infinity
      }
      let held = held + unseen(at: users)
      let z = standardErrors(at: users, sequence) * (held / variance).squareRoot()
      let here = drift * part.squareRoot()
      return here - (here - z) / deviation(at: users, z, taken, held: held)
    }
  }

  /// The variance of the unseen users of the arm behind, for one user.
  private func unseen(at users: Double) -> Double {
    let share = request.difference > 0 ? 1 - request.shareB : request.shareB
    return ExperimentComparison.unseenUsers * request.greatest * request.greatest / (users * share * share)
  }

  /// The radius of the sequence for a number of users of both arms.
  func standardErrors(at users: Double, _ sequence: ConfidenceSequence) -> Double {
    sequence.standardErrors(at: users * request.shareB * (1 - request.shareB))
  }

  /// The deviation of the difference minus z estimated standard errors, in true standard errors.
  ///
  /// - Parameter held: The variance whose root is the estimated error, for one user.
  private func deviation(
    at users: Double, _ z: Double, _ taken: (a: Double, b: Double), held: Double
  ) -> Double {
    let (a, b) = (users * (1 - request.shareB), users * request.shareB)
    let variance = variance / users
    let (ofA, ofB) = (taken.a / users, taken.b / users)
    let held = held / users
    // The relative error of a root is half of that of its radicand.
    let sign = request.difference < 0 ? -1.0 : 1
    let covariance = sign * (ofB * request.b.third / b - ofA * request.a.third / a)
    let lean = covariance / (2 * held * variance.squareRoot())
    let scatter =
      (ofB * ofB * request.b.ofSquares / b + ofA * ofA * request.a.ofSquares / a) / (4 * held * held)
    return max(0.25, 1 - 2 * z * lean + z * z * scatter).squareRoot()
  }
}
