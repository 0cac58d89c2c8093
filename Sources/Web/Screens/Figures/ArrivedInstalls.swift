import Campaigns
import EstimateReports
import Pages
import Postbacks
import Tables
import Values

/// Installs by day, estimated from the hours of arrival, and how many of them have arrived by now.
struct ArrivedInstalls: Sendable {
  /// The totals of the estimate, by currency and horizon.
  let totals: [EstimateReport.Row]?
  /// Campaigns by days, where they are too many for an estimate on a page.
  let unestimated: Int?
  private let days: [Day: InstallDayCounts.Arrived]

  /// Campaigns by days that a page estimates at most; more take longer than a page has.
  static let mostCampaignDays = 40_000

  /// Finds them: with an estimate where there are not too many campaigns for one.
  static func of(
    _ days: Range<Day>, _ scope: Scope, in currency: CurrencyCode?, from source: ReportSource
  ) throws -> Self {
    let counts = try InstallDayCounts(days, scope, from: source)
    guard counts.campaignDays <= mostCampaignDays else {
      return Self(totals: nil, unestimated: counts.campaignDays, days: counts.days)
    }
    let totals = try report(days, scope, in: currency).answer(from: source).rows(of: EstimateReport.totals)
    return Self(totals: totals, unestimated: nil, days: counts.days)
  }

  /// The report that the totals are taken from.
  static func report(
    _ days: Range<Day>, _ scope: Scope, in currency: CurrencyCode? = nil
  ) -> EstimateReport {
    var report = EstimateReport()
    report.currency = currency
    report.by = [.campaign, .day]
    report.scope = scope
    report.period.from = days.lowerBound
    report.period.to = days.upperBound
    return report
  }

  /// Winning first postbacks of installs of a day that have arrived; `nil` where nothing is estimated at all.
  func installs(on day: Day) -> Double? { days.isEmpty ? nil : days[day]?.installs ?? 0 }

  /// Those with what is still to come; `nil` where nothing is estimated, or too little has arrived.
  func expected(on day: Day) -> Double? { days[day]?.expected }

  /// The share of a day's first postbacks that is expected to have arrived: as estimated, or by the timers alone where
  /// that leaves no doubt.
  func completeness(of day: Day, today: Day) -> Double? {
    if let arrived = days[day] { return arrived.completeness }
    let span = Self.days(of: .first)
    if day.number + span.upperBound < today.number { return 1 }
    return day.number + span.lowerBound > today.number ? 0 : nil
  }

  /// Days after the install on which postbacks of a window can arrive, from SKAdNetwork 4 on.
  static func days(of window: ConversionWindow) -> ClosedRange<Int32> {
    let finality = AppleTimers.finality(version: .v4_0, window: window)
    let departure = AppleTimers.departure(version: .v4_0, window: window)
    // The last second of a day's installs counts for its end; a lock can make the first ones earlier.
    let first = (finality.lowerBound + departure.lowerBound) / Day.seconds
    let last = (finality.upperBound + departure.upperBound) / Day.seconds + 1
    return Int32(first)...Int32(last)
  }
}
