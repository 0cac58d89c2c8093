@testable import Estimates
import System
import Testing
import Values

@Suite struct `A fit of a threshold` {
  /// Cells of campaigns of very different sizes.
  private func cells(_ law: NullMechanism, _ random: inout SplitMix64) -> [ThresholdFit.Cell] {
    (0..<2000).map { _ in
      let total = 1 + random.poisson(30 * exponential(1.1 * random.normal()))
      return ThresholdFit.Cell(
        total: Double(total), revealed: Double(total - law.hidden(of: total, &random)))
    }
  }

  @Test(arguments: [30.0, 90, 120])
  func `A fit of a threshold recovers a soft threshold`(threshold: Double) throws {
    var random = SplitMix64(seed: 3)
    let fit = try #require(ThresholdFit(cells(.soft(threshold: threshold, slope: 0.35), &random)))
    #expect(abs(fit.threshold / threshold - 1) < 0.04)
    #expect(abs(fit.slope - 0.35) < 0.04)
    #expect(fit.interval.contains(fit.threshold))
    #expect(fit.interval.width < 0.2 * threshold)
    #expect(try #require(fit.slopeError) < 0.1)
    guard case .soft = fit.mechanism else {
      Issue.record("It is soft.")
      return
    }
  }

  @Test(arguments: [30.0, 120])
  func `A fit of a threshold recovers a hard threshold`(threshold: Double) throws {
    var random = SplitMix64(seed: 4)
    let fit = try #require(ThresholdFit(cells(.hard(threshold: threshold), &random)))
    #expect(abs(fit.threshold / threshold - 1) < 0.03)
    #expect(fit.slope < 0.05)
    #expect(fit.interval.low > threshold - 2 && fit.interval.high < threshold + 1)
    guard case .hard = fit.mechanism else {
      Issue.record("It is hard.")
      return
    }
  }

  @Test func `A fit of a threshold covers a soft threshold in nine of ten cases`() throws {
    var random = SplitMix64(seed: 6)
    let held = try (0..<200).count { _ in
      let cells = cells(.soft(threshold: 40, slope: 0.5), &random).prefix(300)
      return try #require(ThresholdFit(Array(cells))).interval.contains(40)
    }
    #expect((168...192).contains(held), "\(held) of 200")
  }

  @Test func `A fit of a threshold is less certain if cells are withheld as a whole`() throws {
    var random = SplitMix64(seed: 5)
    let soft = cells(.soft(threshold: 45, slope: 0.35), &random)
    let clumped = soft.map { cell in
      ThresholdFit.Cell(
        total: cell.total, revealed: random.happens(cell.revealed / cell.total) ? cell.total : 0)
    }
    let plain = try #require(ThresholdFit(soft))
    let wide = try #require(ThresholdFit(clumped))
    #expect(plain.dispersion < 1.5)
    #expect(wide.dispersion > 5)
    #expect(wide.interval.width > 2 * plain.interval.width)
  }

  @Test func `A fit of a threshold is none if cells cannot show it`() throws {
    #expect(ThresholdFit([]) == nil)
    #expect(ThresholdFit([.init(total: 10, revealed: 10), .init(total: 20, revealed: 20)]) == nil)
    #expect(ThresholdFit([.init(total: 10, revealed: 0), .init(total: 20, revealed: 0)]) == nil)
    #expect(ThresholdFit([.init(total: 10, revealed: 5), .init(total: 10, revealed: 6)]) == nil)
    let parted = try #require(
      ThresholdFit([.init(total: 10, revealed: 0), .init(total: 20, revealed: 20)]))
    #expect((10...20).contains(parted.threshold) && parted.slope < 0.05)
  }

  @Test func `A fit of a threshold has no steepness if large cells show less`() throws {
    let fit = try #require(
      ThresholdFit([.init(total: 10, revealed: 9), .init(total: 100, revealed: 20)]))
    #expect(abs(fit.slope - 5) < 1e-9 && fit.slopeError == nil)
  }
}

@Suite struct `A privacy threshold` {
  private func inferred(_ nulls: SmearedNulls, seed: UInt64) -> CrowdThreshold? {
    var random = SplitMix64(seed: seed &* 104_729 &+ UInt64(nulls.days))
    return CrowdThreshold(nulls.cells(&random), seed: seed)
  }

