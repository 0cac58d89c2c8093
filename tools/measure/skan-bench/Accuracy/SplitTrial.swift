import Estimates
import Mappings
import Numerics
import System
import Values

/// Intervals of campaigns whose users differ from those that the worths come from.
///
/// Each seed splits the users again, designs a mapping for the own half, and draws campaigns with replacement from the
/// other. All steps are those of a report: the mapping is replayed, own users are counted by value, and the bounds of
/// values are the mapping's.
struct SplitTrial: Sendable {
  /// How values are withheld, by the letter of the scenario; `nil` if none are.
  static let scenarios: [(name: String, mechanism: NullMechanism?)] = [
    ("N", nil), ("A", .hard(threshold: 30)), ("B", .soft(threshold: 30, slope: 0.35)),
  ]

  /// A mapping that is tried.
  enum Kind: String, CaseIterable, Sendable {
    case designed
    case hand16 = "hand 16"
    case hand56 = "hand 2 x 28"

    func mapping(_ split: UserSplit) -> Mapping? {
      guard let currency = split.app.currency else { return nil }
      return switch self {
      case .designed: split.designedMapping(values: 60, days: 2)
      case .hand16: HandMapping.geometric(split.ownAmounts, ranges: 15, days: 1).mapping(currency)
      case .hand56: HandMapping.geometric(split.ownAmounts, ranges: 27, days: 2).mapping(currency)
      }
    }
  }

  let app: AppUsers
  let kind: Kind
  /// The scenarios that are run.
  let scenarios: [String]
  let options: AccuracyOptions

  /// Installs of the campaigns' days, and their users.
  private struct Campaign {
    let days: [[Int]]
    let truth: Double
  }

  private struct Organic {
    let installs: Double
    let truth: Double
  }

  /// Runs one seed; empty if no user has revenue.
  ///
  /// - Throws: `EstimationError` where a fit fails.
  func run(seed: Int) throws -> [String: SplitScore] {
    let split = UserSplit(app: app, seed: UInt64(seed))
    guard let mapping = kind.mapping(split) else { return [:] }
    let halves = split.play(mapping)
    guard let tilted = TiltedUsers(halves.others.map(\.amount)) else { return [:] }
    var known = [[Double]](repeating: [], count: 64)
    var others = known
    for user in halves.own { known[user.code].append(user.amount) }
    for user in halves.others { others[user.code].append(user.amount) }
    let own = Dictionary(
      uniqueKeysWithValues: known.enumerated().filter { !$1.isEmpty }.map {
        ($0, KnownUsers(amounts: $1))
      })
    let worth = CodeWorth(mapping, own: own, event: nil)
    let oracle = CodeWorth(buckets: others.map(Self.certain))
    var random = SplitMix64(seed: UInt64(seed) &* 1_000_003 &+ 0x53)
    let campaigns = (0..<options.campaigns).map { _ in campaign(halves.others, tilted, &random) }
    let organic = organic(
      halves.others, tilted, installs: campaigns.reduce(0) { $0 + $1.days.joined().count } / 2, &random)
    var scores: [String: SplitScore] = [:]
    for (name, mechanism) in Self.scenarios where scenarios.contains(name) {
      let counts = campaigns.enumerated().map { number, campaign in
        RevealedCounts(
          name: "campaign \(number)",
          cells: campaign.days.map { cell($0, halves.others, mechanism, &random) })
      }
      let set = try CampaignSet(campaigns: counts, worth: worth, firstParty: known.map { Double($0.count) })
      let ideal = try CampaignSet(
        campaigns: counts, worth: oracle, firstParty: others.map { Double($0.count) })
      var score = SplitScore()
      try measure(set, ideal, campaigns.map(\.truth), organic, isHidden: mechanism != nil, &score, &random)
      score.addFloor(set, ideal)
      scores[name] = score
    }
    return scores
  }

  /// The worth of a value under the distribution that campaigns are drawn from.
  private static func certain(_ amounts: [Double]) -> BucketWorth {
    let count = Double(max(1, amounts.count))
    let mean = amounts.reduce(0, +) / count
    let second = amounts.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count
    let third = amounts.reduce(0) { $0 + ($1 - mean) * ($1 - mean) * ($1 - mean) } / count
    return BucketWorth(
      mean: mean, spread: second.squareRoot(), low: amounts.min() ?? 0, high: amounts.max() ?? 0,
      users: 1 << 50, third: third)
  }

  /// Makes a campaign: a log-normal number of installs a day, of median 25 and σ 1.1, for seven days.
  private func campaign(_ users: [UserSplit.Played], _ tilted: TiltedUsers, _ random: inout SplitMix64)
    -> Campaign
  {
    let daily = 25 * exponential(1.1 * random.normal())
    let quality = Scenario.spread * random.normal()
    let days = (0..<Scenario.days).map { _ in
      (0..<random.poisson(daily)).map { _ in tilted.user(quality: quality, &random) }
    }
    return Campaign(days: days, truth: days.joined().reduce(0) { $0 + users[$1].amount })
  }

  /// Makes users whom no campaign brought, half as many as those of campaigns, with a quality of their own.
  private func organic(
    _ users: [UserSplit.Played], _ tilted: TiltedUsers, installs: Int, _ random: inout SplitMix64
  ) -> Organic {
    let quality = Scenario.spread * random.normal()
    let truth = (0..<installs).reduce(0.0) { sum, _ in
      sum + users[tilted.user(quality: quality, &random)].amount
    }
    return Organic(installs: Double(installs), truth: truth)
  }

