import Numerics
import System
import Testing
import Values

@testable import Estimates

/// What a plan predicts of changes of a mapping.
struct PlanMappingTests {
  /// How often users have each of nine values.
  private static let mix = [0.6, 0.2, 0.1, 0.05, 0.025, 0.0125, 0.00625, 0.003125, 0.003125]
  private static let (days, users) = (42, 5)

  /// A campaign whose values are withheld that fewer users of a week have.
  ///
  /// - Parameter groups: The number that each of the nine values has in the mapping.
  private func campaign(
    _ index: Int, _ mean: Double, groups: [Int] = Array(0..<9), _ random: inout SplitMix64
  ) -> PlannedCampaign {
    var days = [(total: Double, values: [Double])](
      repeating: (0, [Double](repeating: 0, count: 9)), count: Self.days + 1)
    for week in 0..<(Self.days / 7) {
      var counts = [Int](repeating: 0, count: 9)
      for (value, share) in Self.mix.enumerated() {
        counts[groups[value]] += random.poisson(7 * mean * share)
      }
      for (value, count) in counts.enumerated() {
        for _ in 0..<count {
          let day = 7 * week + random.number(below: 7) + (random.happens(0.5) ? 1 : 0)
          days[day].total += 1
          if count >= Self.users { days[day].values[value] += 1 }
        }
      }
    }
    let weeks = (2..<6).map { week in
      let own = days[(7 * week)..<(7 * week + 7)]
      return PlannedCampaign.Week(
        installs: own.reduce(0) { $0 + $1.total },
        values: (0..<9).map { value in own.reduce(0) { $0 + $1.values[value] } })
    }
    return PlannedCampaign(
      .init(app: 1, network: "a.skadnetwork", kind: "source-identifier", digits: "\(10 + index)"),
      firstDay: 20_000,
      arrivals: days.map { .init(total: $0.total, fine: $0.values.reduce(0, +)) },
      played: 14..<42, weeks: weeks)
  }

  private func campaigns(groups: [Int] = Array(0..<9), seed: UInt64 = 3) -> [PlannedCampaign] {
    var random = SplitMix64(seed: seed)
    return [4, 5, 6, 7, 8, 10, 12, 15, 20, 30].enumerated().map {
      campaign($0, $1, groups: groups, &random)
    }
  }

  private var question: PlanQuestion {
    var question = PlanQuestion()
    question.sharing = Self.users
    question.values = [1: Array(0..<9)]
    question.share = 0.95
    return question
  }

  private func shown(_ campaigns: [PlannedCampaign]) -> Double {
    let all = campaigns.map(\.inPlay)
    return all.reduce(0) { $0 + $1.fine } / all.reduce(0) { $0 + $1.total }
  }

  @Test
  func `Where rare values are withheld, a plan predicts what campaigns show by that rule`() throws {
    let all = campaigns()
    let plan = CampaignPlan(all, question)
    guard case .byValue(Self.users)? = plan.models.first?.sort else {
      Issue.record("\(plan.models)")
      return
    }
    let predicted = try #require(plan.total.bySize.first)
    #expect(abs(predicted.mean - shown(all)) < 0.02)
    for row in plan.rows {
      let own = try #require(row.bySize.first)
      #expect(abs(own.mean - row.fine) < 0.12, "\(row.place.digits)")
    }
    // A larger campaign has more users of each value.
    #expect(plan.rows[0].bySize[0].mean < plan.rows[9].bySize[0].mean - 0.05)
    let merge = try #require(plan.proposals.first { $0.kind == .merge })
    #expect(merge.then[0].mean > merge.now[0].mean + 0.02)
  }

