import Campaigns
import Estimates
import Values

/// Which days of install are one cell where there are very many: all that are in the same rows at the same rate of exchange.
struct CellDays: Hashable, Sendable {
  private let from: Day?
  private let to: Day?
  /// Whether groups of the estimator are weeks.
  private let areInWeeks: Bool
  /// Whether each day is a cell, because names and rates can be others on each.
  let areApart: Bool
  /// The times that distinguish rows.
  private let dates: [EstimateDimension]

  init(_ report: EstimateReport) {
    (from, to) = (report.period.from, report.period.to)
    if case .threshold = report.estimator { areInWeeks = true } else { areInWeeks = false }
    areApart =
      report.by.contains(.day) || !report.by.ofNames.isEmpty
      || (report.currency != nil && report.event == nil)
    dates = areApart ? [] : [EstimateDimension.week, .month].filter { report.by.contains($0) }
  }

  /// Whether a day is asked for.
  func has(_ day: Day) -> Bool { from.map { $0 <= day } ?? true && to.map { day < $0 } ?? true }

  /// The days on which postbacks of the days can arrive.
  ///
  /// - Parameter longest: The longest time from an install to the arrival, in hours.
  func arrivals(longest: Double) -> (from: Day?, to: Day?) {
    // A clock can be a day off UTC, and the middle of a delay stands for what no delay explains.
    let hours = Int(nearest: longest)
    let days = Int32(clamping: hours / 24 + 3)
    return (
      from.map { Day(number: $0.number - 1) }, to.map { Day(number: $0.number + days) }
    )
  }

  /// The day whose cell a day of install counts in.
  func first(togetherWith day: Day) -> Day {
    var first = Day(number: .min)
    var last = Day(number: .max)
    if areInWeeks {
      first = day.monday
      last = Day(number: first.number + 6)
    }
    if let from, day < from { return min(last, Day(number: from.number - 1)) }
    if let to, day >= to { return max(first, to) }
    if areApart { return day }
    if let start = EstimateGroup.first(of: day, by: dates) { return max(first, from ?? start, start) }
    if let from { return max(first, from) }
    if let to { return min(last, Day(number: to.number - 1)) }
    return max(first, Day(number: 0))
  }
}
