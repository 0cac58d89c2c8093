internal import Numerics
internal import System
internal import Values

/// What users of the best code are worth: the known ones, with their highest drawn out into a Pareto tail.
///
/// The tail's exponent is Hill's, over the highest max(10, min(60, 2 %)) users; it ends at three times the highest.
/// Source: Hill, "A simple general approach to inference about the tail of a distribution", 1975.
struct TopTail: Sendable {
  private let amounts: [Double]
  /// Where the tail begins and ends.
  private let start: Double
  private let end: Double
  private let exponent: Double
  private let mean: Double
  private let variance: Double

  /// The fewest users that a tail is fitted to.
  static let fewestUsers = 20
  /// Above this many users their sum is drawn as a normal variable.
  private static let most = 64

  /// Fits known users; nil where they are too few, or where their highest do not differ.
  init?(_ amounts: [Double]) {
    let sorted = amounts.filter { $0.isFinite && $0 > 0 }.sorted()
    guard sorted.count >= Self.fewestUsers else { return nil }
    let highest = max(10, min(60, sorted.count / 50))
    let start = sorted[sorted.count - highest - 1]
    let end = 3 * sorted[sorted.count - 1]
    let logarithms = sorted.suffix(highest).reduce(0) { $0 + naturalLogarithm($1 / start) }
    guard start > 0, logarithms > 0, end > start else { return nil }
    let exponent = Double(highest) / logarithms
    self.amounts = sorted
    self.start = start
    self.end = end
    self.exponent = exponent
    // The moments of a Pareto variable that is cut off at `end`.
    func moment(_ power: Double) -> Double {
      let scale = 1 - exponential(exponent * naturalLogarithm(start / end))
      let rest = exponent - power
      let integral =
        abs(rest) < 1e-9
        ? naturalLogarithm(end / start)
        : (exponential(-rest * naturalLogarithm(start)) - exponential(-rest * naturalLogarithm(end))) / rest
      return exponent * exponential(exponent * naturalLogarithm(start)) / scale * integral
    }
    let body = sorted.dropLast(highest)
    let share = Double(highest) / Double(sorted.count)
    mean = body.reduce(0, +) / Double(sorted.count) + share * moment(1)
    let second = body.reduce(0) { $0 + $1 * $1 } / Double(sorted.count) + share * moment(2)
    variance = max(0, second - mean * mean)
  }

  /// Draws what some users are worth together.
  func sum(of users: Int, _ random: inout SplitMix64) -> Double {
    guard users <= Self.most else {
      return max(0, Double(users) * mean + (Double(users) * variance).squareRoot() * random.normal())
    }
    var sum = 0.0
    for _ in 0..<users {
      let amount = amounts[random.number(below: amounts.count)]
      sum += amount > start ? tail(&random) : amount
    }
    return sum
  }

  private func tail(_ random: inout SplitMix64) -> Double {
    let beyond = exponential(exponent * naturalLogarithm(start / end))
    let rest = 1 - random.fraction() * (1 - beyond)
    return min(end, start * exponential(-naturalLogarithm(rest) / exponent))
  }
}
