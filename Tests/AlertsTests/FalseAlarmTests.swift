@testable import Alerts
import Estimates
import Ledger
import Numerics
import PostbackFixtures
import Testing
import Values

/// How often the statistical rules give false alarms, on simulated streams in which nothing happens.
struct `False alarms` {
  /// Draws the hours in which something comes, for that many days.
  private func hours(_ days: Int64, perDay: Double, isDiurnal: Bool, _ random: inout SplitMix64) -> [Int64] {
    (0..<(days * 24)).filter { hour in
      // At night a tenth of the day's rate, at the weekend half.
      let weight =
        isDiurnal ? (hour % 24 < 8 ? 0.14 : 1.43) * ((hour / 24) % 7 < 5 ? 1.17 : 0.58) : 1
      return random.poisson(perDay / 24 * weight) > 0
    }
  }

  @Test(arguments: [
    (0.8, false), (3.0, false), (3.0, true), (20.0, false), (20.0, true), (200.0, true),
  ])
  func `The silence of a network raises false alarms as rarely as the rule states`(
    perDay: Double, isDiurnal: Bool
  ) {
    var random = SplitMix64(seed: 20_261_121)
    let criteria = SilenceCriteria()
    var alarms = 0
    for _ in 0..<300 {
      let active = hours(28 + 30, perDay: perDay, isDiurnal: isDiurnal, &random)
      // Just before each arrival of the quiet month the silence is longest.
      var isFiring = false
      for (index, next) in active.enumerated() where next >= 28 * 24 && index > 0 {
        // Shorter ones are never reported.
        guard next - active[index - 1] > Int64(criteria.leastHours) else {
          isFiring = false
          continue
        }
        let silence = Silence(Array(active[..<index]), now: next, criteria)
        let fires = silence.map { Double($0.hours) > $0.bound && $0.activeDays >= 14 } ?? false
        if fires && !isFiring { alarms += 1 }
        isFiring = fires
      }
    }
    // A tenth in a year makes 2.5 in 300 months; gaps are known from one month only.
    #expect(alarms <= 6, "\(alarms) false alarms in 300 months")
  }

  @Test(arguments: [
    (100, 0.3, 0.0), (400, 0.3, 0.0), (400, 0.3, 0.05), (2000, 0.6, 0.08), (2000, 0.02, 0.01),
  ])
  func `The share of nulls raises a false alarm in fewer than one of a hundred quiet months`(
    daily: Int, share: Double, spread: Double
  ) {
    var random = SplitMix64(seed: 7)
    var alarms = 0
    for _ in 0..<300 {
      var facts = nothing()
      for back in 0..<Int32(31 + 30) {
        let size = max(1, random.poisson(Double(daily)))
        // Days differ by themselves: a beta law of that standard deviation.
        let strength = spread > 0 ? share * (1 - share) / (spread * spread) - 1 : 0
        let ofDay = spread > 0 ? random.beta(share * strength, (1 - share) * strength) : share
        facts.days.append(day(back, postbacks: Int64(size), nulls: Int64(random.binomial(size, ofDay))))
      }
      var isFiring = false
      for back in (0..<Int64(30)).reversed() {
        let now = noon + -back * 86_400_000
        let fires = found(.nullShare, facts, at: now)?.standing == .beyond
        if fires && !isFiring { alarms += 1 }
        isFiring = fires
      }
    }
    #expect(alarms <= 3, "\(alarms) false alarms in 300 months")
  }

  @Test func `A jump of the privacy threshold raises an alert within three days`() {
    var random = SplitMix64(seed: 9)
    for _ in 0..<50 {
      var facts = nothing()
      for back in 0..<Int32(31) {
        facts.days.append(
          day(back, postbacks: 150, nulls: Int64(random.binomial(150, back < 2 ? 0.8 : 0.4))))
      }
      #expect(found(.nullShare, facts)?.standing == .beyond)
    }
  }
}
