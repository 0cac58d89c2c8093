import Estimates
import System
import Testing
import Values

@Suite struct `A change of a share` {
  private func days(_ shares: [Double], total: Int = 200, seed: UInt64) -> [ChangePoint.Count] {
    var random = SplitMix64(seed: seed)
    return shares.map { (Double(random.binomial(total, $0)), Double(total)) }
  }

  /// The part of the campaigns that are partly withheld whose share changed, in per cent.
  private func changed(_ nulls: SmearedNulls, seeds: Range<UInt64>) -> (percent: Double, campaigns: Int) {
    var (changed, campaigns) = (0, 0)
    for seed in seeds {
      var random = SplitMix64(seed: seed &* 7_919 &+ UInt64(nulls.days))
      var nulls = nulls
      nulls.dayShock = seed % 2 == 0 ? 0 : 0.2
      for cells in nulls.cells(&random) {
        let days = cells.map { (count: $0.total - $0.revealed, total: $0.total) }
        let inner = days.dropFirst().dropLast()
        let (count, total) = inner.reduce((0, 0)) { ($0.0 + $1.count, $0.1 + $1.total) }
        guard total >= 20, (0.02...0.98).contains(count / total) else { continue }
        campaigns += 1
        changed += ChangePoint.find(in: days, seed: seed).isEmpty ? 0 : 1
      }
    }
    return (100 * Double(changed) / Double(max(1, campaigns)), campaigns)
  }

  @Test func `A change of a share is found on its day`() throws {
    let shares = [Double](repeating: 0.8, count: 30) + [Double](repeating: 0.2, count: 20)
    let found = ChangePoint.find(in: days(shares, seed: 1))
    #expect(found.map(\.day) == [30])
    #expect(abs(try #require(found.first).before - 0.8) < 0.03)
    #expect(abs(try #require(found.first).after - 0.2) < 0.03)
  }

  @Test func `A change of a share is found twice if there are two`() {
    let shares =
      [Double](repeating: 0.2, count: 20) + [Double](repeating: 0.4, count: 20)
      + [Double](repeating: 0.25, count: 20)
    let exact = (0..<100).count { seed in
      let found = ChangePoint.find(in: days(shares, seed: UInt64(seed)))
      return found.count == 2 && zip(found, [20, 40]).allSatisfy { abs($0.day - $1) <= 1 }
    }
    #expect(exact >= 80, "\(exact) of 100")
  }

  @Test func `A change of a share is seldom found if the share is constant`() {
    let alarms = (0..<200).count { seed in
      !ChangePoint.find(in: days([Double](repeating: 0.3, count: 60), seed: UInt64(seed))).isEmpty
    }
    #expect(alarms <= 10, "\(alarms) of 200")
  }

  @Test func `A change of a share is seldom found if the share varies at random`() {
    var random = SplitMix64(seed: 9)
    let alarms = (0..<100).count { seed in
      let shares = (0..<60).map { _ in 0.2 + 0.2 * random.fraction() }
      return !ChangePoint.find(in: days(shares, seed: UInt64(seed))).isEmpty
    }
    #expect(alarms <= 8, "\(alarms) of 100")
  }

  @Test(arguments: [
    NullMechanism.hard(threshold: 30), .soft(threshold: 30, slope: 0.35), .share(0.3),
  ])
  func `A change of a share is seldom found under a constant rule, although arrivals blur the days`(
    law: NullMechanism
  ) {
    for days in [14, 30, 60] {
      let result = changed(SmearedNulls(law: law, days: days), seeds: 0..<16)
      #expect(result.campaigns > 150)
      #expect(result.percent <= 8, "\(law), \(days) days: \(result.percent) % of \(result.campaigns)")
    }
  }

  @Test func `A change of a share is found if nulls at random double`() {
    let result = changed(SmearedNulls(law: .share(0.3), laterLaw: .share(0.6), days: 30), seeds: 0..<8)
    #expect(result.percent >= 85, "\(result.percent) % of \(result.campaigns)")
  }

  @Test func `A change of a share is not searched in few or empty days, nor in the first and the last one`() {
    #expect(ChangePoint.find(in: []).isEmpty)
    #expect(ChangePoint.find(in: days([0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1], seed: 1)).isEmpty)
    #expect(ChangePoint.find(in: (0..<30).map { _ in (0, 0) }).isEmpty)
    #expect(ChangePoint.find(in: (0..<30).map { _ in (5, 5) }).isEmpty)
    let ends = [1] + [Double](repeating: 0.3, count: 28) + [1]
    #expect(ChangePoint.find(in: days(ends, total: 10_000, seed: 3)).isEmpty)
  }

  @Test func `A change of a share is the same for the same seed`() {
    let shares = (0..<40).map { 0.3 + 0.005 * Double($0) }
    let first = ChangePoint.find(in: days(shares, seed: 4), seed: 7)
    #expect(!first.isEmpty)
    #expect(ChangePoint.find(in: days(shares, seed: 4), seed: 7) == first)
  }
}
