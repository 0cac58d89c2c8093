@testable import Estimates
import Numerics
import Testing
import Values

/// A period of campaigns whose conversions and amounts are drawn at random.
private struct Period {
  var conversions: [Double]
  var worth: [Double]
  /// What amounts count as at the exchange rates of the period's days; `nil` where nothing is converted.
  var rate: Double?

  func counts(_ random: inout SplitMix64) -> [RevenueMove.Counts] {
    zip(conversions, worth).map { mean, worth in
      var counts = RevenueMove.Counts(conversions: Double(random.poisson(mean)))
      for _ in 0..<Int(counts.conversions) where random.happens(0.3) {
        let amount = worth * (0.5 + random.fraction())
        counts.revenue += amount
        counts.squares += amount * amount
      }
      counts.exchange = rate.map { ($0 - 1) * counts.revenue }
      return counts
    }
  }
}

/// Campaigns of two days, of which the estimates leave open what is withheld and what values are worth.
private struct World {
  enum Amounts: CaseIterable {
    /// The mapping states one for each value.
    case exact
    /// The mapping states a range for each value, and no own user is known.
    case ranges
  }

  let amounts: Amounts
  /// Conversions of each campaign, expected.
  let before: [Double]
  let after: [Double]
  /// The share of each campaign's users who pay.
  var paying = [0.1, 0.2, 0.3, 0.4, 0.5]
  /// The share of each campaign's withheld values.
  var withheld = [0, 0.2, 0.4, 0.6, 0.8]

  private var worth: CodeWorth {
    var buckets = [BucketWorth](
      repeating: BucketWorth(mean: 0, spread: 0, low: 0, high: 0, users: 0), count: 64)
    for (code, mean) in [(1, 2.0), (2, 10)] {
      let reach = amounts == .ranges ? mean / 2 : 0
      buckets[code] = BucketWorth(
        mean: mean, spread: reach / 3.0.squareRoot(), low: mean - reach, high: mean + reach, users: 0)
    }
    return CodeWorth(buckets: buckets)
  }

  /// All lines of a report.
  func parts(seed: UInt64) throws -> [RevenueMove.Part] {
    var random = SplitMix64(seed: seed)
    func counts(_ mean: Double, _ withheld: Double, _ paying: Double) -> DayCounts {
      var counts = DayCounts()
      for _ in 0..<random.poisson(mean) {
        let code = random.happens(paying) ? (random.happens(0.3) ? 2 : 1) : 0
        if random.happens(withheld) { counts.nulls += 1 } else { counts.revealed[code] += 1 }
      }
      return counts
    }
    let (earlier, later) = (Day(number: 4), Day(number: 11))
    let campaigns = before.indices.map { place -> (name: String, days: [Day: DayCounts]) in
      func ofDay(_ means: [Double]) -> DayCounts { counts(means[place], withheld[place], paying[place]) }
      return ("c\(place)", [earlier: ofDay(before), later: ofDay(after)])
    }
    let crowds = try EstimatedCrowd.estimated(campaigns, worth: worth, users: nil, by: .tree, seed: seed)
    let pairs = crowds.compactMap { groups -> (before: EstimatedSum, after: EstimatedSum)? in
      func sum(_ day: Int) -> EstimatedSum {
        EstimatedSum(groups.map { .init($0, day: day) }, isOfOneCampaign: true) ?? .ofNothing
      }
      return groups.isEmpty ? nil : (sum(0), sum(1))
    }
    func openness(_ day: Int, _ sums: [EstimatedSum]) throws -> RevenueMove.Openness {
      let total = try #require(
        EstimatedSum(crowds.flatMap { $0.map { .init($0, day: day) } }, isOfOneCampaign: false))
      return .init(widening: total.widening) { weights in
        let sums = Array(zip(sums, weights).map { (sum: $0, weight: $1) })
        return .init(EstimatedSum.draws(of: sums) ?? [], common: EstimatedSum.commonDraws(of: sums))
      }
    }
    func counts(_ sum: EstimatedSum) -> RevenueMove.Counts {
      .init(conversions: sum.installs, revenue: sum.total ?? 0, squares: sum.squares)
    }
    let move = try RevenueMove(
      pairs.map { .init(before: counts($0.before), after: counts($0.after)) }, knowsMapping: true,
      before: openness(0, pairs.map(\.before)), after: openness(1, pairs.map(\.after)))
    return RevenueMove.Cause.allCases.compactMap { move.parts[$0] } + [move.change]
  }
}

struct `Causes of a change of revenue` {
  private static let usual = Period(conversions: [9000, 5000, 2500, 800], worth: [4, 10, 6, 20])

