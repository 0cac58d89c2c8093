@testable import Estimates
import Testing
import Values

@Suite("Estimates bound to books")
struct ReconciliationTests {
  /// Draws of parts that share a worth and have a chance of their own.
  private func parts(_ random: inout SplitMix64, count: Int = 400) -> [Reconciliation.Part] {
    let shared = (0..<count).map { _ in random.normal() }
    return [(10.0, 1.0), (5, 4), (2, 0.5)].map { common, own in
      let worths = shared.map { 100 + common * $0 }
      return Reconciliation.Part(draws: worths.map { $0 + own * random.normal() }, common: worths)
    }
  }

  @Test func `Bound parts add up to an exact total, and none is wider than before`() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<50 {
      let parts = parts(&random)
      let bound = Reconciliation(parts, total: 321)
      #expect(abs(bound.shares.reduce(0, +) - 1) < 1e-9 && abs(bound.bound - 1) < 1e-9)
      let estimate = 300.0
      let moved = parts.indices.reduce(estimate) { $0 + bound.shift(of: $1, estimate: estimate) }
      #expect(abs(moved - 321) < 1e-9)
      for index in parts.indices { #expect(bound.narrowing(of: index) <= 1) }
      // What is uncertain takes most of the difference.
      #expect(bound.shares[0] > bound.shares[1] && bound.shares[1] > bound.shares[2])
    }
  }

  @Test func `A total with an error of its own moves parts by less`() {
    var random = SplitMix64(seed: 4)
    let parts = parts(&random)
    let exact = Reconciliation(parts, total: 330)
    let open = Reconciliation(parts, total: 330, error: .init(variance: 1_000))
    #expect(open.bound < 0.5)
    for index in parts.indices {
      #expect(abs(open.shift(of: index, estimate: 300)) < abs(exact.shift(of: index, estimate: 300)))
      #expect(open.narrowing(of: index) >= exact.narrowing(of: index))
    }
    #expect(Reconciliation([], total: 1).shares.isEmpty)
  }

  @Test func `The error of a total is in the intervals that are bound to it`() {
    // Two parts of variance 100 each that have nothing in common.
    let parts = [[10.0, 10, -10, -10], [10, -10, 10, -10]].map { Reconciliation.Part(draws: $0, common: []) }
    let bound = Reconciliation(parts, total: 0, error: .init(variance: 200))
    // Each moves by a quarter: 100 - 2/4 100 + 1/16 (200 + 200).
    #expect(bound.shares == [0.25, 0.25])
    #expect(abs(bound.narrowing(of: 0) - 0.75.squareRoot()) < 1e-9)
    // A total that shows no chance of the parts' users states nothing of them.
    let hidden = Reconciliation(
      parts, total: 0, error: .init(variance: 200, hidden: 1, chance: [100, 100]))
    #expect(hidden.shares == [0, 0] && hidden.narrowing(of: 0) == 1)
    // Half of it: the difference has a quarter of the variance, and no part moves by more than the whole of it.
    let half = Reconciliation(parts, total: 0, error: .init(variance: 0, hidden: 0.5, chance: [100, 100]))
    #expect(half.shares == [0.5, 0.5])
    #expect(abs(half.narrowing(of: 0) - 0.625.squareRoot()) < 1e-9)
  }

