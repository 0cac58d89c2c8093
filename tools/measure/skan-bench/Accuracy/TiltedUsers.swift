import Numerics
import System
import Values

/// Users that campaigns are made of, better or worse by a campaign's quality θ.
///
/// A payer's odds are multiplied by exp(θ (1 + 0.3 z)), z the logarithm of what the payer spends on a scale of mean 0
/// and variance 1. It is not the law by which intervals are recalibrated, which tilts by rank.
struct TiltedUsers: Sendable {
  /// θ is rounded to a step, and held within so many steps of 0.
  private static let step = 0.05
  private static let steps = 50

  private let amounts: [Double]
  /// For each step of θ the weights, added up.
  private let sums: [[Double]]

  /// Takes the users' amounts; nil where there are none.
  init?(_ amounts: [Double]) {
    guard !amounts.isEmpty else { return nil }
    let scores = Self.scores(amounts)
    self.amounts = amounts
    sums = (-Self.steps...Self.steps).map { step in
      let theta = Double(step) * Self.step
      var sum = 0.0
      return amounts.indices.map { index in
        sum += exponential(theta * scores[index])
        return sum
      }
    }
  }

  /// What θ multiplies for each user.
  static func scores(_ amounts: [Double]) -> [Double] {
    let logarithms = amounts.map { $0 > 0 ? naturalLogarithm($0) : 0 }
    let payers = Double(max(1, amounts.count { $0 > 0 }))
    let mean = logarithms.reduce(0, +) / payers
    let square = logarithms.reduce(0) { $0 + $1 * $1 } / payers
    let spread = max(1e-9, max(0, square - mean * mean).squareRoot())
    return zip(amounts, logarithms).map { $0 > 0 ? 1 + 0.3 * ($1 - mean) / spread : 0 }
  }

  /// Draws the revenue of a user of a campaign of some quality.
  func amount(quality: Double, _ random: inout SplitMix64) -> Double {
    amounts[user(quality: quality, &random)]
  }

  /// Draws a user of a campaign of some quality; what comes back is the place.
  func user(quality: Double, _ random: inout SplitMix64) -> Int {
    let step = min(Self.steps, max(-Self.steps, Int((quality / Self.step).rounded())))
    let sums = sums[step + Self.steps]
    let target = random.fraction() * sums[sums.count - 1]
    var (low, high) = (0, sums.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if sums[middle] > target { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
