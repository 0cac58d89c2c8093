internal import System

/// How far the users who only saw an ad are on the way from those who acted upon one to own users, by their values.
///
/// Each value scores the logarithm of its share among own users by that among clicks of other networks: the statistic that
/// tells the two apart best (Neyman and Pearson, 1933). The way is the difference of mean scores between a campaign's views and
/// its clicks, by that between own users and clicks of other networks. So what a campaign's audience differs by is in
/// both of its sides.
struct ViewMix: Sendable {
  private let scores: [Double]
  private let way: Double

  /// Own users and clicks that a value is given in the proportion of all, so that none has the share 0.
  private static let smoothing = 20.0
  private static let highest = 3.0
  private static let fewestClicks = 300.0
  private static let fewestUsers = 300.0
  /// The shortest way that shows anything.
  private static let shortest = 0.05
  private static let fewest = 50.0

  /// Learns scores; nil where own users or clicks are too few, or too alike.
  init?(own: [Double], clicks: [Double]) {
    let (users, acted) = (own.reduce(0, +), clicks.reduce(0, +))
    guard own.count == clicks.count, users >= Self.fewestUsers, acted >= Self.fewestClicks else { return nil }
    var scores: [Double] = []
    for (a, b) in zip(own, clicks) {
      let common = Self.smoothing * (a / users + b / acted) / 2
      let ratio = (a + common) / (users + Self.smoothing) * (acted + Self.smoothing) / max(1e-12, b + common)
      scores.append(a + b > 0 ? min(Self.highest, max(-Self.highest, naturalLogarithm(ratio))) : 0)
    }
    self.scores = scores
    way = Self.mean(own, scores).mean - Self.mean(clicks, scores).mean
    guard way >= Self.shortest else { return nil }
  }

  /// The share of the way; nil where a campaign has too few of either.
  func share(views: [Double], clicks: [Double]) -> PatternEffect? {
    let (seen, acted) = (Self.mean(views, scores), Self.mean(clicks, scores))
    guard min(seen.count, acted.count) >= Self.fewest else { return nil }
    let variance = seen.variance / (seen.count - 1) + acted.variance / (acted.count - 1)
    return PatternEffect(
      value: (seen.mean - acted.mean) / way, variance: variance / (way * way),
      freedom: min(seen.count, acted.count) - 1)
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
