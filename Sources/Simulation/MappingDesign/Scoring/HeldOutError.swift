import System

/// The error of campaigns of ``PseudoCampaigns`` in the mean over all that can be drawn, without drawing any.
///
/// A campaign of n users scatters around its law by n times the variance of users' errors, and its quality moves the
/// mean of these errors, where better users of a range have the same value as worse ones. What the worths of the values
/// err by is as large as the mean of so many users' errors as the worths were learned of; how far the few known users
/// happen to be off together does not carry over to the next ones, and is left out. Withheld values add what users of
/// their campaign scatter, and what filling them in errs by. Qualities are integrated over by
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

  /// Means of a campaign's users: their worths, what their values are worth, and the squares and products of both.
  private struct Moments {
    var (worth, estimate) = (0.0, 0.0)
    var (worthSquare, estimateSquare, product) = (0.0, 0.0, 0.0)

    /// The variance of `scale` times a user's estimate less the user's worth.
    func variance(_ scale: Double) -> Double {
      let mean = scale * estimate - worth
      return max(0, scale * scale * estimateSquare - 2 * scale * product + worthSquare - mean * mean)
    }

    var worthVariance: Double { max(0, worthSquare - worth * worth) }
  }

  /// Returns the mean squared errors of campaigns' revenue, in parts of its mean.
  ///
  /// Nulls are of users like the others. They count as ``Trial`` fills them in: what the campaign shows, drawn to what
  /// all campaigns show.
  ///
  /// - Parameters:
  ///   - estimates: What each user's value is worth.
  ///   - sizes: The campaigns' installs, and the shares of nulls.
  ///   - known: How many users the worths are learned of.
  func squares(_ estimates: [Double], _ sizes: [CampaignSize], learnedOf known: Int) -> [Double] {
    let moments = shares.map { shares in
      var sums = Moments()
      for index in worths.indices {
        let (worth, estimate) = (worths[index], estimates[index])
        sums.worth += shares[index] * worth
        sums.estimate += shares[index] * estimate
        sums.worthSquare += shares[index] * worth * worth
        sums.estimateSquare += shares[index] * estimate * estimate
        sums.product += shares[index] * worth * estimate
      }
      return sums
    }
    func average(_ number: (Moments) -> Double) -> Double {
      zip(Self.rule, moments).reduce(0) { $0 + $1.0.weight * number($1.1) }
    }
    let common = average(\.estimate)
    let unlearned = average { $0.variance(1) } / Double(max(1, known))
    return sizes.map { size in
      let shown = 1 - size.nullShare
      let count = Double(size.installs)
      // Nulls count so much of what the campaign shows, for each value that it shows.
      let scale = 1 + size.nullShare * count / (shown * count + Trial.trust)
      let own = shown * scale
      func bias(_ some: Moments) -> Double { own * some.estimate + (1 - own) * common - some.worth }
      let middle = average(bias)
      let scatter = average { shown * $0.variance(scale) + size.nullShare * $0.worthVariance }
      let drift = average { (bias($0) - middle) * (bias($0) - middle) }
      return (scatter / count + drift + unlearned) / (mean * mean)
    }
  }
}

/// A size of campaigns, with what of them is expected to be withheld.
struct CampaignSize: Equatable {
  let installs: Int
  /// The share of postbacks without a value.
  let nullShare: Double
}
