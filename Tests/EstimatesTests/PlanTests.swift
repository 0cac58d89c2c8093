import System
import Testing
import Values

@testable import Estimates

/// What a plan predicts of campaigns whose rule is known.
struct PlanTests {
  private static let network = "a.skadnetwork"

  /// Campaigns of one app and network with some installs a day, whose postbacks come after 3 or 4 days.
  private func campaigns(
    _ daily: [Double], law: NullMechanism, laterLaw: NullMechanism? = nil, days: Int = 42,
    coarse: Double = 0, network: String = Self.network, seed: UInt64 = 1
  ) -> [PlannedCampaign] {
    var random = SplitMix64(seed: seed)
    return daily.enumerated().map { index, mean in
      var arrived = [PlannedCampaign.Arrived](repeating: .init(), count: days + 1)
      for day in 0..<days {
        let installs = random.poisson(mean)
        let law = day >= days / 3 ? laterLaw ?? law : law
        let hidden = law.hidden(of: installs, &random)
        for install in 0..<installs {
          let place = day + (random.happens(0.5) ? 1 : 0)
          arrived[place].total += 1
          if install >= hidden {
            arrived[place].fine += 1
          } else if random.happens(coarse) {
            arrived[place].coarse += 1
          }
        }
      }
      return PlannedCampaign(
        .init(app: 1, network: network, kind: "source-identifier", digits: "\(10 + index)"),
        firstDay: 20_000, arrivals: arrived, played: (days - 27)..<(days + 1))
    }
  }

  /// Sizes on both sides of a threshold of 30, two of which are small.
  private static let sizes: [Double] = [20, 22, 28, 31, 35, 40, 55, 80, 120]

  @Test
  func `A merge of campaigns below a hard threshold is predicted to show all`() throws {
    let plan = CampaignPlan(campaigns(Self.sizes, law: .hard(threshold: 30)), PlanQuestion())
    let merge = try #require(plan.proposals.first { $0.kind == .merge })
    let then = try #require(merge.then.first)
    #expect(merge.then.count == 1)
    #expect(then.mean > 0.9)
    #expect(merge.now[0].mean < 0.6)
    #expect(merge.gains)
    // What is gained a day is the difference of the shares, of all installs.
    let gained = try #require(merge.gained.first)
    #expect(abs(gained.mean - merge.installsADay * (then.mean - merge.now[0].mean)) < 0.05 * gained.mean)
  }

  @Test
  func `Shares of a campaign add up, and parts of the plan add up to its total`() {
    let plan = CampaignPlan(
      campaigns(Self.sizes, law: .hard(threshold: 30), coarse: 0.3), PlanQuestion())
    for row in plan.rows {
      #expect(abs(row.fine + row.coarse + row.none - 1) < 1e-9)
      #expect(row.shownNow.contains(row.fine))
    }
    let installs = plan.rows.reduce(0) { $0 + $1.installsADay }
    #expect(abs(installs - plan.total.installsADay) < 1e-9)
    let shown = plan.rows.reduce(0) { $0 + $1.fine * $1.conversions }
    let all = plan.rows.reduce(0) { $0 + $1.conversions }
    #expect(abs(shown / all - plan.total.share) < 1e-9)
  }

  @Test
  func `A plan depends on its seed and not on the order of campaigns`() {
    let all = campaigns(Self.sizes, law: .soft(threshold: 30, slope: 0.35))
    let plan = CampaignPlan(all, PlanQuestion())
    let again = CampaignPlan(all.reversed(), PlanQuestion())
    #expect(plan.proposals.map(\.id) == again.proposals.map(\.id))
    #expect(plan.proposals.map(\.then) == again.proposals.map(\.then))
    #expect(plan.rows.map(\.bySize) == again.rows.map(\.bySize))
    var question = PlanQuestion()
    question.seed = 2
    #expect(CampaignPlan(all, question).rows.map(\.bySize) != plan.rows.map(\.bySize))
  }

  @Test
  func `Where nearly all is withheld there are two models and a test that distinguishes them`() throws {
    var question = PlanQuestion()
    question.costs = [Self.network: 2]
    let plan = CampaignPlan(campaigns([5, 8, 10, 12], law: .hard(threshold: 60)), question)
    let model = try #require(plan.models.first)
    guard case .open(_, _, let reason) = model.sort else {
      Issue.record("the threshold is known")
      return
    }
    #expect(reason == .nearlyAll)
    #expect(plan.rows.allSatisfy { $0.bySize.count == 2 })
    let test = try #require(plan.tests.first)
    #expect(test.low - test.high > 0.5)
    let cost = try #require(test.cost)
    #expect(abs(cost - 2 * test.installsADay * Double(test.days)) < 1e-6)
  }

