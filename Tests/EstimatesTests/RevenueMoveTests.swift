@testable import Estimates
import Testing
import Values

/// A period of campaigns whose conversions, shown values and amounts are drawn at random.
private struct Period {
  var conversions: [Double]
  var shownShare = 0.8
  var worth: [Double]
  /// What the mapping reads of each unit that users pay.
  var reading = 1.0

  func counts(_ random: inout SplitMix64) -> [RevenueMove.Counts] {
    zip(conversions, worth).map { mean, worth in
      var counts = RevenueMove.Counts()
      // A binomial number is Poisson enough where its chance is small.
      for _ in 0..<Int(mean * 20) where random.happens(0.05) {
        counts.conversions += 1
        guard random.happens(shownShare) else { continue }
        counts.shown += 1
        guard random.happens(0.3) else { continue }
        let amount = worth * reading * (0.5 + random.fraction())
        counts.revenue += amount
        counts.squares += amount * amount
      }
      return counts
    }
  }
}

struct `Causes of a change of revenue` {
  private static let usual = Period(conversions: [9000, 5000, 2500, 800], worth: [4, 10, 6, 20])

  private func move(
    _ before: Period, _ after: Period, reading: RevenueMove.Reading? = .same, seed: UInt64 = 1
  ) -> RevenueMove {
    var random = SplitMix64(seed: seed)
    let (first, second) = (before.counts(&random), after.counts(&random))
    return RevenueMove(zip(first, second).map { .init(before: $0, after: $1, reading: reading) })
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
    let mixed = move(Self.usual, after)
    #expect((0.9...1.1).contains(share(.mix, of: mixed)))
    after = Self.usual
    after.shownShare = 0.4
    #expect((0.9...1.1).contains(share(.withheld, of: move(Self.usual, after))))
    after = Self.usual
    after.worth = after.worth.map { $0 * 0.6 }
    #expect((0.9...1.1).contains(share(.worth, of: move(Self.usual, after))))
    after = Self.usual
    after.reading = 0.6
    let read = move(Self.usual, after, reading: .init(ratio: 1 / 0.6, variance: 0))
    #expect((0.9...1.1).contains(share(.mapping, of: read)))
    let unknown = move(Self.usual, after, reading: nil)
    #expect((0.9...1.1).contains(share(.mappingOrWorth, of: unknown)))
    #expect(unknown.parts[.mapping] == nil && unknown.parts[.worth] == nil)
  }

  @Test(arguments: 1...40) func `The parts add up to the whole change, whatever happened`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func period() -> Period {
      Period(
        conversions: (0..<5).map { _ in random.happens(0.2) ? 0 : 300 * random.fraction() },
        shownShare: random.happens(0.2) ? 0 : random.fraction(),
        worth: (0..<5).map { _ in 9 * random.fraction() })
    }
    let (before, after) = (period(), period())
    let reading: RevenueMove.Reading? =
      random.happens(0.5) ? nil : .init(ratio: 0.5 + random.fraction(), variance: 0.01)
    let move = move(before, after, reading: reading, seed: seed)
    let sum = move.parts.values.reduce(0) { $0 + $1.amount }
    #expect(abs(sum - move.change.amount) < 1e-6)
    let ofCampaigns = move.ofCampaigns.reduce(0) { $0 + $1.values.reduce(0, +) }
    #expect(abs(ofCampaigns - move.change.amount) < 1e-6)
    #expect(move.parts.values.allSatisfy { $0.variance >= -1e-6 })
  }

  /// Each line by its own 90 % interval, more than a third of these reports had one that was sure.
  @Test(arguments: [
    Period(conversions: [900, 500, 250, 80], worth: [4, 10, 6, 20]),
    Period(conversions: [60, 40, 20, 5, 5], shownShare: 0.5, worth: [4, 10, 6, 20, 3]),
  ])
  fileprivate func `Where nothing changed, at most one report of ten has a line that is sure`(period: Period)
  {
    let readings: [RevenueMove.Reading?] = [.same, nil]
    let count = 400
    var (wrong, wrongAlone) = (0, 0)
    for seed in 1...UInt64(count) {
      let move = move(period, period, reading: readings[Int(seed) % 2], seed: seed)
      let parts = RevenueMove.Cause.allCases.compactMap { move.parts[$0] } + [move.change]
      if RevenueMove.areSure(parts).contains(true) { wrong += 1 }
      if parts.contains(where: { $0.interval.low > 0 || $0.interval.high < 0 }) { wrongAlone += 1 }
    }
    // Three standard errors of 400 reports are 4.5 %.
    #expect(Double(wrong) / Double(count) < 0.1 + 0.045)
    #expect(Double(wrongAlone) / Double(count) > 0.2)
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
    after.shownShare = 0.7
    after.worth = [5, 9, 6, 25]
    var before = Self.usual
    before.conversions = [500, 500, 200, 80]
    let moves = (1...600).map { move(before, after, seed: UInt64($0)) }
    for cause in [RevenueMove.Cause.volume, .mix, .withheld, .worth] {
      let amounts = moves.compactMap { $0.parts[cause]?.amount }
      let mean = amounts.reduce(0, +) / Double(amounts.count)
      let drawn = amounts.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(amounts.count - 1)
      let stated = moves.reduce(0) { $0 + ($1.parts[cause]?.variance ?? 0) } / Double(moves.count)
      #expect((0.8...1.25).contains(stated / drawn), "\(cause): \(stated) stated, \(drawn) drawn")
    }
  }
}
