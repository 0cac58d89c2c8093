import EstimateReports
import Tables
import Values

/// What each install day cost and earned, in one currency and up to one horizon.
struct MoneyByDay {
  let days: [Day]
  /// The currency of the amounts.
  let currency: String?
  /// The first of the last days of which not all postbacks are here; `nil` where all are.
  let firstOpen: Int?
  /// What was paid on days without installs, which have no row; `nil` where days can have it of another horizon or currency.
  let spendElsewhere: Amount?
  private let rows: [Day: EstimateReport.Row]

  /// Days of which less than this share of the postbacks has arrived are open.
  private static let arrivedShare = 0.95

  /// - Parameters:
  ///   - rows: Estimates by install day, of which those of the line's currency and horizon count.
  ///   - today: The day of the estimates.
  init(_ line: Headline.Line, _ rows: [EstimateReport.Row], _ days: [Day], today: Day) {
    self.days = days
    currency = line.now.currency?.text
    let own = rows.filter { $0.currency == line.now.currency && $0.horizon == line.now.horizon }
    let byDay = Dictionary(
      own.compactMap { row in row.day.map { ($0, row) } }, uniquingKeysWith: { first, _ in first })
    self.rows = byDay
    let shown = own.reduce(Amount.zero) { $0.adding($1.spend ?? .zero).sum }
    spendElsewhere = own.count == rows.count ? (line.now.spend ?? .zero).subtracting(shown) : nil
    let last = days.lastIndex { day in
      let isOld = day.number + EstimateReport.daysToArrive <= today.number
      return byDay[day]?.arrived?.number.map { $0 >= Self.arrivedShare } ?? isOld
    }
    let first = last.map { $0 + 1 } ?? 0
    firstOpen = first < days.count ? first : nil
  }

  /// A figure of each day; nothing for open days without postbacks, and 0 for others without any.
  private func each(_ figure: (EstimateReport.Row) -> Double?) -> [Double?] {
    days.enumerated().map { place, day in
      rows[day].map(figure) ?? (place >= firstOpen ?? .max ? nil : 0)
    }
  }

  var spend: [Double?] {
    // A day has the spend of its first horizon alone.
    days.map { day in rows[day].map { $0.spend?.units ?? 0 } }
  }
  var hasSpend: Bool { rows.values.contains { $0.spend ?? .zero > .zero } }
  var revenue: [Double?] { each { $0.estimatedRevenue?.units } }
  /// Whether days have intervals, and not draws of very many campaigns for each.
  var hasIntervals: Bool { rows.values.allSatisfy(\.isIntervalCheap) }
  var low: [Double?] { each { $0.estimatedRevenueInterval?.ends?.low.units } }
  var high: [Double?] { each { $0.estimatedRevenueInterval?.ends?.high.units } }
  var installs: [Double?] { each(\.installs) }

  subscript(day: Day) -> EstimateReport.Row? { rows[day] }
}
