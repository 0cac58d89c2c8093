@testable import Estimates
import Numerics
import Testing
import Values

struct `Estimates of very many campaigns` {
  private let levels = [0.05, 0.25, 0.5, 0.75, 0.95]

  private func quantiles(_ draws: [Double], at levels: [Double]) -> [Double] {
    let sorted = draws.sorted()
    return levels.map { sorted[Int(Double(sorted.count - 1) * min(1, max(0, $0)))] }
  }

  private func deviation(_ draws: [Double]) -> Double {
    let mean = draws.reduce(0, +) / Double(draws.count)
    return (draws.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(draws.count)).squareRoot()
  }

  @Test(arguments: [Estimator.tree, .threshold(smallest: 3)])
  func `Draws of cells as one cell have the law of the sum of their draws`(estimator: Estimator) throws {
    var random = SplitMix64(seed: 31)
    let world = try KnownCampaigns.random(&random, campaigns: 30, mechanism: .soft(threshold: 60, slope: 0.5))
    let model = try #require(try PredictiveModel(estimator, of: world.set, count: 2000, seed: 8))
    for campaign in world.set.campaigns.filter({ $0.nulls > 5 }).prefix(4) {
      for cells in [Set([0, 2]), [0, 1, 2]] {
        let apart = cells.reduce([Double](repeating: 0, count: 2000)) {
          zip($0, model.draws(of: campaign).cell($1)).map(+)
        }
        let together = model.draws(ofSumOf: cells, in: campaign)
        let unit = max(deviation(apart), 1e-9)
        // The error of such a quantile of 2,000 draws is below 0.05 deviations; sums have atoms, which its level can miss.
        let low = quantiles(apart, at: levels.map { $0 - 0.03 })
        let high = quantiles(apart, at: levels.map { $0 + 0.03 })
        for (place, found) in quantiles(together, at: levels).enumerated() {
          #expect(
            (low[place] - 0.25 * unit...high[place] + 0.25 * unit).contains(found),
            "\(campaign.name) \(cells) \(low[place]) \(high[place]) \(found) \(unit)")
        }
        #expect(abs(deviation(together) / unit - 1) < 0.2)
      }
    }
  }

  @Test func `Every withheld install of a sum gets one value`() throws {
    let one = BucketWorth(mean: 1, spread: 0, low: 1, high: 1, users: 9)
    var random = SplitMix64(seed: 3)
    for codes in [1, 2, 9] {
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
        let installs = [1, 3].reduce(0) { $0 + campaign.cells[$1].revealedTotal + campaign.cells[$1].nulls }
        #expect(
          model.draws(ofSumOf: [1, 3], in: campaign) == [Double](repeating: installs, count: 10))
      }
    }
  }

  @Test(arguments: [(1, 0.3, 2.0), (12, 0.05, 0.4), (16, 3, 5), (17, 3, 5), (200, 0.5, 8)])
  func `Trials of a beta law have its mean and variance`(trials: Int, a: Double, b: Double) {
    var random = SplitMix64(seed: 4)
    let draws = (0..<40_000).map { _ in Double(random.betaBinomial(trials, a, b)) }
    let (n, share) = (Double(trials), a / (a + b))
    let variance = n * share * (1 - share) * (a + b + n) / (a + b + 1)
    #expect(draws.allSatisfy { 0 <= $0 && $0 <= n })
    #expect(abs(draws.reduce(0, +) / 40_000 - n * share) < 5 * (variance / 40_000).squareRoot())
    #expect(abs(deviation(draws) / variance.squareRoot() - 1) < 0.05)
    #expect(random.betaBinomial(7, 0, 1) == 0 && random.betaBinomial(7, 1, 0) == 7)
  }

  @Test func `The draws of a sum over many campaigns have its law, from few of the campaigns`() throws {
    var random = SplitMix64(seed: 41)
    let world = try KnownCampaigns.random(
      &random, campaigns: 700, size: 40, mechanism: .soft(threshold: 20, slope: 0.5))
    let fit = try Estimator.tree.fit(to: world.set)
    let model = try #require(PredictiveModel(of: world.set, from: fit, count: 600, seed: 5))
    let parts = world.set.campaigns.enumerated().map { place, campaign in
      PredictiveModel.Part(
        campaign: campaign, withheld: fit.mix(of: campaign, at: place),
        // Some days count at another rate of exchange.
        cells: campaign.cells.indices.map { ($0, place % 3 == 0 && $0 == 1 ? 1.5 : 1) })
    }
    let every = parts.reduce([Double](repeating: 0, count: 600)) { sums, part in
      let apart = model.draws(of: part.campaign)
      return part.cells.reduce(sums) { sums, cell in
        zip(sums, apart.cell(cell.index)).map { $0 + cell.scale * $1 }
      }
    }
    let some = model.draws(ofSumOver: parts)
    let unit = deviation(every)
    #expect(abs(deviation(some) / unit - 1) < 0.15)
    for (a, b) in zip(quantiles(every, at: levels), quantiles(some, at: levels)) {
      #expect(abs(a - b) < 0.3 * unit, "\(a) \(b) \(unit)")
    }
    #expect(model.draws(ofSumOver: parts) == some)
  }

  @Test func `Intervals are calibrated on a bounded number of campaigns, and hold`() throws {
    var random = SplitMix64(seed: 78)
    let world = try KnownCampaigns.random(
      &random, campaigns: 1200, size: 40, mechanism: .soft(threshold: 20, slope: 0.5))
    let pool = try #require(UserPool(revealedOf: world.set))
    let fit = try #require(
      try Recalibration.learned(
        for: Estimator.tree.fit, on: world.set, pool: pool, mechanism: nil, draws: 100, seed: 3))
    #expect(fit.pairs.reduce(0, +) == EstimatedCrowd.calibrationSample)
    let all = try CampaignSet(
      campaigns: Array(world.set.campaigns.prefix(EstimatedCrowd.mostDrawnApart)), worth: world.set.worth)
    let every = try #require(
      try Recalibration.learned(
        for: Estimator.tree.fit, on: all, pool: pool, mechanism: nil, rounds: 1, draws: 20, seed: 3))
    #expect(every.pairs.reduce(0, +) == EstimatedCrowd.mostDrawnApart)
    let model = try #require(try PredictiveModel(.tree, of: world.set, count: 200, seed: 4))
    let mean = try #require(world.set.appMean)
    let held = try zip(world.set.campaigns, world.truths).prefix(400).filter { campaign, truth in
      let draws = model.draws(ofSumOf: Set(campaign.cells.indices), in: campaign)
      let interval = try #require(Interval(of: draws))
      return fit.apply(to: interval, priorMean: campaign.total * mean, nullShare: campaign.nullShare)
        .contains(truth)
    }
    // 90 % of 400, less three standard errors.
    #expect(held.count >= 342)
  }

  @Test func `Draws are made for the sums that are asked for an interval`() throws {
    let worth = CodeWorth(
      buckets: (0..<64).map { code in
        BucketWorth(
          mean: Double(code), spread: 0, low: Double(code), high: Double(code) + 1, users: 0)
      })
    var random = SplitMix64(seed: 6)
    let campaigns = (0...EstimatedCrowd.mostDrawnApart).map { number in
      var counts = DayCounts()
      for _ in 0..<20 { counts.revealed[random.number(below: 64)] += 1 }
      counts.nulls = 10
      return (name: "\(number)", days: [Day(number: 4): counts])
    }
    func sums(_ campaigns: [(name: String, days: [Day: DayCounts])]) throws -> [EstimatedSum] {
      try EstimatedCrowd.estimated(campaigns, worth: worth, users: nil, by: .tree, seed: 1)
        .flatMap(\.self).compactMap { EstimatedSum([.init($0, day: 0)], isOfOneCampaign: true) }
    }
    let many = try sums(campaigns)
    #expect(many.count == campaigns.count && !many.contains { $0.awaited.isMade })
    let interval = try #require(many[7].interval)
    #expect(interval.contains(try #require(many[7].estimate)) && interval.width > 0)
    #expect(many.count { $0.awaited.isMade } == 1)
    #expect(try sums(Array(campaigns.dropLast())).allSatisfy { $0.awaited.isMade })
  }
}