  @Test
  func `Where rare values are withheld, idle campaigns, a budget and an app without a week are planned too`()
    throws
  {
    var asked = question
    asked.budget = 1_000
    asked.costs = ["a.skadnetwork": 1, "b.skadnetwork": 1]
    let idle = campaigns().map { campaign in
      PlannedCampaign(
        campaign.place, firstDay: campaign.firstDay,
        arrivals: campaign.arrivals + [PlannedCampaign.Arrived](repeating: .init(), count: 10),
        played: campaign.played, weeks: campaign.weeks)
    }
    let splits = CampaignPlan(idle, asked).splits
    #expect(!splits.isEmpty && splits.allSatisfy { $0.share.count == 1 })
    // Of another app nothing has arrived for a week.
    let young = PlannedCampaign(
      .init(app: 2, network: "b.skadnetwork", kind: "source-identifier", digits: "77"), firstDay: 20_040,
      arrivals: [.init(total: 9, fine: 7), .init(total: 8, fine: 8), .init(total: 9, fine: 9)], played: 0..<3)
    let plan = CampaignPlan(campaigns() + [young], asked)
    guard case .byValue(Self.users)? = plan.models.first?.sort else {
      Issue.record("\(plan.models)")
      return
    }
    #expect(plan.rows.allSatisfy { $0.bySize.count == 1 })
  }

  @Test
  func `Fewer values are proposed, and show as much as predicted`() throws {
    let plan = CampaignPlan(campaigns(), question)
    let proposal = try #require(
      plan.proposals.first { if case .values = $0.kind { true } else { false } })
    guard case .values(9, let count) = proposal.kind else {
      Issue.record("\(proposal.kind)")
      return
    }
    #expect((2..<9).contains(count))
    #expect(proposal.id == "values-1-\(count)")
    #expect(proposal.members.count == 10 && !proposal.isChosen && proposal.widthThen == nil)
    // The rarest neighbours are the last ones.
    let groups = (0..<9).map { min($0, count - 1) }
    var inside = 0
    for seed in UInt64(20)..<30
    where proposal.then[0].interval.contains(shown(campaigns(groups: groups, seed: seed))) {
      inside += 1
    }
    #expect(inside >= 7)
  }

  @Test
  func `Without a mapping, or with few values, none are joined`() {
    var asked = question
    asked.values = [:]
    #expect(CampaignPlan(campaigns(), asked).proposals.allSatisfy { $0.kind.isOfCampaigns })
    asked.values = [1: [0, 1]]
    #expect(CampaignPlan(campaigns(), asked).proposals.allSatisfy { $0.kind.isOfCampaigns })
  }

  @Test
  func `Values of an older mapping are none of the number that is proposed to change`() throws {
    var asked = question
    asked.values = [1: Array(0..<6)]
    let changes = CampaignPlan(campaigns(), asked).proposals.compactMap { proposal in
      if case .values(let now, let then) = proposal.kind { (now, then) } else { nil }
    }
    #expect(changes.allSatisfy { $0.0 == 6 && $0.1 < 6 })
  }

  @Test
  func `Campaigns that are too small to show anything are predicted to show nothing`() throws {
    let rare = try #require(
      RareValues(
        campaigns().flatMap(\.weeks), of: Array(0..<9), users: Self.users, seed: 1))
    for law in rare.laws {
      let (mean, variance) = law.shown(2)
      #expect(mean < 0.05 && variance < 0.5)
    }
  }

  @Test
  func `The sizes of a plan are those of a week, with merged campaigns as one`() {
    var asked = question
    asked.chosen = ["none"]
    let alone = CampaignPlan(campaigns(), asked).sizes.map { Double($0) / 7 }
    #expect(zip(alone, [5, 10, 20]).allSatisfy { abs($0 - $1) < 1.5 } && alone.count == 3)
    #expect((CampaignPlan(campaigns(), question).sizes.first ?? 0) > 40)
    #expect(CampaignPlan([], question).sizes.isEmpty)
  }

  @Test
  func `No size is above what a design takes`() {
    let large = campaigns().map { campaign in
      PlannedCampaign(
        campaign.place, firstDay: campaign.firstDay,
        arrivals: campaign.arrivals.map { .init(total: 9_000 * $0.total, fine: 9_000 * $0.fine) },
        played: campaign.played)
    }
    #expect(CampaignPlan(large, PlanQuestion()).sizes == [100_000])
  }
}
