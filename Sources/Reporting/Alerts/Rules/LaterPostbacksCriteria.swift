import Postbacks
import EstimateReports
import Values

/// Fewer postbacks of windows 2 or 3 arrive of a network than its installs before let expect.
struct LaterPostbacksCriteria: AlertCriteria {
  static let kind = AlertKind.laterPostbacksLost
  static let scopes: [AlertScope.Part] = [.apps, .networks]

  var days = 14
  var baselineDays = 42
  var leastExpected = 100
  var leastChange = 0.1
  var standardErrors = 4.0

  static let parameters: [AlertParameter] = [
    .init(
      "days", \Self.days, 3...60,
      "Number of install days to examine, of which nearly all should have arrived."),
    .init("baseline-days", \Self.baselineDays, 14...180, "Number of install days before them."),
    .init(
      "least-expected", \Self.leastExpected, 1...1_000_000_000,
      "Minimum number of postbacks of a window that are expected."),
    .init("least-change", \Self.leastChange, 0...1, "Minimum share of the expected ones that is missing."),
    .init(
      "standard-errors", \Self.standardErrors, 1...20, "By how many standard errors fewer have to arrive."),
  ]

  var question: DailyFacts.BaselineQuestion { .init(days: days, baselineDays: baselineDays) }

  static func measures(_ facts: AlertFacts, _ rules: AlertRules, _ now: Instant) -> [AlertMeasure] {
    guard let daily = facts.daily else { return [] }
    var worst: [AlertScope: AlertMeasure] = [:]
    for (question, changes) in daily.arrivalChanges {
      for change in changes {
        let scope = AlertScope(app: change.app, network: change.network)
        guard let (rule, criteria) = rules.rule(Self.self, scope), criteria.question == question else {
          continue
        }
        let measure = criteria.measure(change, scope, rule, facts)
        guard let before = worst[scope], !measure.isWorse(than: before) else {
          worst[scope] = measure
          continue
        }
      }
    }
    return Array(worst.values)
  }

  private func measure(
    _ change: ArrivalChange, _ scope: AlertScope, _ rule: AlertRule, _ facts: AlertFacts
  ) -> AlertMeasure {
    let share = change.expected > 0 ? 1 - change.seen / change.expected : 0
    let isClear = share <= leastChange * (1 - AlertMeasure.AlertStatus.slack) || change.standardErrors < 1
    let standing: AlertMeasure.AlertStatus =
      change.expected < Double(leastExpected)
      ? .unknown
      : share > leastChange && change.standardErrors > standardErrors ? .beyond : isClear ? .clear : .near
    let (first, last) = (change.recentDays.lowerBound, Day(number: change.recentDays.upperBound.number - 1))
    return AlertMeasure(
      rule, scope, standing, value: share, bound: leastChange, unit: Sentence("share missing"),
      Sentence(
        "\(scope.name): \(grouped: Int64(nearest: change.seen)) postbacks of window \(change.window.rawValue + 1) "
          + "arrived of installs from \(first) through \(last); by the \(baselineDays) days before, "
          + "\(grouped: Int64(nearest: change.expected)) are expected."),
      remedy: Sentence(
        "Ask the network whether it forwards windows 2 and 3, and check that the app still updates values in them."
      ),
      command: facts.command(
        "report shortfall --by week",
        [
          ("--app", scope.app.map { "\($0.number)" }), ("--network", scope.network),
          ("--from", "\(Day(number: first.number - Int32(baselineDays)))"),
        ]))
  }
}

extension AlertMeasure {
  /// Whether it matters more than another one of the same scope.
  fileprivate func isWorse(than other: Self) -> Bool {
    let order: [AlertStatus] = [.unknown, .clear, .near, .beyond]
    let (own, others) = (order.firstIndex(of: standing) ?? 0, order.firstIndex(of: other.standing) ?? 0)
    return (own, value) > (others, other.value)
  }
}
