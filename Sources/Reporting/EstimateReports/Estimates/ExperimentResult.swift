package import Estimates
package import Values

/// What the comparison of two arms comes to.
package struct ExperimentResult: Sendable {
  package let arms: ExperimentArms
  package let level: Double
  package let planned: Int
  package let comparison: ExperimentComparison
  /// The days that ``comparison`` counts.
  package let days: [Day]

  /// Compares the arms; `level` is how often the intervals hold the difference, and `planned` the shown values of both
  /// arms for which the sequence is tightest.
  package init(arms: ExperimentArms, level: Double, planned: Int) {
    self.arms = arms
    self.level = level
    self.planned = planned
    let rows = arms.days
    days = rows.map(\.day)
    comparison = ExperimentComparison(rows.map(\.users), level: level, planned: Double(planned))
  }
}
