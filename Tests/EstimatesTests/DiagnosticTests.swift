import Estimates
import System
import Testing
import Values

@Suite struct ThresholdFitTests {
  /// Cells of campaigns of very different sizes.
  private func cells(_ law: NullMechanism, _ random: inout SplitMix64) -> [ThresholdFit.Cell] {
    (0..<2000).map { _ in
      let total = 1 + random.poisson(30 * exponential(1.1 * random.normal()))
      return ThresholdFit.Cell(
        total: Double(total), revealed: Double(total - law.hidden(of: total, &random)))
    }
  }

  @Test(arguments: [30.0, 90, 120])
  func `A soft threshold is found again`(threshold: Double) throws {
    var random = SplitMix64(seed: 3)
    let fit = try #require(
      try ThresholdFit(cells(.soft(threshold: threshold, slope: 0.35), &random)))
    #expect(abs(fit.threshold / threshold - 1) < 0.04)
    #expect(abs(fit.slope - 0.35) < 0.04)
    let interval = try #require(fit.interval)
    #expect(interval.contains(fit.threshold))
    #expect(interval.width < 0.2 * threshold)
    #expect(try #require(fit.slopeError) < 0.1)
    guard case .soft = fit.mechanism else {
      Issue.record("It is soft.")
      return
    }
  }

  @Test(arguments: [30.0, 120])
  func `A hard threshold is found again`(threshold: Double) throws {
    var random = SplitMix64(seed: 4)
    let fit = try #require(try ThresholdFit(cells(.hard(threshold: threshold), &random)))
    #expect(abs(fit.threshold / threshold - 1) < 0.03)
    #expect(fit.slope < 0.05)
    guard case .hard = fit.mechanism else {
      Issue.record("It is hard.")
      return
    }
  }

  @Test func `Cells that are hidden as a whole widen the interval`() throws {
    var random = SplitMix64(seed: 5)
    let soft = cells(.soft(threshold: 45, slope: 0.35), &random)
    let clumped = soft.map { cell in
      ThresholdFit.Cell(
        total: cell.total, revealed: random.happens(cell.revealed / cell.total) ? cell.total : 0)
    }
    let plain = try #require(try ThresholdFit(soft))
    let wide = try #require(try ThresholdFit(clumped))
    #expect(plain.dispersion < 1.5)
    #expect(wide.dispersion > 5)
    #expect(try #require(wide.interval).width > 2 * (try #require(plain.interval).width))
  }

  @Test func `What can't tell a threshold gives none`() throws {
    #expect(try ThresholdFit([]) == nil)
    #expect(try ThresholdFit([.init(total: 10, revealed: 10), .init(total: 20, revealed: 20)]) == nil)
    #expect(try ThresholdFit([.init(total: 10, revealed: 0), .init(total: 20, revealed: 0)]) == nil)
    #expect(try ThresholdFit([.init(total: 10, revealed: 5), .init(total: 10, revealed: 6)]) == nil)
    #expect(try ThresholdFit([.init(total: 10, revealed: 0), .init(total: 20, revealed: 20)]) != nil)
  }
}

@Suite struct ChangePointTests {
  private func days(_ shares: [Double], total: Int = 200, seed: UInt64) -> [(count: Double, total: Double)] {
    var random = SplitMix64(seed: seed)
    return shares.map { (Double(random.binomial(total, $0)), Double(total)) }
  }

  @Test func `A lasting change is found on its day`() throws {
    let shares = [Double](repeating: 0.8, count: 30) + [Double](repeating: 0.2, count: 20)
    let found = ChangePoint.find(in: days(shares, seed: 1))
    #expect(found.map(\.day) == [30])
    #expect(abs(try #require(found.first).before - 0.8) < 0.03)
    #expect(abs(try #require(found.first).after - 0.2) < 0.03)
  }

  @Test func `Two changes are two`() {
    let shares =
      [Double](repeating: 0.2, count: 20) + [Double](repeating: 0.4, count: 20)
      + [Double](repeating: 0.25, count: 20)
    let exact = (0..<100).count { seed in
      let found = ChangePoint.find(in: days(shares, seed: UInt64(seed)))
      return found.count == 2 && zip(found, [20, 40]).allSatisfy { abs($0.day - $1) <= 1 }
    }
    #expect(exact >= 85, "\(exact) of 100")
  }

  @Test func `A share that stays has seldom a change`() {
    let alarms = (0..<200).count { seed in
      !ChangePoint.find(in: days([Double](repeating: 0.3, count: 60), seed: UInt64(seed))).isEmpty
    }
    #expect(alarms <= 10, "\(alarms) of 200")
  }

  @Test func `A share that jumps about is no row of changes`() {
    var random = SplitMix64(seed: 9)
    let alarms = (0..<100).count { seed in
      let shares = (0..<60).map { _ in 0.2 + 0.2 * random.fraction() }
      return !ChangePoint.find(in: days(shares, seed: UInt64(seed))).isEmpty
    }
    #expect(alarms <= 12, "\(alarms) of 100")
  }

  @Test func `Short and empty rows have none`() {
    #expect(ChangePoint.find(in: []).isEmpty)
    #expect(ChangePoint.find(in: days([0, 0, 1, 1, 1], seed: 1)).isEmpty)
    #expect(ChangePoint.find(in: days([0, 0, 0, 1, 1, 1], seed: 1)).map(\.day) == [3])
    #expect(ChangePoint.find(in: (0..<30).map { _ in (0, 0) }).isEmpty)
  }
}

@Suite struct ValueMixTests {
  @Test func `The smallest cell is told with how often it occurs`() throws {
    let smallest = try #require(SmallestCell([[0, 5, 9], [5, 0, 70]]))
    #expect(smallest.count == 5)
    #expect(smallest.times == 2)
    #expect(smallest.cells == 4)
    #expect(SmallestCell([[0, 0], []]) == nil)
  }

  @Test func `Two groups have the chi-square of the textbook`() throws {
    // A table of two rows and two columns: n (ad − bc)² over the product of the margins.
    let drift = try #require(MixDrift([20, 30], [30, 20]))
    #expect(abs(drift.statistic - 4) < 1e-12)
    #expect(drift.freedom == 1)
    #expect(abs(drift.probability - 0.0455) < 1e-4)
  }

  @Test func `Rare values are joined, and too few tell nothing`() throws {
    let drift = try #require(MixDrift([50, 1, 1, 40], [60, 2, 0, 30]))
    #expect(drift.freedom == 1)
    #expect(MixDrift([3, 1], [2, 1]) == nil)
    #expect(MixDrift([30, 10], [0, 0]) == nil)
    #expect(MixDrift([], []) == nil)
  }

  @Test func `Dealing anew agrees with the law where values are many`() throws {
    var random = SplitMix64(seed: 1)
    let law = try #require(MixDrift([200, 90, 60], [210, 100, 40]))
    let dealt = try #require(MixDrift([200, 90, 60], [210, 100, 40], deals: 4000, &random))
    #expect(abs(law.statistic - dealt.statistic) < 1e-9)
    #expect(abs(law.probability - dealt.probability) < 0.03)
    let rare = try #require(MixDrift([4, 0, 0], [0, 3, 1], deals: 999, &random))
    #expect(rare.probability < 0.1)
    #expect(MixDrift([4, 0], [3, 0], deals: 10, &random) == nil)
  }
}
