internal import System

/// How far the users who only saw an ad are on the way from those who acted upon one to own users, by their values.
///
/// Each value scores the logarithm of its share among own users by that among clicks of other networks, learned where the
/// network has no part in it: no statistic distinguishes the two better (Neyman and Pearson, 1933). The way is the difference
/// of mean scores between a campaign's views and its clicks, by that between own users and the network's clicks. So what
/// a campaign's audience differs by is in both of its sides.
struct ViewMix: Sendable {
  private let scores: [Double]
  private let way: Double
  /// Of chance, by the square of the way.
  private let wayVariance: Double

  /// Own users and clicks that a value is given in the proportion of all, so that none has the share 0.
  private static let smoothing = 20.0
  private static let highest = 3.0
  private static let fewestClicks = 300.0
  private static let fewestUsers = 300.0
  /// The least way, in its standard errors.
  private static let leastErrors = 5.0
  private static let fewest = 50.0
  private static let largestError = 0.5

  /// Learns scores; nil where own users or clicks are too few, or too alike.
  ///
  /// - Parameters:
  ///   - own: Own users by value.
  ///   - others: Clicks of other networks.
  ///   - clicks: Clicks of the network.
  init?(own: [Double], others: [Double], clicks: [Double]) {
    let (users, acted) = (own.reduce(0, +), others.reduce(0, +))
    guard users >= Self.fewestUsers, acted >= Self.fewestClicks else { return nil }
    scores = zip(own, others).map { a, b in
      let common = Self.smoothing * (a / users + b / acted) / 2
      guard common > 0 else { return 0 }
      let ratio = (a + common) / (users + Self.smoothing) * (acted + Self.smoothing) / (b + common)
      return min(Self.highest, max(-Self.highest, naturalLogarithm(ratio)))
    }
    let (end, start) = (Self.mean(own, scores), Self.mean(clicks, scores))
    guard start.count >= Self.fewest else { return nil }
    way = end.mean - start.mean
    let variance = end.variance / end.count + start.variance / start.count
    wayVariance = variance / (way * way)
    guard way > Self.leastErrors * variance.squareRoot() else { return nil }
  }

  /// The share of the way; nil where a campaign has too few of either.
  func share(views: [Double], clicks: [Double]) -> PatternEffect? {
    let (seen, acted) = (Self.mean(views, scores), Self.mean(clicks, scores))
    guard min(seen.count, acted.count) >= Self.fewest else { return nil }
    let value = (seen.mean - acted.mean) / way
    let chance = (seen.variance / (seen.count - 1) + acted.variance / (acted.count - 1)) / (way * way)
    let variance = chance + value * value * wayVariance
    guard variance > 0, variance <= Self.largestError * Self.largestError else { return nil }
    return PatternEffect(value: value, variance: variance, freedom: min(seen.count, acted.count) - 1)
  }

  private static func mean(
    _ counts: [Double], _ scores: [Double]
  ) -> (mean: Double, variance: Double, count: Double) {
    var (count, sum, squares) = (0.0, 0.0, 0.0)
    for (number, score) in zip(counts, scores) {
      count += number
      sum += number * score
      squares += number * score * score
    }
    guard count > 0 else { return (0, 0, 0) }
    return (sum / count, max(0, squares / count - sum / count * (sum / count)), count)
  }
}
