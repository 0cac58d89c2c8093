import MappingFormats
import Mappings
@testable import Simulation
import Testing
import Values

@Suite struct `A paired comparison` {
  /// Users of some campaigns who pay once each.
  private func cohort(campaigns: Int) -> Cohort {
    var random = SplitMix64(seed: 81)
    var builder = CohortBuilder()
    for user in 0..<campaigns * 40 {
      builder.add(
        user: "\(user)", installed: epoch, campaign: "campaign \(user % campaigns)",
        events: [
          event("buy", at: Int64(random.number(below: 80_000)), cents: Int64(1 + random.number(below: 3000)))
        ])
    }
    return builder.cohort()
  }

  private func outcome(_ edges: [Int64?], _ cohort: Cohort) throws -> SimulationOutcome {
    let fine = try zip(edges, edges.dropFirst()).enumerated().map { index, ends in
      FineRule(
        value: try #require(.init(Int64(index))), conditions: Conditions(revenue: try cents(ends.0, ends.1)))
    }
    return simulate(SimulationConfiguration(try mapping(.skan4, fine: fine)), [cohort]).outcome
  }

  @Test func `A paired comparison reports which mapping is better, and by how much`() throws {
    let cohort = cohort(campaigns: 20)
    let coarse = try outcome([1, 200, 10_000], cohort)
    let fine = try outcome((0...40).map { $0 * 100 }, cohort)
    let comparison = try #require(PairedComparison([coarse], [fine], seed: 1))
    #expect(comparison.rows.count == 20)
    #expect(comparison.errorOfB < 0.05)
    #expect(comparison.errorOfA > 1)
    #expect(comparison.verdict == .bIsBetter(by: comparison.gain))
    #expect(try #require(comparison.interval).contains(comparison.gain))
    #expect(PairedComparison([coarse], [fine], seed: 1) == comparison)
    let turned = try #require(PairedComparison([fine], [coarse], seed: 1))
    #expect(turned.verdict == .aIsBetter(by: comparison.gain))
  }

  @Test func `A paired comparison has no result if nothing differs or there is only one campaign`() throws {
    let many = try outcome([1, 200, 10_000], cohort(campaigns: 5))
    let same = try #require(PairedComparison([many], [many], seed: 1))
    #expect(same.verdict == .noDifference)
    #expect(same.gain == 0)
    let one = try outcome([1, 200, 10_000], cohort(campaigns: 1))
    let other = try outcome([1, 500, 10_000], cohort(campaigns: 1))
    let single = try #require(PairedComparison([one], [other], seed: 1))
    #expect(single.interval == nil)
    #expect(single.verdict == .undecided)
    #expect(PairedComparison([], [many], seed: 1) == nil)
    #expect(PairedComparison([SimulationOutcome(currency: usd)], [many], seed: 1) == nil)
  }
}

@Suite struct `A rolling chain without edges` {
  private func figures(_ events: [UserEvent], days: Int) -> RollingChain.Figures {
    var chain = RollingChain(days: [days], currency: usd)
    chain.add(one(events))
    return chain.figures[0]
  }

  @Test func `A rolling chain without edges captures all of one day`() {
    let found = figures([event("buy", at: day - 1, cents: 500), event("buy", at: day, cents: 100)], days: 1)
    #expect(found.capturedShare == 1)
    #expect(found.brokenShare == 0)
    #expect(found.revenue.amount.description == "5")
  }

  @Test func `A rolling chain without edges breaks at 24 hours without a rise`() {
    // A session changes no value on day 0, so that the timer runs from the first launch.
    let broken = figures([event("session", at: day - 10), event("buy", at: day, cents: 100)], days: 2)
    #expect(broken.broken == 1)
    #expect(broken.capturedShare == 0)
    let kept = figures([event("buy", at: 100, cents: 300), event("buy", at: day + 99, cents: 100)], days: 2)
    #expect(kept.capturedShare == 1)
    let late = figures([event("buy", at: 100, cents: 300), event("buy", at: day + 100, cents: 100)], days: 2)
    #expect(late.capturedShare == 0.75)
    #expect(late.brokenShare == 1)
  }

  @Test func `A rolling chain without edges is kept alive by any activity on a new day`() {
    let sessions = [
      event("buy", at: 100, cents: 300), event("s", at: day + 50), event("buy", at: 2 * day + 49, cents: 300),
    ]
    #expect(figures(sessions, days: 3).capturedShare == 1)
    #expect(figures(sessions, days: 3).brokenShare == 0)
  }

  @Test func `A rolling chain without edges adds up over parts`() {
    let first = one([event("buy", at: 100, cents: 300)])
    let second = one([event("buy", at: day, cents: 300)])
    var whole = RollingChain(days: [1, 2], currency: usd)
    whole.add(first)
    whole.add(second)
    var merged = RollingChain(days: [1, 2], currency: usd)
    merged.add(second)
    var other = RollingChain(days: [1, 2], currency: usd)
    other.add(first)
    merged.merge(other)
    #expect(merged == whole)
    #expect(whole.figures.map(\.users) == [2, 2])
  }
}
