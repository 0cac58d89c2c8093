internal import Numerics
import System
import Values

/// A comparison of how values are distributed in several groups of users, within strata.
///
/// In each stratum every group is compared with all groups before it by ``MixDrift``, which joins rare values as far as
/// these two need it, so that one small group does not blur the others. These comparisons are independent of each other
/// and of those of other strata, so their chi-squares and degrees of freedom add up. Groups may differ in how many they
/// have of each stratum without an alarm. Sources: Agresti, "Categorical Data Analysis", section 3.3, on partitioning
/// chi-square; Cochran, "Some methods for strengthening the common chi-square tests", 1954, on adding up strata.
package struct GroupMix: Equatable, Sendable {
  /// The sum of chi-squares.
  package let statistic: Double
  package let freedom: Int
  /// The probability of so large a statistic where in every stratum all groups draw from one mix.
  package let probability: Double

  /// Compares groups; nil where no stratum has enough of two groups and two values.
  ///
  /// - Parameter strata: For each stratum the counts by value of each group; all groups have as many values.
  package init?(_ strata: [[[Double]]]) {
    var (statistic, freedom) = (0.0, 0)
    for groups in strata {
      guard var before = groups.first else { continue }
      for group in groups.dropFirst() {
        if let drift = MixDrift(before, group) {
          statistic += drift.statistic
          freedom += drift.freedom
        }
        before = zip(before, group).map(+)
      }
    }
    guard freedom > 0 else { return nil }
    self.statistic = statistic
    self.freedom = freedom
    probability = chiSquareTail(statistic, freedom: Double(freedom))
  }
}

/// Whether changes of values lean one way, by the sign test.
///
/// It is McNemar's test in its exact form, for values in an order: among pairs that differ, up and down are equally
/// likely where no side gains by the change. Source: Agresti, "Categorical Data Analysis", section 10.1.
package struct PairedDirection: Equatable, Sendable {
  /// Pairs whose second value is the greater one.
  package let raised: Int64
  /// Pairs whose second value is the lesser one.
  package let lowered: Int64
  /// The probability of so uneven a split by chance, both ways; 1 without pairs.
  package let probability: Double

  /// Tests counts, each 0 or more.
  package init(raised: Int64, lowered: Int64) {
    self.raised = raised
    self.lowered = lowered
    let pairs = Double(raised + lowered)
    let ln2 = naturalLogarithm(2)
    let few = Double(min(raised, lowered))
    var tail = 0.0
    var step = few
    // The terms fall so fast that what is left out is below the last digit.
    while step >= 0, few - step < 2_000 {
      tail += exponential(logGamma(pairs + 1) - logGamma(step + 1) - logGamma(pairs - step + 1) - pairs * ln2)
      step -= 1
    }
    probability = raised == lowered ? 1 : min(1, 2 * tail)
  }
}

/// Several tests' probabilities, corrected for there being several.
///
/// Source: Holm, "A simple sequentially rejective multiple test procedure", 1979.
///
/// - Parameter probabilities: One for each test; `nil` where there was nothing to test.
/// - Returns: The corrected ones in the same order; rejecting those below a level errs at most that often in any of them.
package func holm(_ probabilities: [Double?]) -> [Double?] {
  var corrected = probabilities
  let order = probabilities.indices.filter { probabilities[$0] != nil }.sorted {
    (probabilities[$0] ?? 1) < (probabilities[$1] ?? 1)
  }
  var largest = 0.0
  for (rank, index) in order.enumerated() {
    largest = max(largest, min(1, (probabilities[index] ?? 1) * Double(order.count - rank)))
    corrected[index] = largest
  }
  return corrected
}