  @Test func `Sharp bounds hold every division of the total, and their ends are reached`() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<200 {
      let truths = (0..<4).map { _ in random.fraction() * 10 }
      let own = truths.map { Interval(low: $0 - random.fraction() * 5, high: $0 + random.fraction() * 5) }
      let total = truths.reduce(0, +)
      let sharp = SharpBounds(own, total: Interval(low: total, high: total))
      let bounds = sharp.parts
      for (index, bound) in bounds.enumerated() {
        #expect(bound.low <= truths[index] + 1e-9 && truths[index] <= bound.high + 1e-9)
        #expect(bound.low >= own[index].low - 1e-9 && bound.high <= own[index].high + 1e-9)
        // The low end leaves the others no more than they can be, and no less.
        let others = own.indices.filter { $0 != index }
        for end in [bound.low, bound.high] {
          #expect(others.reduce(0) { $0 + own[$1].low } <= total - end + 1e-9)
          #expect(others.reduce(0) { $0 + own[$1].high } >= total - end - 1e-9)
        }
      }
      // Amounts that are outside come back into the bounds, and keep their sum.
      #expect(sharp.allow(sum: total))
      let weights = truths.map { _ in random.happens(0.2) ? 0 : random.fraction() }
      var amounts = truths.map { $0 + 8 * (random.fraction() - 0.5) }
      let more = (total - amounts.reduce(0, +)) / 4
      amounts = amounts.map { $0 + more }
      let held = sharp.holding(amounts, weights: weights)
      #expect(abs(held.reduce(0, +) - total) < 1e-6)
      #expect(zip(held, bounds).allSatisfy { $1.low - 1e-9 <= $0 && $0 <= $1.high + 1e-9 })
      let beyond = [1e6, 0, 0, 0]
      #expect(!sharp.allow(sum: 1e6) && sharp.holding(beyond, weights: weights) == beyond)
    }
    let open = SharpBounds(
      [Interval(low: 1, high: .infinity), Interval(low: 2, high: .infinity)],
      total: Interval(low: 0, high: 10))
    #expect(open.parts == [Interval(low: 1, high: 8), Interval(low: 2, high: 9)])
    let unbound = SharpBounds([Interval(low: 1, high: 2)], total: Interval(low: 0, high: .infinity))
    #expect(unbound.parts == [Interval(low: 1, high: 2)])
  }

  private func curve(_ means: [(days: Int, mean: Double)], users: Double = 100) -> PaymentAges? {
    PaymentAges(
      means.map { .init(days: $0.days, mean: $0.mean, square: 5 * $0.mean * $0.mean, users: users) })
  }

  @Test func `Payments fade between known ages, and can go on behind the last one`() throws {
    let ages = try #require(curve([(2, 1), (8, 2)]))
    // The square root of the age.
    for (days, paid) in [(1, 0.5.squareRoot()), (2, 1), (4, 2.0.squareRoot()), (8, 2)] {
      #expect(abs(ages.paid(upTo: days) - paid) < 1e-9)
    }
    #expect(ages.paid(upTo: 99) == 2 && ages.paid(upTo: 0) == 0)
    let longer = PaymentAges.Shape(isEven: false, tail: 0.5)
    #expect(abs(ages.paid(upTo: 16, longer) - 2 * 2.0.squareRoot().squareRoot()) < 1e-9)
    #expect(ages.paid(upTo: 24, longer) == ages.paid(upTo: 99, longer))
    let even = PaymentAges.Shape(isEven: true, tail: 0)
    #expect(
      ages.paid(upTo: 1, even) == 0.5 && ages.paid(upTo: 5, even) == 1.5 && ages.paid(upTo: 99, even) == 2)
    #expect(curve([(2, 1)]) == nil && curve([(2, 0), (7, 0)]) == nil)
  }

  @Test func `Payments of a day divide by the installs that made them`() throws {
    let ages = try #require(curve([(2, 1.0), (7, 1.5), (30, 2.0)]))
    let daily = ages.daily([.fading])[0]
    #expect(abs(daily.reduce(0, +) - ages.paid(upTo: 99)) < 1e-9 && daily.count == 90)
    // All payments of days 0 to 109, by install and age.
    func installs(_ day: Int) -> Double { day < 0 ? 0 : Double(10 + 7 * (day % 5)) }
    let asked = 10..<20
    var (within, truth) = (0.0, 0.0)
    for day in 0..<110 {
      var paid = 0.0
      for age in daily.indices {
        let amount = installs(day - age) * daily[age]
        paid += amount
        if asked.contains(day - age), age < 7 { truth += amount }
      }
      within +=
        paid
        * PaymentAges.shares(paidOn: day, installs: installs, daily: daily, horizon: 7) {
          asked.contains($0)
        }.within
    }
    #expect(abs(within - truth) < 1e-6 * truth)
    #expect(abs(truth - asked.reduce(0) { $0 + installs($1) } * 1.5) < 1e-6)
    // By few own users what they pay later is less certain.
    #expect(ages.relativeVariance(behind: 30) == 0 && ages.relativeVariance(behind: 2) > 0)
    let fewer = try #require(curve([(2, 1.0), (7, 1.5), (30, 2.0)], users: 10))
    #expect(fewer.relativeVariance(behind: 2) > 5 * ages.relativeVariance(behind: 2))
    // Five times the square of the mean, by the mean.
    #expect(ages.clump(upTo: 7) == 7.5 && ages.clump(behind: 30) == 0 && ages.clump(behind: 7) > 0)
  }
}