  @Test
  func `A threshold between sizes that no day has is left open`() throws {
    let plan = CampaignPlan(
      campaigns([6, 7, 7, 8, 9, 10, 11, 60, 70], law: .hard(threshold: 30), days: 56), PlanQuestion())
    let model = try #require(plan.models.first)
    guard case .open(.hard(let low), .hard(let high), .wide) = model.sort else {
      Issue.record("\(model.sort)")
      return
    }
    #expect(low < 30 && 30 <= high)
  }

  @Test
  func `Where all is shown nothing is proposed`() throws {
    let plan = CampaignPlan(campaigns([20, 30, 40, 50], law: .share(0)), PlanQuestion())
    let model = try #require(plan.models.first)
    guard case .open(_, _, let reason) = model.sort else {
      Issue.record("the threshold is known")
      return
    }
    #expect(reason == .hardlyAny)
    #expect(plan.proposals.isEmpty)
    #expect(plan.rows.allSatisfy { $0.bySize[0].mean > 0.99 })
  }

  @Test
  func `Values withheld at random are no reason to merge`() throws {
    let plan = CampaignPlan(campaigns(Self.sizes, law: .share(0.4)), PlanQuestion())
    let model = try #require(plan.models.first)
    guard case .open(.share(let share), _, .notBySize) = model.sort else {
      Issue.record("\(plan.models)")
      return
    }
    #expect(abs(share - 0.4) < 0.05)
    #expect(plan.proposals.isEmpty)
  }

  @Test
  func `After a change of the rule only the days since count`() throws {
    let sizes: [Double] = [20, 22, 28, 31, 35, 40, 45, 50, 55, 60, 65, 80, 90, 120]
    let changed = CampaignPlan(
      campaigns(sizes, law: .hard(threshold: 60), laterLaw: .hard(threshold: 30)), PlanQuestion())
    let model = try #require(changed.models.first)
    let since = try #require(model.since)
    #expect((20_014...20_018).contains(since))
    guard case .known(let threshold) = model.sort else {
      Issue.record("no threshold")
      return
    }
    #expect((28...32).contains(threshold.threshold))
    let same = CampaignPlan(campaigns(sizes, law: .hard(threshold: 60)), PlanQuestion())
    #expect(same.models.allSatisfy { $0.since == nil })
  }

  @Test
  func `A raise costs what its further installs cost and counts today's values alone`() throws {
    var question = PlanQuestion()
    question.costs = [Self.network: 2]
    let plan = CampaignPlan(campaigns(Self.sizes, law: .hard(threshold: 30)), question)
    let raise = try #require(plan.proposals.first { $0.kind != .merge })
    guard case .raise(let factor, let installs, let spend) = raise.kind else { return }
    let row = try #require(plan.rows.first { $0.place == raise.members.first })
    #expect(abs(installs - (factor - 1) * row.installsADay) < 1e-6)
    #expect(abs(spend - 2 * installs) < 1e-6)
    #expect(raise.gained[0].mean < row.installsADay)
    // Money is the reader's to decide.
    #expect(!raise.isChosen)
  }

  @Test
  func `Splits of a budget keep a network's limit and add up`() throws {
    var question = PlanQuestion()
    question.budget = 10_000
    question.costs = [Self.network: 1]
    question.ids = [Self.network: 3]
    let plan = CampaignPlan(campaigns(Self.sizes, law: .hard(threshold: 30)), question)
    for kind in CampaignPlan.Split.Kind.allCases {
      let all = try #require(plan.splits.first { $0.kind == kind && $0.network == nil })
      let parts = plan.splits.filter { $0.kind == kind && $0.network != nil }
      #expect(parts.reduce(0) { $0 + $1.campaigns } == all.campaigns)
      #expect(abs(parts.reduce(0) { $0 + $1.installs } - all.installs) < 1e-6)
      #expect(abs(all.installs - 10_000) < 500)
      #expect(Set(all.groups.joined()).count == Self.sizes.count)
    }
    #expect(plan.splits.first { $0.kind == .proposed }?.campaigns == 3)
    #expect(plan.splits.first { $0.kind == .single }?.campaigns == 1)
    question.costs = [:]
    let unknown = CampaignPlan(campaigns(Self.sizes, law: .hard(threshold: 30)), question)
    #expect(unknown.missingCosts == [Self.network])
    #expect(unknown.splits.isEmpty)
  }

