import Arguments
package import Ledger
import Postbacks
import Reporting
import Tables
package import Values

/// What alerts are judged by that takes a report: asked once a day, because a report reads all postbacks.
package struct DailyFacts: Sendable {
  /// The return of a campaign, with what a verdict on it needs.
  struct Return: Sendable {
    let scope: AlertScope
    /// The estimate and its 90 % interval, as revenue by spend.
    let value: Double
    let low: Double
    let high: Double
    let spend: Amount
    let currency: String
  }

  /// What decides the answer of a report on returns.
  struct ReturnQuestion: Hashable, Sendable {
    let days: Int
    /// Days since install; `nil` for the hours that values count.
    let horizon: Int?
  }

  struct ArrivalQuestion: Hashable, Sendable {
    let days: Int
    let baselineDays: Int
  }

  struct PatternQuestion: Hashable, Sendable {
    let days: Int
    let baselineDays: Int
  }

  /// The UTC day that the reports were asked on.
  package let day: Day
  private(set) var returns: [ReturnQuestion: [Return]] = [:]
  private(set) var arrivals: [ArrivalQuestion: [ArrivalChange]] = [:]
  private(set) var patterns: [PatternQuestion: [JudgedPattern]] = [:]
  /// The last install day that returns are of.
  let lastReturnDay: Day

  /// Asks what enabled rules need.
  ///
  /// - Parameter known: What was asked before, which holds for its day.
  /// - Throws: What the reports throw, but for a horizon without own users, which leaves no figure.
  package init(
    from reader: LedgerReader, rules: AlertRules, now: Instant, known: DailyFacts?
  ) throws {
    day = now.day
    lastReturnDay = Self.lastReturnDay(now.day)
    let before = known.flatMap { $0.day == now.day ? $0 : nil }
    for question in Set(rules.all(ReturnCriteria.self).compactMap(\.question)) {
      returns[question] = try before?.returns[question] ?? returns(question, reader, now)
    }
    for question in Set(rules.all(LaterPostbacksCriteria.self).map(\.question)) {
      arrivals[question] =
        try before?.arrivals[question]
        ?? ArrivalChange.all(
          reader, days: question.days, baselineDays: question.baselineDays, now: now)
    }
    for question in Set(rules.all(UnearnedPatternCriteria.self).map(\.question)) {
      patterns[question] =
        try before?.patterns[question]
        ?? JudgedPattern.worst(
          of: JudgedPattern.all(
            reader, end: now.day, days: question.days, baselineDays: question.baselineDays, byCampaign: true))
    }
  }

  /// Facts that are known.
  init(
    on day: Day, returns: [ReturnQuestion: [Return]] = [:],
    arrivals: [ArrivalQuestion: [ArrivalChange]] = [:], patterns: [PatternQuestion: [JudgedPattern]] = [:]
  ) {
    self.day = day
    self.returns = returns
    self.arrivals = arrivals
    self.patterns = patterns
    lastReturnDay = Self.lastReturnDay(day)
  }

  /// Of later installs postbacks are still to come.
  private static func lastReturnDay(_ day: Day) -> Day {
    Day(number: day.number - EstimateReport.daysToArrive - 1)
  }

  private func returns(
    _ question: ReturnQuestion, _ reader: LedgerReader, _ now: Instant
  ) throws -> [Return] {
    var report = EstimateReport()
    report.period.to = lastReturnDay.next
    report.period.from = Day(number: lastReturnDay.next.number - Int32(question.days))
    report.days = question.horizon
    let answer: ReportAnswer
    do {
      answer = try report.answer(from: ReportSource(reader: reader, now: now))
    } catch is ParameterError {
      // No own users have so much history yet.
      return []
    }
    let names = answer.rows.headers.map(\.name).filter {
      $0.hasPrefix("estimated-roas-") && !$0.hasSuffix(".range")
    }
    return answer.rows.named.compactMap { row in
      for name in names {
        guard let value = row[name].number, let bounds = row["\(name).range"].bounds else { continue }
        return Return(
          scope: AlertScope(
            app: row.text("app").flatMap { AppID(parameter: $0) }, network: row.text("network"),
            campaign: row.text("campaign")),
          value: value, low: Double(bounds.low) / 1e6, high: Double(bounds.high) / 1e6,
          spend: Amount(micros: row["spend"].micros ?? 0), currency: row.text("currency") ?? "")
      }
      return nil
    }
  }
}
