import System
import Values

/// Campaigns generated of real users, each with a quality of its own.
///
/// A campaign of quality θ, drawn from a normal distribution of mean 0 and deviation 0.5, draws users with replacement,
/// with a probability in proportion to exp(θ·s). A user's s is 0.3·ln(1 + worth / mean worth of all users), and 1 more
/// from that mean on: campaigns differ in how many users pay, and in how much revenue users have.
struct PseudoCampaigns {
  /// How far campaigns differ from each other.
  static let deviation = 0.5
  private static let depth = 0.3

  /// How much more of a user there is in a campaign of quality 1, as a logarithm.
  let scores: [Double]

  /// Looks at users' worths, of which some may be negative.
  init(worths: [Double]) {
    let mean = worths.reduce(0, +) / Double(max(1, worths.count))
    scores = worths.map { worth in
      guard worth > 0, mean > 0 else { return 0 }
      return (worth >= mean ? 1 : 0) + Self.depth * naturalLogarithm(1 + worth / mean)
    }
  }

  /// Draws campaigns.
  ///
  /// - Parameters:
  ///   - random: The random number generator.
  /// - Returns: For each campaign its users, by their places in the worths.
  func draw(_ count: Int, of size: Int, _ random: inout SplitMix64) -> [[Int32]] {
    guard !scores.isEmpty else { return [] }
    return (0..<count).map { _ in
      let quality = Self.deviation * Self.normal(&random)
      var sum = 0.0
      let sums = scores.map { score in
        sum += score == 0 ? 1 : exponential(quality * score)
        return sum
      }
      return (0..<size).map { _ in Self.place(of: random.fraction() * sum, in: sums) }
    }
  }

  /// Returns the first place whose sum is above a number.
  private static func place(of number: Double, in sums: [Double]) -> Int32 {
    var low = 0
    var high = sums.count - 1
    while low < high {
      let middle = (low + high) / 2
      if sums[middle] > number { high = middle } else { low = middle + 1 }
    }
    return Int32(low)
  }

  /// Draws from the normal distribution.
  ///
  /// Source: Marsaglia and Bray, "A convenient method for generating normal variables", SIAM Review 1964.
  private static func normal(_ random: inout SplitMix64) -> Double {
    while true {
      let a = 2 * random.fraction() - 1
      let b = 2 * random.fraction() - 1
      let square = a * a + b * b
      guard square > 0, square < 1 else { continue }
      return a * (-2 * naturalLogarithm(square) / square).squareRoot()
    }
  }
}

/// How far estimates of campaigns lie from the truth.
package struct CampaignError: Equatable, Sendable {
  /// The mean over campaigns of |estimate - truth| / truth; of campaigns whose truth is above 0.
  package let meanShare: Double
  /// Σ|estimate - truth| / Σ truth.
  package let weightedShare: Double
  /// Σ(estimate - truth) / Σ truth.
  package let bias: Double

  /// Compares estimates with truths; `nil` where no truth is above 0.
  init?(_ pairs: [(estimate: Double, truth: Double)]) {
    let known = pairs.filter { $0.truth > 0 }
    guard !known.isEmpty else { return nil }
    let total = known.reduce(0) { $0 + $1.truth }
    meanShare = known.reduce(0) { $0 + abs($1.estimate - $1.truth) / $1.truth } / Double(known.count)
    weightedShare = known.reduce(0) { $0 + abs($1.estimate - $1.truth) } / total
    bias = known.reduce(0) { $0 + $1.estimate - $1.truth } / total
  }
}
