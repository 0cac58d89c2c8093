internal import Numerics
import System
package import Values

/// A comparison of the values of two groups, as of a campaign's early and late days.
package struct MixDrift: Equatable, Sendable {
  /// Pearson's chi-square of the two rows, over values that were joined where they are rare.
  package let statistic: Double
  package let freedom: Int
  /// The probability of so large a statistic where both groups draw from one mix.
  package let probability: Double

  /// Compares two groups by the chi-square law; nil where too few values are left to compare.
  ///
  /// Neighbouring codes are joined until each group expects at least 5. Source: Cochran, "Some methods for strengthening
  /// the common chi-square tests", 1954.
  package init?(_ first: [Double], _ second: [Double]) {
    let columns = Self.joined(first, second)
    guard columns.count > 1 else { return nil }
    statistic = Self.statistic(columns)
    freedom = columns.count - 1
    probability = chiSquareTail(statistic, freedom: Double(freedom))
  }

  /// Compares two groups by dealing their values out anew, which holds for rare values, too.
  ///
  /// - Parameters:
  ///   - first: Whole counts by code.
  ///   - second: Whole counts by code.
  ///   - deals: How many times to deal.
  ///   - random: The random number generator.
  package init?(_ first: [Double], _ second: [Double], deals: Int, _ random: inout SplitMix64) {
    let columns = zip(first, second).filter { $0 + $1 > 0 }.map { (first: $0, second: $1) }
    guard columns.count > 1, first.reduce(0, +) > 0, second.reduce(0, +) > 0, deals > 0 else { return nil }
    statistic = Self.statistic(columns)
    freedom = columns.count - 1
    var asLarge = 0
    for _ in 0..<deals {
      var left = Int(columns.reduce(0) { $0 + $1.first }.rounded())
      var rest = Int(columns.reduce(0) { $0 + $1.first + $1.second }.rounded())
      var dealt: [(first: Double, second: Double)] = []
      for column in columns {
        let size = Int((column.first + column.second).rounded())
        let taken = random.hypergeometric(marked: size, plain: max(0, rest - size), taken: min(left, rest))
        dealt.append((Double(taken), Double(size - taken)))
        left -= taken
        rest -= size
      }
      if Self.statistic(dealt) >= statistic * (1 - 1e-12) { asLarge += 1 }
    }
    probability = Double(asLarge + 1) / Double(deals + 1)
  }

  private static func joined(_ first: [Double], _ second: [Double]) -> [(first: Double, second: Double)] {
    let sums = (first: first.reduce(0, +), second: second.reduce(0, +))
    let total = sums.first + sums.second
    guard sums.first > 0, sums.second > 0 else { return [] }
    let least = 5 * total / min(sums.first, sums.second)
    var columns: [(first: Double, second: Double)] = []
    var open = (first: 0.0, second: 0.0)
    for (a, b) in zip(first, second) {
      open = (open.first + a, open.second + b)
      if open.first + open.second >= least {
        columns.append(open)
        open = (0, 0)
      }
    }
    if let last = columns.popLast() {
      columns.append((last.first + open.first, last.second + open.second))
    }
    return columns
  }

  private static func statistic(_ columns: [(first: Double, second: Double)]) -> Double {
    let first = columns.reduce(0) { $0 + $1.first }
    let total = first + columns.reduce(0) { $0 + $1.second }
    var sum = 0.0
    for column in columns {
      let size = column.first + column.second
      let a = size * first / total
      let b = size - a
      if a > 0 { sum += (column.first - a) * (column.first - a) / a }
      if b > 0 { sum += (column.second - b) * (column.second - b) / b }
    }
    return sum
  }
}
