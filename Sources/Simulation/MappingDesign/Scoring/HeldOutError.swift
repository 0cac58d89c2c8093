import System

/// The error of campaigns of ``PseudoCampaigns`` in the mean over all that can be drawn, without drawing any.
///
/// A campaign of n users scatters around its law by n times the variance of users' errors, and its quality moves the
/// mean of these errors, where better users of a range have the same value as worse ones. What the worths of the values
/// err by is as large as the mean of so many users' errors as the worths were learned of; how far the few known users
/// happen to be off together does not carry over to the next ones, and is left out. Qualities are integrated over by
/// Gauss and Hermite's rule of seven points.
struct HeldOutError {
  /// Places and weights of the rule for a standard normal variable.
  ///
  /// Source: Abramowitz and Stegun, "Handbook of mathematical functions", table 25.10, scaled by the root of 2.
  private static let rule: [(place: Double, weight: Double)] = [
    (-3.750_439_717_725_742, 0.000_548_268_855_972_217), (-2.366_759_410_734_541, 0.030_757_123_967_586_5),
    (-1.154_405_394_739_968, 0.240_123_178_605_012_7), (0, 0.457_142_857_142_857_1),
    (1.154_405_394_739_968, 0.240_123_178_605_012_7), (2.366_759_410_734_541, 0.030_757_123_967_586_5),
    (3.750_439_717_725_742, 0.000_548_268_855_972_217),
  ]

  private let worths: [Double]
  /// The share of each user in a campaign, for each place of the rule.
  private let shares: [[Double]]
  private let mean: Double

  /// Takes the worths of users; `nil` if their mean revenue is zero.
  init?(worths: [Double]) {
    let mean = worths.reduce(0, +) / Double(max(1, worths.count))
    guard mean > 0 else { return nil }
    let scores = PseudoCampaigns(worths: worths).scores
    self.worths = worths
    self.mean = mean
    shares = Self.rule.map { node in
      let odds = scores.map { $0 == 0 ? 1 : exponential(PseudoCampaigns.deviation * node.place * $0) }
      let whole = odds.reduce(0, +)
      return odds.map { $0 / whole }
    }
  }

  /// What users' errors come to: their variance, and how far a campaign's quality moves their mean, squared.
  struct Parts: Hashable {
    var variance = 0.0
    var drift = 0.0

    static func += (sum: inout Parts, part: Parts) {
      sum.variance += part.variance
      sum.drift += part.drift
    }
  }

  /// Returns the parts for users whose values are worth so much, relative to a user's mean revenue.
  func parts(_ estimates: [Double]) -> Parts {
    let moments = shares.map { shares in
      var (first, second) = (0.0, 0.0)
      for index in worths.indices {
        let error = estimates[index] - worths[index]
        first += shares[index] * error
        second += shares[index] * error * error
      }
      return (first: first, second: second)
    }
    func average(_ number: (Int) -> Double) -> Double {
      Self.rule.indices.reduce(0) { $0 + Self.rule[$1].weight * number($1) }
    }
    let middle = average { moments[$0].first }
    return Parts(
      variance: average { moments[$0].second } / (mean * mean),
      drift: average { (moments[$0].first - middle) * (moments[$0].first - middle) } / (mean * mean))
  }
}

extension HeldOutError.Parts {
  /// The root mean squared error of a campaign of some users, relative to its revenue, with worths learned of others.
  func error(of users: Double, learnedOf known: Double) -> Double {
    (variance / users + drift + variance / known).squareRoot()
  }
}
