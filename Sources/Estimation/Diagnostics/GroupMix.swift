internal import Numerics
import Platform

/// A comparison of how values are distributed in several groups of users, within strata.
///
/// Each stratum is a table of groups by values; Pearson's chi-square of each and its degrees of freedom are added up,
/// so that groups may differ in how many they have of each stratum without an alarm. Neighbouring values are joined
/// until each group expects at least 5. Sources: Cochran, "Some methods for strengthening the common chi-square tests",
/// 1954, for joining and for adding up strata; Agresti, "Categorical Data Analysis", section 3.2, for the test.
public struct GroupMix: Hashable, Sendable {
  /// The sum of chi-squares.
  public let statistic: Double
  /// The sum of degrees of freedom.
  public let freedom: Int
  /// The probability of so large a statistic where in every stratum all groups draw from one mix.
  public let probability: Double

  /// Compares groups; nil where no stratum has enough of two groups and two values.
  ///
  /// - Parameter strata: For each stratum the counts by value of each group; all groups have as many values.
  public init?(_ strata: [[[Double]]]) {
    var (statistic, freedom) = (0.0, 0)
    for groups in strata {
      let columns = Self.joined(groups)
      guard let height = columns.first?.count, columns.count > 1 else { continue }
      freedom += (columns.count - 1) * (height - 1)
      statistic += Self.statistic(columns)
    }
    guard freedom > 0 else { return nil }
    self.statistic = statistic
    self.freedom = freedom
    probability = chiSquareTail(statistic, freedom: Double(freedom))
  }

  /// The columns of a table, one for each value or joined values, with a cell for each group that has any.
  private static func joined(_ groups: [[Double]]) -> [[Double]] {
    let sizes = groups.map { $0.reduce(0, +) }
    let filled = groups.indices.filter { sizes[$0] > 0 }
    guard filled.count > 1, let smallest = filled.map({ sizes[$0] }).min() else { return [] }
    let least = 5 * filled.reduce(0) { $0 + sizes[$1] } / smallest
    var columns: [[Double]] = []
    var open = [Double](repeating: 0, count: filled.count)
    for value in groups[filled[0]].indices {
      for (place, group) in filled.enumerated() { open[place] += groups[group][value] }
      if open.reduce(0, +) >= least {
        columns.append(open)
        open = [Double](repeating: 0, count: filled.count)
      }
    }
    if let last = columns.popLast() { columns.append(zip(last, open).map(+)) }
    return columns
  }

  private static func statistic(_ columns: [[Double]]) -> Double {
    let rows = columns[0].indices.map { row in columns.reduce(0) { $0 + $1[row] } }
    let total = rows.reduce(0, +)
    var sum = 0.0
    for column in columns {
      let size = column.reduce(0, +)
      for (row, cell) in column.enumerated() {
        let expected = size * rows[row] / total
        sum += (cell - expected) * (cell - expected) / expected
      }
    }
    return sum
  }
}

/// Whether changes of values lean one way, by the sign test.
///
/// It is McNemar's test in its exact form, for values in an order: among pairs that differ, up and down are equally
/// likely where nobody gains by the change. Source: Agresti, "Categorical Data Analysis", section 10.1.
public struct PairedDirection: Hashable, Sendable {
  /// Pairs whose second value is the greater one.
  public let raised: Int64
  /// Pairs whose second value is the lesser one.
  public let lowered: Int64
  /// The probability of so uneven a split by chance, both ways; 1 without pairs.
  public let probability: Double

  /// Tests counts, each 0 or more.
  public init(raised: Int64, lowered: Int64) {
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
public func holm(_ probabilities: [Double?]) -> [Double?] {
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
