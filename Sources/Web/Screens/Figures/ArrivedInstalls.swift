import Campaigns
import EstimateReports
import Pages
import Postbacks
import Tables
import Values

/// Installs by day, estimated from the hours of arrival, and how many of them have arrived by now.
struct ArrivedInstalls: Sendable {
  private let days: [Day: InstallDayCounts.Arrived]

  init(_ days: Range<Day>, _ scope: Scope, from source: ReportSource) throws {
    self.days = try InstallDayCounts.of(days, scope, from: source).days
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
