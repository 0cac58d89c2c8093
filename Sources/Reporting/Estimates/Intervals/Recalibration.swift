/// An interval whose truth is known, from a simulated campaign.
package struct CalibrationPair: Equatable, Sendable {
  package let interval: Interval
  package let truth: Double
  /// What the campaign's installs are worth at the app's mean.
  package let priorMean: Double
  /// The share of withheld values, from 0 through 1.
  package let nullShare: Double

  package init(interval: Interval, truth: Double, priorMean: Double, nullShare: Double) {
    self.interval = interval
    self.truth = truth
    self.priorMean = priorMean
    self.nullShare = nullShare
  }
}

/// How much wider intervals have to be to hold as often as they claim, learned on campaigns whose truth is known.
///
/// Split conformal prediction apart for three classes of null share: below 2 %, below 75 %, and above. The score of a
/// pair is max((low − T)/h, (T − high)/h) with h the half width and 0.5 % of the prior mean; intervals are widened by
/// the score that the wanted part of pairs stays below, times h, and never narrowed. It holds as far as real campaigns
/// are like the simulated ones: where nulls depend on quality, nothing in the postbacks shows it.
/// Source: Vovk, Gammerman and Shafer, "Algorithmic learning in a random world", 2005, section 4.5 (Mondrian);
/// Romano, Patterson and Candès, "Conformalized quantile regression", 2019.
package struct Recalibration: Equatable, Sendable {
  /// The widening in half widths, by class of null share.
  package let factors: [Double]
  /// How many pairs each class was learned on.
  package let pairs: [Int]

  /// The fewest pairs that a class is learned on; a class with fewer takes the factor of all pairs.
  package static let fewestPairs = 30

  /// Learns from pairs; without enough of them nothing is widened.
  ///
  /// - Parameters:
  ///   - pairs: Intervals with their truths.
  ///   - level: How often an interval shall hold.
  /// - Returns: The widening of each class.
  package static func fit(_ pairs: [CalibrationPair], level: Double = 0.9) -> Self {
    var classes = [[Double]](repeating: [], count: 3)
    for pair in pairs {
      let unit = unit(of: pair.interval, priorMean: pair.priorMean)
      guard unit > 0, pair.truth.isFinite else { continue }
      classes[stratum(of: pair.nullShare)].append(
        max(pair.interval.low - pair.truth, pair.truth - pair.interval.high) / unit)
    }
    let all = factor(of: classes.flatMap(\.self), level: level)
    return Self(
      factors: classes.map { $0.count < fewestPairs ? all : factor(of: $0, level: level) },
      pairs: classes.map(\.count))
  }

  /// Widens an interval.
  ///
  /// - Parameters:
  ///   - interval: What the model predicts.
  ///   - priorMean: What the installs are worth at the app's mean.
  ///   - nullShare: The share of withheld values.
  ///   - least: What is sure to be reached, as the low end of ``RevealedCounts/worstCase(_:)``.
  package func apply(
    to interval: Interval, priorMean: Double, nullShare: Double, least: Double = -.infinity
  ) -> Interval {
    let more = factors[Self.stratum(of: nullShare)] * Self.unit(of: interval, priorMean: priorMean)
    return Interval(
      low: max(min(least, interval.low), interval.low - more), high: interval.high + more)
  }

  package static func stratum(of nullShare: Double) -> Int { nullShare < 0.02 ? 0 : nullShare < 0.75 ? 1 : 2 }

  private static func unit(of interval: Interval, priorMean: Double) -> Double {
    interval.width / 2 + 0.005 * abs(priorMean)
  }

  private static func factor(of scores: [Double], level: Double) -> Double {
    guard scores.count >= fewestPairs else { return 0 }
    // One more than there are, for the campaign that is still to come.
    let rank = Int((Double(scores.count + 1) * level).rounded(.up))
    return max(0, scores.sorted()[min(scores.count, max(1, rank)) - 1])
  }
}
