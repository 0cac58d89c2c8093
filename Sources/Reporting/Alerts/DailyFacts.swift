import Arguments
package import Campaigns
import EstimateReports
import Estimates
import Ledger
import Postbacks
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
    /// The spend that it is of.
    let spend: Amount
    let currency: String
    /// What currency and days were asked for.
    var money = ReportingMoney()
    /// Whether installs or spend that the other side lacks are left out of it.
    var isOneSided = false
  }

  /// What decides the answer of a report on returns.
  struct ReturnQuestion: Hashable, Sendable {
    let days: Int
    /// Days since install; `nil` for those of the service.
    let horizon: Int?
  }

  /// What decides the answer of a report that compares days with those before them.
  struct BaselineQuestion: Hashable, Sendable {
    let days: Int
    let baselineDays: Int
  }

  /// The UTC day that the reports were asked on.
  package let day: Day
  private(set) var returns: [ReturnQuestion: [Return]] = [:]
  private(set) var arrivalChanges: [BaselineQuestion: [ArrivalChange]] = [:]
  private(set) var patterns: [BaselineQuestion: [JudgedPattern]] = [:]
  /// The last install day that returns are of.
  let lastReturnDay: Day

  /// Kinds of alerts whose report failed: their answers are those of an earlier day.
  private var failed: Set<AlertKind> = []
  /// Alerts of these kinds cannot be judged, because a report failed and no earlier answer holds for it.
  package private(set) var unknown: Set<AlertKind> = []
  /// Why the first report that failed did.
  package private(set) var failure: (any Error)?

  /// Asks what enabled rules need.
  ///
  /// - Parameter known: What was asked before: answers of this day hold, older ones where a report fails.
  package init(from source: ReportSource, rules: AlertRules, known: DailyFacts?) {
    let (reader, now) = (source.reader, source.now)
    day = now.day
    lastReturnDay = Self.lastReturnDay(now.day)
    func holds(_ kind: AlertKind) -> Bool {
      known.map { $0.day == now.day && !$0.failed.contains(kind) } ?? false
    }
    let last = lastReturnDay
    for question in Set(rules.all(ReturnCriteria.self).compactMap(\.question)) {
      let answer = answer(.returnBelowTarget, known?.returns[question], holds(.returnBelowTarget)) {
        try Self.returns(question, through: last, source)
      }
      returns[question] = answer
    }
    for question in Set(rules.all(LaterPostbacksCriteria.self).map(\.question)) {
      let answer = answer(.laterPostbacksLost, known?.arrivalChanges[question], holds(.laterPostbacksLost)) {
        try ArrivalChange.all(
          reader, days: question.days, baselineDays: question.baselineDays, now: now)
      }
      arrivalChanges[question] = answer
    }
    for question in Set(rules.all(UnearnedPatternCriteria.self).map(\.question)) {
      let answer = answer(.unearnedPattern, known?.patterns[question], holds(.unearnedPattern)) {
        JudgedPattern.worst(
          of: try JudgedPattern.all(
            reader, end: now.day, days: question.days, baselineDays: question.baselineDays, byCampaign: true))
      }
      patterns[question] = answer
    }
  }

  /// The answer that holds, or else that of a report.
  private mutating func answer<Answer>(
    _ kind: AlertKind, _ known: Answer?, _ holds: Bool, _ ask: () throws -> Answer
  ) -> Answer? {
    if holds, let known { return known }
    do {
      return try ask()
    } catch {
      failure = failure ?? error
      failed.insert(kind)
      if known == nil { unknown.insert(kind) }
      return known
    }
  }

  /// Facts that are known.
  init(
    on day: Day, returns: [ReturnQuestion: [Return]] = [:],
    arrivalChanges: [BaselineQuestion: [ArrivalChange]] = [:],
    patterns: [BaselineQuestion: [JudgedPattern]] = [:]
  ) {
    self.day = day
    self.returns = returns
    self.arrivalChanges = arrivalChanges
    self.patterns = patterns
    lastReturnDay = Self.lastReturnDay(day)
  }

  /// Of later installs postbacks are still to come.
  private static func lastReturnDay(_ day: Day) -> Day {
    Day(number: day.number - EstimateReport.daysToArrive - 1)
  }

  private static func returns(
    _ question: ReturnQuestion, through last: Day, _ source: ReportSource
  ) throws -> [Return] {
    var money = try ReportingMoney(ofService: source.reader, now: source.now)
    if let horizon = question.horizon { money.days = horizon }
    let report = EstimateReport(
      Day(number: last.next.number - Int32(question.days))..<last.next, Scope(), in: money)
    let answer: ReportAnswer<EstimateReport>
    do {
      answer = try report.answer(from: source)
    } catch is ParameterError {
      // No own users have so much history yet.
      return []
    }
    return answer.rows.compactMap { row in
      guard let value = row.returns?.number, let bounds = row.returnsInterval?.ends else { return nil }
      return Return(
        scope: AlertScope(app: row.app, network: row.network, campaign: row.digits), value: value,
        low: bounds.low.units, high: bounds.high.units, spend: row.comparedSpend,
        currency: row.currency?.text ?? "", money: money,
        isOneSided: row.flags.contains(.oneSided))
    }
  }
}
