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
  private let areApart: Bool
  /// The times that distinguish rows.
  private let dates: [EstimateDimension]

  init(_ report: EstimateReport) {
    (from, to) = (report.period.from, report.period.to)
    if case .threshold = report.estimator { areInWeeks = true } else { areInWeeks = false }
    areApart =
      report.by.contains(.day) || !report.by.ofNames.isEmpty
      || (report.currency != nil && report.event == nil)
    dates = [EstimateDimension.week, .month].filter { report.by.contains($0) }
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
