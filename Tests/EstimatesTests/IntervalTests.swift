import Estimates
import Testing
import Values

@Suite struct PredictiveModelTests {
  private func world() throws -> KnownCampaigns {
    var random = SplitMix64(seed: 21)
    return try KnownCampaigns.random(&random, campaigns: 80, mechanism: .soft(threshold: 45, slope: 0.35))
  }

  @Test(arguments: [Estimator.tree, .threshold(smallest: 3)])
  func `Draws depend on the seed and the name alone`(estimator: Estimator) throws {
    let world = try world()
    let model = try #require(try PredictiveModel(estimator, of: world.set, count: 20, seed: 8))
    let again = try #require(try PredictiveModel(estimator, of: world.set, count: 20, seed: 8))
    let other = try #require(try PredictiveModel(estimator, of: world.set, count: 20, seed: 9))
    let last = world.set.campaigns[79]
    let draws = model.draws(of: last)
    #expect(draws.values.allSatisfy { $0.isFinite && $0 >= 0 })
    for campaign in world.set.campaigns.prefix(5) { _ = again.draws(of: campaign) }
    #expect(again.draws(of: last) == draws)
    #expect(other.draws(of: last) != draws)
    #expect(draws.count == 20)
    #expect(draws.total.count == 20)
    let sum = zip(draws.cell(0), zip(draws.cell(1), draws.cell(2))).map { $0 + $1.0 + $1.1 }
    #expect(agree(draws.total, sum, within: 1e-12))
  }

  @Test func `Every withheld install gets one value`() throws {
    for codes in [1, 2, 9] {
      var random = SplitMix64(seed: UInt64(codes))
      // Where every code is worth one, a cell is worth its installs.
      let one = BucketWorth(mean: 1, spread: 0, low: 1, high: 1, users: 9)
      let campaigns = (0..<20).map { campaign in
        RevealedCounts(
          name: "\(campaign)",
          cells: (0..<4).map { _ in
            CellCounts(
              revealed: (0..<codes).map { _ in Double(random.number(below: 1 + campaign * 3)) },
              nulls: Double(random.number(below: 60)))
          })
      }
      let set = try CampaignSet(
        campaigns: campaigns, worth: CodeWorth(buckets: [BucketWorth](repeating: one, count: codes)))
      let model = try #require(try PredictiveModel(.tree, of: set, count: 10, seed: 2))
      for campaign in campaigns {
        let draws = model.draws(of: campaign)
        for (index, cell) in campaign.cells.enumerated() {
          #expect(draws.cell(index) == [Double](repeating: cell.revealedTotal + cell.nulls, count: 10))
        }
      }
    }
  }

  @Test func `Parts of an install are preserved on average`() throws {
    let one = BucketWorth(mean: 1, spread: 0, low: 1, high: 1, users: 9)
    let campaign = RevealedCounts(name: "a", revealed: [0.25, 3], nulls: 2.25)
    let set = try CampaignSet(campaigns: [campaign], worth: CodeWorth(buckets: [one, one]))
    let model = try #require(try PredictiveModel(.tree, of: set, count: 4000, seed: 2))
    let draws = model.draws(of: campaign).total
    #expect(Set(draws) == [5.25, 6.25])
    let mean: Double = draws.reduce(0, +) / 4000
    #expect(abs(mean - 5.5) < 0.04)
  }

  @Test func `Draws vary around the estimate and cover the truth`() throws {
    let world = try world()
    let model = try #require(try PredictiveModel(.tree, of: world.set, count: 300, seed: 4))
    let estimates = try Estimator.tree.estimates(of: world.set)
    var held = 0
    var sums = [Double](repeating: 0, count: 300)
    for ((campaign, truth), _) in zip(zip(world.set.campaigns, world.truths), estimates) {
      let draws = model.draws(of: campaign).total
      for draw in draws.indices { sums[draw] += draws[draw] }
      if try #require(Interval(of: draws)).contains(truth) { held += 1 }
    }
    let estimate = estimates.reduce(0) { $0 + ($1.total ?? .nan) }
    #expect(abs(sums.reduce(0, +) / 300 / estimate - 1) < 0.05)
    #expect((62...80).contains(held), "\(held) of 80")
    #expect(try #require(Interval(of: sums)).contains(world.truths.reduce(0, +)))
  }