  private func move(
    _ before: Period, _ after: Period, knowsMapping: Bool = true, seed: UInt64 = 1
  ) -> RevenueMove {
    var random = SplitMix64(seed: seed)
    let (first, second) = (before.counts(&random), after.counts(&random))
    return RevenueMove(
      zip(first, second).map { .init(before: $0, after: $1) }, knowsMapping: knowsMapping)
  }

  private func share(_ cause: RevenueMove.Cause, of move: RevenueMove) -> Double {
    (move.parts[cause]?.amount ?? 0) / move.change.amount
  }

  @Test func `A change of one kind is found in its cause, by at least nine tenths`() {
    var after = Self.usual
    after.conversions = after.conversions.map { $0 * 1.5 }
    #expect((0.9...1.1).contains(share(.volume, of: move(Self.usual, after))))
    after = Self.usual
    after.conversions = [4000, 9000, 2500, 1800]
    #expect((0.9...1.1).contains(share(.mix, of: move(Self.usual, after))))
    after = Self.usual
    after.worth = after.worth.map { $0 * 0.6 }
    #expect((0.9...1.1).contains(share(.worth, of: move(Self.usual, after))))
    let unknown = move(Self.usual, after, knowsMapping: false)
    #expect((0.9...1.1).contains(share(.mappingOrWorth, of: unknown)))
    #expect(unknown.parts[.worth] == nil)
    var (before, rated) = (Self.usual, Self.usual)
    (before.rate, rated.rate) = (1, 1.5)
    #expect((0.9...1.1).contains(share(.exchangeRates, of: move(before, rated))))
  }