  @Test(arguments: [14, 30])
  func `A hard privacy threshold is found from arrival dates, in whole installs`(days: Int) throws {
    let found = try (0..<8).map { seed in
      try #require(
        inferred(
          SmearedNulls(law: .hard(threshold: 30), days: days, dayShock: seed % 2 == 0 ? 0 : 0.2), seed: seed))
    }
    #expect(!found.contains { !$0.isHard })
    #expect(found.count { $0.interval.contains(30) } >= 7)
    let close = found.count { fit in
      abs(fit.threshold - 30) <= 1 && fit.interval.contains(fit.threshold) && fit.interval.width < 4
    }
    #expect(close >= 7)
    for fit in found {
      #expect(
        [fit.threshold, fit.interval.low, fit.interval.high]
          == [fit.threshold, fit.interval.low, fit.interval.high].map { $0.rounded() })
    }
  }

  @Test(arguments: [14, 30])
  func `A soft privacy threshold is found from arrival dates`(days: Int) throws {
    let law = NullMechanism.soft(threshold: 30, slope: 0.35)
    let found = try (0..<10).map { seed in
      try #require(
        inferred(SmearedNulls(law: law, days: days, dayShock: seed % 2 == 0 ? 0 : 0.2), seed: seed))
    }
    #expect(!found.contains { $0.isHard })
    #expect(found.count { $0.interval.contains(30) } >= 7)
    let threshold = found.map(\.threshold).reduce(0, +) / 10
    let slope = found.map(\.slope).reduce(0, +) / 10
    #expect(abs(threshold - 30) < 0.4)
    #expect(abs(slope - 0.35) < 0.03)
  }

  @Test(arguments: [false, true])
  func `A soft privacy threshold is found where weekends have more installs`(doDaysDiffer: Bool) {
    let law = NullMechanism.soft(threshold: 30, slope: 0.35)
    let held = (0..<20 as Range<UInt64>).count { seed in
      var random = SplitMix64(seed: seed &* 104_729 &+ 9)
      let cells = SmearedNulls(law: law, days: 60, dayShock: 0.1, isWeekly: true).cells(&random)
      // Campaigns that began on other days of the week.
      let firsts = cells.indices.map { doDaysDiffer ? $0 % 5 : 0 }
      let fit = CrowdThreshold(
        zip(cells, firsts).map { Array($0.dropFirst($1)) }, from: firsts, seed: seed)
      return fit.map { $0.interval.contains(30) } ?? false
    }
    #expect(held >= 17, "\(held) of 20")
  }

  @Test
  func `A weekly season of arrivals is that of the installs behind them, and none where days are alike`() {
    var random = SplitMix64(seed: 4)
    let factors = [0.9, 0.9, 0.9, 0.9, 0.9, 1.35, 1.15]
    let campaigns = (0..<30).map { _ -> (first: Int, days: [Double]) in
      let installs = (0..<57).map { random.poisson(200 * factors[$0 % 7]) }
      let early = installs.map { random.binomial($0, 0.5) }
      let days = (1..<57).map { day -> Double in
        let late = installs[day - 1] - early[day - 1]
        return Double(early[day] + late)
      }
      return (1, days)
    }
    let season = WeeklySeason(campaigns)
    for day in 0..<7 {
      #expect(abs(season.ofInstalls(day) - factors[day]) < 0.04)
      let both: Double = (factors[day] + factors[(day + 6) % 7]) / 2
      #expect(abs(season.ofArrivals(day) - both) < 0.03)
    }
    let even = WeeklySeason(
      (0..<30).map { _ in (first: 0, days: (0..<28).map { _ in Double(random.poisson(50)) }) })
    #expect((0..<7).allSatisfy { abs(even.ofInstalls($0) - 1) < 0.06 })
    #expect(WeeklySeason([(first: 3, days: [4, 5])]).ofInstalls(2) == 1)
  }

  @Test func `A privacy threshold is not visible if values are withheld at random`() {
    for seed in 0..<20 as Range<UInt64> {
      #expect(inferred(SmearedNulls(law: .share(0.3)), seed: seed) == nil)
      #expect(inferred(SmearedNulls(law: .share(0.95), campaigns: 8, days: 14), seed: seed) == nil)
    }
  }

  @Test func `A privacy threshold is not visible if each campaign withholds its own share`() {
    var random = SplitMix64(seed: 8)
    for seed in 0..<20 as Range<UInt64> {
      let cells = (0..<20).flatMap { _ in
        SmearedNulls(law: .share(random.fraction()), campaigns: 1, days: 20).cells(&random)
      }
      #expect(CrowdThreshold(cells, seed: seed) == nil)
    }
  }

  @Test func `A privacy threshold is not visible with all or no values withheld, or with few days`() {
    #expect(CrowdThreshold([]) == nil)
    #expect(inferred(SmearedNulls(law: .hard(threshold: 1)), seed: 1) == nil)
    #expect(inferred(SmearedNulls(law: .hard(threshold: 1e6)), seed: 1) == nil)
    #expect(inferred(SmearedNulls(law: .hard(threshold: 30), days: 1), seed: 1) == nil)
  }

  @Test func `A privacy threshold is less certain if whole days are withheld at random`() throws {
    let law = NullMechanism.soft(threshold: 30, slope: 0.35)
    var random = SplitMix64(seed: 12)
    let soft = SmearedNulls(law: law).cells(&random)
    let clumped = soft.map { days in
      days.map { cell in
        ThresholdFit.Cell(
          total: cell.total,
          revealed: cell.total > 0 && random.happens(cell.revealed / cell.total) ? cell.total : 0)
      }
    }
    let plain = try #require(CrowdThreshold(soft))
    let wide = try #require(CrowdThreshold(clumped))
    #expect(wide.interval.width > 1.5 * plain.interval.width)
  }

  @Test func `A privacy threshold is the same for the same seed, and nearly so for another`() throws {
    var random = SplitMix64(seed: 2)
    let cells = SmearedNulls(law: .soft(threshold: 30, slope: 0.35)).cells(&random)
    let one = try #require(CrowdThreshold(cells, seed: 1))
    let other = try #require(CrowdThreshold(cells, seed: 2))
    #expect(CrowdThreshold(cells, seed: 1) == one)
    #expect(other != one)
    #expect(abs(other.threshold / one.threshold - 1) < 0.02)
  }

  @Test func `A privacy threshold of very many days is inferred from some of the campaigns`() throws {
    let nulls = SmearedNulls(law: .soft(threshold: 30, slope: 0.35), campaigns: 600, days: 30)
    let found = try #require(inferred(nulls, seed: 3))
    #expect(abs(found.threshold - 30) < 0.6)
  }
}
