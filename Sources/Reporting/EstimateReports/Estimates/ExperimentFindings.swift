package import Estimates
package import Values

/// What the comparison of two arms comes to, for the page and the report.
package struct ExperimentFindings: Sendable {
  /// A difference of B's mean and A's, with its interval where there are values enough.
  package struct Difference: Sendable {
    package let mid: Double
    package let bounds: (low: Double, high: Double)?
  }

  package struct Arm: Sendable {
    package let letter: String
    package let arm: ExperimentArm
    let counts: ExperimentArms.Counts
    /// Mean and standard deviation of what is compared; `nil` with too few values.
    package let mean: Double?
    package let spread: Double?
    let varianceWithin: Double?
    let compared: Int64

    package var conversions: Int64 { counts.conversions }
    package var shown: Int64 { counts.shown }
    package var nulls: Int64 { counts.nulls }
    package var coarse: Int64 { counts.coarse }
    package var unmapped: Int64 { counts.unmapped }
  }

  package enum Verdict: Sendable {
    /// B's mean is higher.
    case higher
    /// B's mean is lower.
    case lower
    case tooFew
    /// The sequence still contains 0.
    case open
  }

  let result: ExperimentResult
  package let arms: [Arm]
  package let verdict: Verdict
  /// The first look whose interval excludes 0, which decided; `nil` while the verdict is open.
  package let decided: (day: Day, difference: Difference)?
  /// The difference within days, whose interval holds at every look; `nil` without days that both arms have.
  package let sequence: Difference?
  /// The difference over all users, whose interval holds for one look at a size that was planned; `nil` where an arm has
  /// no value.
  package let oneLook: Difference?
  package let looks: [(day: Day, difference: Difference)]
  /// Whether B's share of the conversions changes from day to day, which biases ``oneLook``.
  package let isSplitChanging: Bool
  /// Whether campaigns of both kinds were counted as one.
  package let hasBothKinds: Bool
  package let measure: Sentence
  /// Whether what is compared are shares of users.
  package let areShares: Bool
  /// Values of an arm before the sequence has a result.
  package static var fewest: Int { Int(ExperimentComparison.fewestUsers) }

  init(_ result: ExperimentResult) {
    self.result = result
    let comparison = result.comparison
    func arm(
      _ letter: String, _ arm: ExperimentArm, _ counts: ExperimentArms.Counts, _ moments: SampleMoments
    ) -> Arm {
      Arm(
        letter: letter, arm: arm, counts: counts, mean: moments.count > 0 ? moments.mean : nil,
        spread: moments.count > 1 ? moments.variance.squareRoot() : nil,
        varianceWithin: moments.count > 0 ? moments.varianceWithin : nil, compared: Int64(moments.count))
    }
    func difference(_ mid: Double, _ interval: Interval?) -> Difference {
      Difference(mid: mid, bounds: interval.map { ($0.low, $0.high) })
    }
    arms = [
      arm("A", result.arms.a, result.arms.counts.a, comparison.a),
      arm("B", result.arms.b, result.arms.counts.b, comparison.b),
    ]
    decided = comparison.stop.map { (result.days[$0.day], difference($0.difference, $0.interval)) }
    switch comparison.verdict {
    case .higher: verdict = .higher
    case .lower: verdict = .lower
    case .open:
      let least = min(comparison.a.count, comparison.b.count)
      verdict = least < ExperimentComparison.fewestUsers ? .tooFew : .open
    }
    looks = comparison.looks.map { (result.days[$0.day], difference($0.difference, $0.interval)) }
    sequence = looks.last.flatMap { $0.difference.bounds == nil ? nil : $0.difference }
    oneLook = comparison.difference.map { difference($0, comparison.fixed) }
    isSplitChanging = comparison.isSplitChanging
    hasBothKinds = result.arms.hasBothKinds
    measure = result.arms.measure.sentence(currency: result.arms.currencies.first)
    areShares = result.arms.measure != .revenue
  }
}
