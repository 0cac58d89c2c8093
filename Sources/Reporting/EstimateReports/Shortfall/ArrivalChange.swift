package import Campaigns
import Estimates
package import Ledger
import MeasuredUsers
package import Postbacks
package import Values

/// How many postbacks of a later window arrive of a network's latest installs, beside those of earlier ones.
package struct ArrivalChange: Sendable {
  package let app: AppID
  package let network: String
  package let window: ConversionWindow
  /// The latest install days of which nearly all should have arrived.
  package let recentDays: Range<Day>
  /// Postbacks expected of these days at the rate of the days before, and those that arrived.
  package let expected: Double
  package let seen: Double
  /// By how many standard errors fewer arrived than expected; below 0 where more did.
  package let standardErrors: Double

  /// The share of an install day's postbacks that should have arrived before it is judged.
  private static let leastArrived = 0.95

  /// Compares the latest installs of each network with those before.
  ///
  /// The rate is arrivals by expected updates, so that what is wrong with the expectation is wrong on both sides. Its
  /// variance is what weeks differ by, and at least that of chance.
  ///
  /// - Parameters:
  ///   - days: The install days to judge.
  ///   - baselineDays: The install days before them.
  package static func all(
    _ reader: LedgerReader, _ scope: Scope = Scope(), days: Int, baselineDays: Int, now: Instant
  ) throws(LedgerError) -> [ArrivalChange] {
    // Window 3 arrives up to 41 days after the install, and days before the baseline share what arrives with its first ones.
    let back = Int32(days + baselineDays + CohortReport.daysToArrive(.third).upperBound + 14)
    let windows = try LaterWindows(
      reader, scope, byCampaign: false, from: Day(number: now.day.number - back), now: now)
    return ConversionWindow.later.flatMap { window in
      windows.days(window).compactMap { network, installs in
        change(
          network, window, installs, days, baselineDays,
          last: windows.lastInstall(arrived: leastArrived, window))
      }
    }
  }

  static func change(
    _ network: LaterWindows.Campaign, _ window: ConversionWindow, _ installs: [LaterWindows.DayShortfall],
    _ days: Int, _ baselineDays: Int, last: Day
  ) -> ArrivalChange? {
    let first = Day(number: last.number - Int32(days) + 1)
    let start = Day(number: first.number - Int32(baselineDays))
    let before = installs.filter { $0.install >= start && $0.install < first }
    let (now, then) = (sum(installs.filter { $0.install >= first && $0.install <= last }), sum(before))
    guard now.expected > 0, then.expected > 0, then.seen > 0 else { return nil }
    let rate = then.seen / then.expected
    let weeks = Dictionary(grouping: before) { $0.install.monday }.sorted { $0.key < $1.key }
    let dispersion = LaterWindowShortfall.dispersion([weeks.map { sum($0.value) }])
    let variance =
      dispersion * rate
      * (now.chanceVariance + then.chanceVariance * (now.expected / then.expected)
        * (now.expected / then.expected))
    return ArrivalChange(
      app: network.app, network: network.network, window: window, recentDays: first..<last.next,
      expected: rate * now.expected, seen: now.seen,
      standardErrors: variance > 0 ? (rate * now.expected - now.seen) / variance.squareRoot() : 0)
  }

  /// Adds days up; where own users show nothing of updates, installs with a value stand for them.
  private static func sum(_ days: some Sequence<LaterWindows.DayShortfall>) -> LaterWindowShortfall {
    days.reduce(into: LaterWindowShortfall()) { sum, day in
      var shortfall = day.shortfall
      if day.basis != .ownUsers {
        shortfall.expected = (shortfall.installs - shortfall.belowThreshold) * day.arrived
        shortfall.chanceVariance = shortfall.expected
      }
      sum.merge(shortfall)
    }
  }
}