  @Test
  func `No more values are shown than installs are bought, and none more are gained than come`() throws {
    var question = PlanQuestion()
    question.budget = 10_000
    question.costs = [Self.network: 1]
    let plan = CampaignPlan(campaigns(Self.sizes, law: .hard(threshold: 30)), question)
    for split in plan.splits {
      #expect(split.shown.allSatisfy { $0.mean <= split.installs + 1e-6 })
      for (shown, share) in zip(split.shown, split.share) {
        #expect(abs(shown.mean - share.mean * split.installs) < 1e-6 * split.installs)
      }
    }
    for proposal in plan.proposals where proposal.kind == .merge {
      #expect(proposal.gained.allSatisfy { $0.mean <= proposal.installsADay + 1e-6 })
    }
  }

  @Test
  func `Where no size is enough, a budget leaves campaigns apart`() throws {
    var question = PlanQuestion()
    question.budget = 10_000
    question.costs = [Self.network: 1]
    let plan = CampaignPlan(campaigns(Self.sizes, law: .share(0.4)), question)
    let split = try #require(plan.splits.first { $0.kind == .proposed })
    #expect(split.campaigns == Self.sizes.count)
  }

  @Test
  func `Ids of proposals are not those of others, also of networks that differ behind a dot`() {
    let all = ["x.skadnetwork", "x.adattributionkit"].flatMap {
      campaigns(Self.sizes, law: .hard(threshold: 30), network: $0)
    }
    let ids = CampaignPlan(all, PlanQuestion()).proposals.map(\.id)
    #expect(ids.count > 1 && Set(ids).count == ids.count)
  }

  @Test
  func `A campaign that began days ago is as large as on these days`() throws {
    let old = campaigns(Self.sizes, law: .hard(threshold: 30))
    let late = campaigns([60], law: .hard(threshold: 30), days: 5, seed: 3)[0]
    let end = 20_000 + 43
    let new = PlannedCampaign(
      .init(app: 1, network: Self.network, kind: "source-identifier", digits: "99"),
      firstDay: end - late.arrivals.count, arrivals: late.arrivals,
      played: (late.arrivals.count - 28)..<late.arrivals.count)
    #expect(new.installsADay < 15 && new.installsOfADay > 40)
    let plan = CampaignPlan(old + [new], PlanQuestion())
    #expect(plan.proposals.allSatisfy { $0.kind != .merge || !$0.members.contains(new.place) })
  }

  @Test
  func `A chosen raise is in the sizes of a plan`() throws {
    let all =
      campaigns([20], law: .hard(threshold: 30))
      + campaigns(Self.sizes, law: .hard(threshold: 30), network: "b.skadnetwork")
    var question = PlanQuestion()
    question.costs = [Self.network: 1, "b.skadnetwork": 1]
    let raises = CampaignPlan(all, question).proposals.filter { $0.kind != .merge }
    let smallest = try #require(raises.min { $0.installsADay < $1.installsADay })
    question.chosen = ["none"]
    let before = CampaignPlan(all, question).sizes
    question.chosen = [smallest.id]
    #expect(CampaignPlan(all, question).sizes.reduce(0, +) > before.reduce(0, +))
  }

  @Test
  func `Without campaigns a budget is split by the sizes that networks recommend`() throws {
    var question = PlanQuestion()
    question.budget = 28_000
    question.costs = [Self.network: 2]
    let plan = CampaignPlan([], question)
    let split = try #require(plan.splits.first { $0.kind == .proposed && $0.network == Self.network })
    #expect(split.campaigns > 1)
    #expect(split.share.count == 2)
    // The model that asks for more still shows what is wanted.
    #expect(split.share[1].mean >= 0.8)
    #expect(plan.rows.isEmpty)
    #expect(plan.splits.allSatisfy { $0.kind != .now })
  }

  @Test
  func `Bundles hold enough and leave no two that could be apart`() {
    let sizes: [Double] = [30, 28, 12, 10, 3]
    let bundles = PlanBundles(Array(sizes.indices), size: { sizes[$0] }, enough: 40).groups
    #expect(bundles.count == 2)
    #expect(bundles.allSatisfy { $0.reduce(0) { $0 + sizes[$1] } >= 40 })
    #expect(Set(bundles.joined()).count == sizes.count)
    #expect(PlanBundles([0], size: { _ in 1 }, enough: 40).groups.isEmpty)
  }
}