  @Test func `No withheld values and exact amounts leave no uncertainty`() throws {
    let worth = CodeWorth(
      buckets: [0.0, 2, 9].map { BucketWorth(mean: $0, spread: 0, low: $0, high: $0, users: 50) })
    let campaign = RevealedCounts(name: "a", revealed: [10, 4, 1], nulls: 0)
    let set = try CampaignSet(campaigns: [campaign], worth: worth)
    let model = try #require(try PredictiveModel(.tree, of: set, count: 50, seed: 1))
    #expect(model.draws(of: campaign).total == [Double](repeating: 17, count: 50))
  }

  @Test func `A campaign whose values are all withheld has a wide interval`() throws {
    let set = try Golden.read().eb.set()
    let model = try #require(try PredictiveModel(.tree, of: set, seed: 1))
    let interval = try #require(Interval(of: model.draws(of: set.campaigns[2]).total))
    #expect(interval.contains(29.755))
    #expect(interval.width > 29.755)
  }
}

@Suite struct IntervalTests {
  @Test func `The middle of draws is between their quantiles`() throws {
    let interval = try #require(Interval(of: (0...100).map(Double.init).reversed()))
    #expect(agree([interval.low, interval.high], [5, 95], within: 1e-12))
    #expect(Interval(of: []) == nil)
    #expect(Interval(of: [3]) == Interval(low: 3, high: 3))
  }

  @Test(arguments: [
    (0.0, 10.0, 0.0, 0.2129), (5, 10, 0.2693, 0.7307), (10, 10, 0.7871, 1), (0, 0, 0, 1),
  ])
  func `Wilson's interval has the known bounds`(count: Double, total: Double, low: Double, high: Double) {
    let interval = Interval(shareOf: count, in: total)
    #expect(agree([interval.low, interval.high], [low, high], within: 1e-4))
  }
}