  private func cell(
    _ installs: [Int], _ users: [UserSplit.Played], _ mechanism: NullMechanism?, _ random: inout SplitMix64
  ) -> CellCounts {
    var hidden = mechanism?.hidden(of: installs.count, &random) ?? 0
    let nulls = hidden
    var revealed = [Double](repeating: 0, count: 64)
    for (place, user) in installs.enumerated() {
      // Users are drawn alike, so it does not matter which of the remaining ones are withheld.
      if random.number(below: installs.count - place) < hidden {
        hidden -= 1
      } else {
        revealed[users[user].code] += 1
      }
    }
    return CellCounts(revealed: revealed, nulls: Double(nulls))
  }

  /// The fifth that each number is in, by its rank.
  private static func fifths(of numbers: [Double]) -> [Int] {
    var fifths = [Int](repeating: 0, count: numbers.count)
    let order = numbers.indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) }
    for (rank, index) in order.enumerated() { fifths[index] = rank * 5 / numbers.count }
    return fifths
  }

  private func measure(
    _ set: CampaignSet, _ ideal: CampaignSet, _ truths: [Double], _ organic: Organic, isHidden: Bool,
    _ score: inout SplitScore, _ random: inout SplitMix64
  ) throws {
    let estimates = try Estimator.tree.estimates(of: set)
    let ratios = try ComparedEstimator.ratio.totals(of: set)
    let seed = random.next()
    let ends = random.next()
    guard let model = try PredictiveModel(.tree, of: set, count: options.draws, seed: seed),
      let known = try PredictiveModel(.tree, of: ideal, count: options.draws, seed: seed),
      let pool = UserPool(revealedOf: set)
    else { return }
    let recalibration =
      isHidden
      ? try Recalibration.learned(
        for: Estimator.tree.fit, on: set, pool: pool, mechanism: nil, rounds: options.rounds,
        draws: options.draws,
        seed: ends)
      : nil
    var total = [Double](repeating: 0, count: options.draws)
    var knownTotal = total
    let perInstall = truths.reduce(0, +) / max(1, set.campaigns.reduce(0) { $0 + $1.total })
    let sizeFifths = Self.fifths(of: set.campaigns.map(\.total))
    let nullFifths = Self.fifths(of: set.campaigns.map(\.nullShare))
    var parts: [(truth: Double, estimate: Double, interval: Interval, part: Reconciliation.Part)] = []
    for (index, campaign) in set.campaigns.enumerated() where campaign.total > 0 {
      let draws = model.draws(of: campaign).total
      let ideal = known.draws(of: campaign).total
      for draw in draws.indices {
        total[draw] += draws[draw]
        knownTotal[draw] += ideal[draw]
      }
      guard let raw = Interval(of: draws), let knownInterval = Interval(of: ideal) else { continue }
      let wider = recalibration?.apply(
        to: raw, priorMean: (set.appMean ?? 0) * campaign.total, nullShare: campaign.nullShare,
        least: campaign.worstCase(set.worth).low)
      parts.append(
        (
          truths[index], estimates[index].total ?? 0, wider ?? raw,
          Reconciliation.Part(
            draws: draws, common: model.commonDraws(of: campaign.revealed.all), interval: wider)
        ))
      score.add(
        SplitScore.Case(
          truth: truths[index], estimate: estimates[index].total ?? 0, ratio: ratios[index],
          raw: raw, interval: wider ?? raw, known: knownInterval,
          share: campaign.nulls == 0 ? .full : campaign.revealedTotal == 0 ? .none : .part,
          target: campaign.total * perInstall, sizeFifth: sizeFifths[index], nullFifth: nullFifths[index]))
    }
    bind(parts, organic, set, model, recalibration, &score)
    guard let interval = Interval(of: total), let knownInterval = Interval(of: knownTotal) else { return }
    score.addTotal(
      truth: truths.reduce(0, +), estimate: estimates.reduce(0) { $0 + ($1.total ?? 0) }, interval,
      knownInterval)
  }

  /// Binds campaigns and organic users to what both are worth together, as exact books do.
  private func bind(
    _ parts: [(truth: Double, estimate: Double, interval: Interval, part: Reconciliation.Part)],
    _ organic: Organic, _ set: CampaignSet, _ model: PredictiveModel, _ recalibration: Recalibration?,
    _ score: inout SplitScore
  ) {
    let unknown = RevealedCounts(
      name: "organic", revealed: [Double](repeating: 0, count: set.worth.buckets.count),
      nulls: organic.installs)
    let estimate = organic.installs * (set.appMean ?? 0)
    let draws = model.draws(of: unknown).total
    let wider = Interval(of: draws, holding: estimate).flatMap {
      recalibration?.apply(to: $0, priorMean: estimate, nullShare: 1, least: 0)
    }
    let all = parts.map(\.part) + [Reconciliation.Part(draws: draws, common: [], interval: wider)]
    let total = parts.reduce(organic.truth) { $0 + $1.truth }
    let bound = Reconciliation(all, total: total)
    let sum = parts.reduce(estimate) { $0 + $1.estimate }
    var reached = estimate + bound.shift(of: parts.count, estimate: sum)
    for (index, part) in parts.enumerated() {
      let amount = part.estimate + bound.shift(of: index, estimate: sum)
      reached += amount
      let narrowing = bound.narrowing(of: index)
      score.addBound(
        part.truth, part.interval,
        Interval(
          low: amount - max(0, part.estimate - part.interval.low) * narrowing,
          high: amount + max(0, part.interval.high - part.estimate) * narrowing))
    }
    score.addBoundTotal(error: total > 0 ? reached / total - 1 : 0)
  }
}
