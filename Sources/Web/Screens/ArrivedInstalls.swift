import Pages
import Postbacks
import Reporting
import Tables
import Values

/// Installs by day, estimated from the hours of arrival, and how many of them have arrived by now.
struct ArrivedInstalls: Sendable {
  /// The totals of the estimate, by currency and horizon.
  let totals: Table?
  /// Campaigns by days, where they are too many for an estimate on a page.
  let unestimated: Int?
  private let installs: [String: Double]
  private let completeness: [String: Double]

  /// Takes them from a report of estimates by day.
  ///
  /// It has a row for each campaign and date, and for each currency and horizon of a campaign.
  init(_ answer: ReportAnswer) {
    var (installs, completeness): ([String: Double], [String: Double]) = ([:], [:])
    for row in answer.rows.named {
      guard let day = row.text("install-date") else { continue }
      installs[day, default: 0] += row["installs"].number ?? 0
      completeness[day] = row["completeness"].number
    }
    (self.installs, self.completeness) = (installs, completeness)
    totals = answer.detail("totals")
    unestimated = nil
  }

  /// Takes them from counts, without an estimate.
  init(_ counts: InstallDayCounts) {
    func texts(_ days: [Day: Double]) -> [String: Double] {
      Dictionary(uniqueKeysWithValues: days.map { ($0.key.description, $0.value) })
    }
    (installs, completeness) = (texts(counts.installs), texts(counts.completeness))
    (totals, unestimated) = (nil, counts.campaignDays)
  }

  /// Campaigns by days that a page estimates at most; more take longer than a page has.
  static let mostCampaignDays = 40_000

  /// Finds them: with an estimate where there are not too many campaigns for one.
  static func of(_ days: Range<Day>, _ scope: Scope, from source: ReportSource) throws -> Self {
    let counts = try InstallDayCounts(days, scope, from: source)
    guard counts.campaignDays <= mostCampaignDays else { return Self(counts) }
    return Self(try report(days, scope).answer(from: source))
  }

  /// The report that they are taken from.
  static func report(_ days: Range<Day>, _ scope: Scope) -> EstimateReport {
    var report = EstimateReport()
    report.breakdown = .day
    report.scope = scope
    report.period.from = days.lowerBound
    report.period.to = days.upperBound
    return report
  }

  /// Winning first postbacks of installs of a day that have arrived; `nil` where nothing is estimated at all.
  func installs(on day: Day) -> Double? { installs.isEmpty ? nil : installs[day.description] ?? 0 }

  /// The share of a day's first postbacks that is expected to have arrived: as estimated, or by the timers alone where
  /// that leaves no doubt.
  func completeness(of day: Day, today: Day) -> Double? {
    if let share = completeness[day.description] { return share }
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