@Suite struct RecalibrationTests {
  private func pairs(_ count: Int, width: Double, nullShare: Double, seed: UInt64) -> [CalibrationPair] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in
      CalibrationPair(
        interval: Interval(low: 100 - width, high: 100 + width), truth: 80 + 40 * random.fraction(),
        priorMean: 100, nullShare: nullShare)
    }
  }

  @Test func `Narrow intervals are widened until nine of ten cover the truth`() {
    let fit = Recalibration.fit(pairs(400, width: 5, nullShare: 0.4, seed: 1))
    let fresh = pairs(2000, width: 5, nullShare: 0.4, seed: 2)
    let held = fresh.count {
      fit.apply(to: $0.interval, priorMean: $0.priorMean, nullShare: $0.nullShare).contains($0.truth)
    }
    #expect((1700...1900).contains(held))
  }

  @Test func `A widened interval ends at what is certain`() {
    let fit = Recalibration.fit(pairs(400, width: 5, nullShare: 0.4, seed: 1))
    let raw = Interval(low: 100, high: 110)
    func low(_ least: Double) -> Double {
      fit.apply(to: raw, priorMean: 100, nullShare: 0.4, least: least).low
    }
    #expect(low(-.infinity) < 99)
    #expect(low(99) == 99)
    #expect(low(105) == 100)
  }

  @Test func `Wide intervals are unchanged`() {
    let fit = Recalibration.fit(pairs(400, width: 50, nullShare: 0.4, seed: 1))
    #expect(fit.factors == [0, 0, 0])
    let interval = Interval(low: 1, high: 2)
    #expect(fit.apply(to: interval, priorMean: 1, nullShare: 0.5) == interval)
  }

  @Test(arguments: [(0.0, 0), (0.0199, 0), (0.02, 1), (0.7499, 1), (0.75, 2), (1, 2)])
  func `Null shares are in three classes`(share: Double, stratum: Int) {
    #expect(Recalibration.stratum(of: share) == stratum)
  }

  @Test func `Classes learn separately, and a small one learns from all`() {
    let fit = Recalibration.fit(
      pairs(200, width: 5, nullShare: 0.4, seed: 1) + pairs(200, width: 50, nullShare: 0.9, seed: 1)
        + pairs(29, width: 5, nullShare: 0, seed: 3))
    #expect(fit.pairs == [29, 200, 200])
    #expect(fit.factors[1] > 1)
    #expect(fit.factors[2] == 0)
    #expect(fit.factors[0] > 0 && fit.factors[0] != fit.factors[1])
    #expect(Recalibration.fit([]).factors == [0, 0, 0])
  }

  @Test func `Recalibration on simulated campaigns keeps intervals honest`() throws {
    var random = SplitMix64(seed: 77)
    let mechanism = NullMechanism.soft(threshold: 45, slope: 0.35)
    let world = try KnownCampaigns.random(&random, campaigns: 100, mechanism: mechanism)
    let pool = try #require(UserPool(revealedOf: world.set))
    let fit = try #require(
      try Recalibration.learned(
        for: Estimator.tree.fit, on: world.set, pool: pool, mechanism: mechanism, rounds: 1, draws: 100,
        seed: 3))
    #expect(fit.pairs.reduce(0, +) == 100)
    let model = try #require(try PredictiveModel(.tree, of: world.set, count: 200, seed: 4))
    let mean = try #require(world.set.appMean)
    let held = try zip(world.set.campaigns, world.truths).filter { campaign, truth in
      let raw = try #require(Interval(of: model.draws(of: campaign).total))
      return fit.apply(to: raw, priorMean: campaign.total * mean, nullShare: campaign.nullShare)
        .contains(truth)
    }
    #expect(held.count >= 83)
  }
}

@Suite struct UserPoolTests {
  @Test(arguments: [(29, 29), (30, 0), (31, 0)])
  func `A hard threshold withholds whole cells`(installs: Int, hidden: Int) {
    var random = SplitMix64(seed: 1)
    #expect(NullMechanism.hard(threshold: 30).hidden(of: installs, &random) == hidden)
  }

  @Test func `A soft threshold withholds half of a cell at its size`() {
    var random = SplitMix64(seed: 1)
    let law = NullMechanism.soft(threshold: 45, slope: 0.35)
    func share(_ installs: Int) -> Double {
      Double((0..<2000).reduce(0) { sum, _ in sum + law.hidden(of: installs, &random) })
        / Double(2000 * installs)
    }
    #expect(abs(share(45) - 0.5) < 0.01)
    #expect(abs(share(30) - 0.76) < 0.01)
    #expect(abs(share(88) - 0.13) < 0.01)
    #expect(law.hidden(of: 0, &random) == 0)
  }

  @Test func `Synthetic campaigns keep their installs, and the truth counts the withheld values`() throws {
    let pool = try #require(UserPool(users: [.init(code: 0, amount: 0), .init(code: 1, amount: 4)]))
    var random = SplitMix64(seed: 2)
    let made = pool.campaign(
      name: "a", sizes: [100, 0, 50], codeCount: 2, mechanism: .share(0.5), tilt: 0, &random)
    #expect(made.counts.cells.map { $0.revealedTotal + $0.nulls } == [100, 0, 50])
    #expect(made.truth.count == 3)
    #expect(abs(made.truth[0] - 200) < 60)
    #expect(made.truth[1] == 0)
    #expect(
      made.counts.worstCase(
        CodeWorth(buckets: [0.0, 4].map { BucketWorth(mean: $0, spread: 0, low: $0, high: $0, users: 1) })
      ).contains(made.truth.reduce(0, +)))
    #expect(UserPool(users: []) == nil)
  }
}
