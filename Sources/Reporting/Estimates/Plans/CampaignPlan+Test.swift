internal import Numerics
internal import System

extension CampaignPlan.Test {
  /// Shares that are less far apart distinguish no models.
  private static let leastDifference = 0.2
  private static let days = 3...28
  /// How surely a true difference is seen, and how rarely one is seen that is none.
  private static let reach = normalQuantile(0.95) + normalQuantile(0.9)

  /// The campaign by which two models differ most; `nil` where four weeks of no campaign distinguish them.
  init?(of model: CampaignPlan.Model, _ ground: PlanGround) {
    guard case .open = model.sort, let low = model.laws.first?.first, let high = model.laws.last?.first else {
      return nil
    }
    let most = 3 * max(high.threshold ?? 1, low.threshold ?? 1)
    let sizes = (0..<40).map { exponential(naturalLogarithm(2) + Double($0) / 39 * naturalLogarithm(most)) }
    let found = sizes.compactMap { size -> (size: Double, low: Outcome, high: Outcome, days: Int)? in
      let played = ground.forecast.flat(size)
      let (low, high) = (Outcome(played, low), Outcome(played, high))
      let difference = abs(low.mean - high.mean)
      guard difference >= Self.leastDifference else { return nil }
      let needed = Self.reach * Self.reach * (low.variance + high.variance) / (difference * difference)
      let days = max(Self.days.lowerBound, Int(min(1e6, needed.rounded(.up))))
      return Self.days.contains(days) ? (size, low, high, days) : nil
    }
    // The fewest installs, since all of these distinguish the models.
    guard let best = found.min(by: { $0.size * Double($0.days) < $1.size * Double($1.days) }) else {
      return nil
    }
    let own = Set(ground.campaigns.map(\.place.network))
    let networks = own.isEmpty ? Set(ground.question.costs.keys) : own
    let costs = networks.filter { model.network == nil || $0 == model.network }
      .compactMap { network in ground.cost(of: network).map { $0 / ground.conversionsPerInstall(network) } }
      .sorted()
    self.init(
      network: model.network, installsADay: best.size, days: best.days,
      cost: costs.isEmpty ? nil : costs[costs.count / 2] * best.size * Double(best.days),
      low: best.low.mean, high: best.high.mean)
  }

  /// What one day of a campaign shows.
  private struct Outcome {
    let mean: Double
    let variance: Double

    init(_ played: [Int32], _ law: NullMechanism) {
      let sizes = played.filter { $0 > 0 }.map(Double.init)
      let shares = sizes.map(law.revealing)
      mean = shares.reduce(0, +) / Double(max(1, shares.count))
      // Of the days, and of single values.
      let chance = zip(shares, sizes).reduce(0) { $0 + $1.0 * (1 - $1.0) / $1.1 }
      variance = shares.variance + chance / Double(max(1, shares.count))
    }
  }
}
