internal import Numerics
package import Mappings
internal import System
internal import Values

/// How often intervals hold the truth, for campaigns of users that the worths of values are not learned from.
///
/// Each seed divides an advertiser's own users into two halves. One half is what `skan users import` would learn from;
/// the campaigns are drawn from the other, go the way of a report, and are compared with what their users truly paid.
/// Campaigns differ as ``UserPool`` makes them differ: good ones have better users, within a value too.
package struct BackTest: Sendable {
  package enum Withholding: String, CaseIterable, Sendable {
    case nothing
    /// All values of a campaign's day of fewer than 30 installs.
    case below30 = "below-30-a-day"

    fileprivate var mechanism: NullMechanism { self == .nothing ? .share(0) : .hard(threshold: 30) }
  }

  /// Counts and sums over campaigns and seeds.
  package struct Score: Equatable, Sendable {
    package var ownUsers = 0
    package var campaigns = 0
    /// Campaigns whose truth is below the interval, and above it.
    package var below = 0
    package var above = 0
    /// The widths of their intervals, added up.
    package var widths = 0.0
    package var totals = 0
    package var totalsHeld = 0
    package var truth = 0.0
    package var error = 0.0

    /// The sum of the errors by the sum of the truths; `nil` where no user paid.
    package var bias: Double? { truth > 0 ? error / truth : nil }

    package init() {}

    package static func += (a: inout Self, b: Self) {
      a.ownUsers += b.ownUsers
      a.campaigns += b.campaigns
      a.below += b.below
      a.above += b.above
      a.widths += b.widths
      a.totals += b.totals
      a.totalsHeld += b.totalsHeld
      a.truth += b.truth
      a.error += b.error
    }
  }

  private static let days = 7

  let mapping: Mapping
  let users: [UserPool.User]
  /// Whether the users' amounts are of the time that values count.
  let isOfFirstWindow: Bool
  let campaigns: Int
  /// What a campaign's quality multiplies for each of some users; `nil` for ``UserPool``'s law.
  package var scores: (@Sendable ([UserPool.User]) -> [Double])?
  /// Into how many groups own users are divided that differ as campaigns do; with 0 they stay in the groups that they have.
  package var drawnGroups = 0

  package init(_ mapping: Mapping, _ users: [UserPool.User], isOfFirstWindow: Bool, campaigns: Int) {
    self.mapping = mapping
    self.users = users
    self.isOfFirstWindow = isOfFirstWindow
    self.campaigns = campaigns
  }

  /// Runs one seed.
  ///
  /// - Returns: The score; `nil` where a half is empty.
  /// - Throws: ``EstimationError`` where a fit fails.
  package func run(_ withholding: Withholding, seed: UInt64) throws(EstimationError) -> Score? {
    var random = SplitMix64(seed: seed)
    var (learned, others): ([UserPool.User], [UserPool.User]) = ([], [])
    for user in users {
      if random.happens(0.5) { learned.append(user) } else { others.append(user) }
    }
    if drawnGroups > 0 { learned = grouped(learned, &random) }
    var own = [[Double]](repeating: [], count: 64)
    for user in learned { own[user.code].append(user.amount) }
    var score = Score()
    score.ownUsers = learned.count
    guard score.ownUsers > 0, var pool = UserPool(users: others, scores: scores?(others)) else { return nil }
    // Campaigns differ as far as groups of the others do.
    if drawnGroups == 0, let law = WithinValueLaw(others) { pool.differ(within: law) }
    let known = Dictionary(
      uniqueKeysWithValues: own.enumerated().filter { !$1.isEmpty }.map { ($0, KnownUsers(storedOf: $1)) })
    let worth = CodeWorth(
      mapping, own: known, event: nil, isOfFirstWindow: isOfFirstWindow,
      within: isOfFirstWindow ? .unknown : WithinValueLaw(learned) ?? .unknown)
    var drawn: [UserPool.Campaign] = []
    for number in 0..<campaigns {
      let daily = 25 * exponential(1.1 * random.normal())
      var sizes: [Int] = []
      for _ in 0..<Self.days { sizes.append(random.poisson(daily)) }
      drawn.append(
        pool.campaign(
          name: "campaign \(number)", sizes: sizes, codeCount: 64, mechanism: withholding.mechanism, &random))
    }
    drawn.removeAll { $0.counts.total == 0 }
    let crowds = try EstimatedCrowd.estimated(
      drawn.map { campaign in
        (
          campaign.counts.name,
          Dictionary(
            uniqueKeysWithValues: zip(0..., campaign.counts.cells).map {
              (Day(number: $0), DayCounts($1))
            })
        )
      }, worth: worth, users: own.map { Double($0.count) }, by: .tree, seed: seed)
    for (campaign, crowds) in zip(drawn, crowds) {
      guard let interval = EstimatedSum(Self.parts(crowds), isOfOneCampaign: true)?.interval else { continue }
      let truth = campaign.truth.reduce(0, +)
      score.campaigns += 1
      score.widths += interval.width
      if truth < interval.low { score.below += 1 }
      if truth > interval.high { score.above += 1 }
    }
    let all = EstimatedSum(crowds.flatMap(Self.parts), isOfOneCampaign: false)
    if let all, let interval = all.interval, let estimate = all.estimate {
      let truth = drawn.reduce(0) { $0 + $1.truth.reduce(0, +) }
      score.totals = 1
      score.totalsHeld = interval.contains(truth) ? 1 : 0
      score.truth = truth
      score.error = estimate - truth
    }
    return score
  }

  /// The same users in groups that differ as campaigns do.
  private func grouped(_ users: [UserPool.User], _ random: inout SplitMix64) -> [UserPool.User] {
    guard let pool = UserPool(users: users, scores: scores?(users)) else { return [] }
    let groups = pool.groups(drawnGroups, &random)
    return zip(users, groups).map { UserPool.User(code: $0.code, amount: $0.amount, group: $1) }
  }

  private static func parts(_ crowds: [EstimatedCrowd]) -> [EstimatedSum.Part] {
    crowds.flatMap { crowd in crowd.days.indices.map { EstimatedSum.Part(crowd, day: $0) } }
  }
}

extension DayCounts {
  fileprivate init(_ cell: CellCounts) {
    self.init()
    revealed = cell.revealed
    nulls = cell.nulls
  }
}