  @Test(arguments: 1...40) func `The parts add up to the whole change, whatever happened`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let isConverted = random.happens(0.5)
    func period() -> Period {
      Period(
        conversions: (0..<5).map { _ in random.happens(0.2) ? 0 : 300 * random.fraction() },
        worth: (0..<5).map { _ in 9 * random.fraction() },
        rate: isConverted ? 0.5 + random.fraction() : nil)
    }
    let (before, after) = (period(), period())
    let move = move(before, after, knowsMapping: random.happens(0.5), seed: seed)
    let sum = move.parts.values.reduce(0) { $0 + $1.amount }
    #expect(abs(sum - move.change.amount) < 1e-6)
    let ofCampaigns = move.ofCampaigns.reduce(0) { $0 + $1.values.reduce(0, +) }
    #expect(abs(ofCampaigns - move.change.amount) < 1e-6)
    #expect(move.parts.values.allSatisfy { $0.variance >= -1e-6 })
  }

  /// Each line by its own 90 % interval, more than a fifth of these reports had one that was sure.
  @Test(arguments: [
    Period(conversions: [900, 500, 250, 80], worth: [4, 10, 6, 20]),
    Period(conversions: [60, 40, 20, 5, 5], worth: [4, 10, 6, 20, 3]),
  ])
  fileprivate func `Where nothing changed, at most one report of ten has a line that is sure`(period: Period)
  {
    let count = 400
    var (wrong, wrongAlone) = (0, 0)
    for seed in 1...UInt64(count) {
      let move = move(period, period, knowsMapping: seed % 2 == 0, seed: seed)
      let parts = RevenueMove.Cause.allCases.compactMap { move.parts[$0] } + [move.change]
      if RevenueMove.areSure(parts).contains(true) { wrong += 1 }
      if parts.contains(where: { $0.interval.low > 0 || $0.interval.high < 0 }) { wrongAlone += 1 }
    }
    // Three standard errors of 400 reports are 4.5 %.
    #expect(Double(wrong) / Double(count) < 0.1 + 0.045)
    #expect(Double(wrongAlone) / Double(count) > 0.2)
  }

  @Test(arguments: World.Amounts.allCases)
  fileprivate func `Where nothing changed, what estimates leave open makes no line sure more often`(
    amounts: World.Amounts
  ) throws {
    let count = 100
    var wrong = 0
    for seed in 1...UInt64(count) {
      let world = World(amounts: amounts, before: [200, 100, 67, 50, 40], after: [200, 100, 67, 50, 40])
      if try RevenueMove.areSure(world.parts(seed: seed)).contains(true) { wrong += 1 }
    }
    // Three standard errors of 100 reports are 9 %.
    #expect(Double(wrong) / Double(count) < 0.1 + 0.09)
  }

  /// 175 installs in the earlier period.
  @Test(arguments: World.Amounts.allCases)
  fileprivate func `Half the installs, or users of another mix of campaigns, are a sure change`(
    amounts: World.Amounts
  ) throws {
    let before = [76.0, 38, 26, 20, 15]
    let half = World(amounts: amounts, before: before, after: before.map { $0 / 2 })
    let mixed = World(
      amounts: amounts, before: before, after: [8, 10, 13, 60, 84], paying: [0.05, 0.05, 0.2, 0.9, 0.9],
      withheld: [0, 0.1, 0.2, 0.3, 0.3])
    for world in [half, mixed] {
      let count = 100
      var found = 0
      for seed in 1...UInt64(count) where try RevenueMove.areSure(world.parts(seed: seed)).contains(true) {
        found += 1
      }
      #expect(found >= 90, "\(world)")
    }
  }

  @Test func `What changed is sure beside lines that did not, and arithmetic's remainders are no lines`() {
    var after = Self.usual
    after.conversions = after.conversions.map { $0 * 1.5 }
    let move = move(Self.usual, after)
    #expect(
      RevenueMove.areSure([move.parts[.volume], move.parts[.worth]].compactMap(\.self)) == [true, false])
    let nothing = RevenueMove.Part(amount: 1e-9, variance: 0)
    let rates = RevenueMove.Part(amount: 5, variance: 0)
    #expect(RevenueMove.areSure([nothing, rates]) == [false, true])
    #expect(RevenueMove.areSure([]).isEmpty)
  }

  @Test func `The variance of each part is that of repeated draws`() {
    var after = Self.usual
    after.conversions = [400, 600, 250, 90]
    after.worth = [5, 9, 6, 25]
    var before = Self.usual
    before.conversions = [500, 500, 200, 80]
    let moves = (1...600).map { move(before, after, seed: UInt64($0)) }
    for cause in [RevenueMove.Cause.volume, .mix, .worth] {
      let amounts = moves.compactMap { $0.parts[cause]?.amount }
      let mean = amounts.reduce(0, +) / Double(amounts.count)
      let drawn = amounts.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(amounts.count - 1)
      let stated = moves.reduce(0) { $0 + ($1.parts[cause]?.variance ?? 0) } / Double(moves.count)
      #expect((0.8...1.25).contains(stated / drawn), "\(cause): \(stated) stated, \(drawn) drawn")
    }
  }

  @Test(arguments: [false, true])
  func `What estimates leave open adds to the variances, what both periods have in common as a difference`(
    isCommon: Bool
  ) throws {
    let counts = [RevenueMove.Counts(conversions: 10, revenue: 20), .init(conversions: 30, revenue: 90)]
    let new = RevenueMove.Counts(conversions: 5, revenue: 10)
    func openness(_ widening: Double) -> RevenueMove.Openness {
      // The revenue of each campaign is open by 1 up and down, all in the same draws.
      .init(widening: widening) { weights in
        let draws = [-1.0, 1].map { $0 * weights.reduce(0, +) }
        return .init(draws, common: isCommon ? draws : [])
      }
    }
    let move = RevenueMove(
      [.init(before: counts[0], after: counts[1]), .init(before: .init(), after: new)],
      knowsMapping: true, before: openness(2), after: openness(1))
    let without = RevenueMove(
      [.init(before: counts[0], after: counts[1]), .init(before: .init(), after: new)], knowsMapping: true)
    func more(_ cause: RevenueMove.Cause) throws -> Double {
      try #require(move.parts[cause]).variance - #require(without.parts[cause]).variance
    }
    // Two campaigns before, 3 and 0 times as many later, 3.5 times as many together.
    #expect(try abs(more(.volume) - 2 * 5 * 5) < 1e-9)
    #expect(try abs(more(.mix) - (isCommon ? 2 * 3 * 3 : 2 * 4 * 4 + 1)) < 1e-9)
    #expect(try abs(more(.worth) - (isCommon ? 2 * 2 * 2 : 2 * 3 * 3 + 1)) < 1e-9)
    #expect(abs(move.change.variance - without.change.variance - (isCommon ? 0 : 2 * 4 + 4)) < 1e-9)
  }

  @Test func `More conversions are worth more, however little it is known how much`() throws {
    let openness = RevenueMove.Openness(widening: 1) { weights in
      let draws = [-150.0, 150].map { $0 * weights.reduce(0, +) }
      return .init(draws, common: draws)
    }
    for (after, isSure) in [(150.0, true), (110, false)] {
      let counts = [100, after].map {
        RevenueMove.Counts(conversions: $0, revenue: 2 * $0, squares: 4 * $0)
      }
      let move = RevenueMove(
        [.init(before: counts[0], after: counts[1])], knowsMapping: true, before: openness, after: openness)
      let volume = try #require(move.parts[.volume])
      #expect(RevenueMove.areSure([volume]) == [isSure])
      #expect((volume.interval.low == 0) == isSure && (volume.interval.low < 0) == !isSure)
    }
  }
}
