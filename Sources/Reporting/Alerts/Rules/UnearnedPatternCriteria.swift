import Estimates
import Postbacks
import EstimateReports
import Values

/// A campaign's signed installs do not look earned.
struct UnearnedPatternCriteria: AlertCriteria {
  static let kind = AlertKind.unearnedPattern
  static let scopes: [AlertScope.Part] = [.apps, .networks, .campaigns]

  var days = PatternReport.usualDays
  var baselineDays = PatternReport.usualBaselineDays

  static let parameters: [AlertParameter] = [
    .init("days", \Self.days, 14...90, "Number of days of arrival to judge."),
    .init(
      "baseline-days", \Self.baselineDays, 28...365, "Number of days before them to compare them with."),
  ]

  var question: DailyFacts.BaselineQuestion { .init(days: days, baselineDays: baselineDays) }

  static func measures(_ facts: AlertFacts, _ rules: AlertRules, _ now: Instant) -> [AlertMeasure] {
    guard let daily = facts.daily else { return [] }
    var found: [AlertMeasure] = []
    for (question, patterns) in daily.patterns {
      for pattern in patterns {
        let scope = AlertScope(
          app: pattern.app, network: pattern.finding.network, campaign: pattern.finding.campaign)
        guard let (rule, criteria) = rules.rule(Self.self, scope), criteria.question == question else {
          continue
        }
        found.append(criteria.measure(pattern, scope, rule, facts))
      }
    }
    return found
  }

  private func measure(
    _ pattern: JudgedPattern, _ scope: AlertScope, _ rule: AlertRule, _ facts: AlertFacts
  ) -> AlertMeasure {
    let (bound, value) = (PatternFinding.level, pattern.finding.corrected)
    let standing: AlertMeasure.AlertStatus =
      pattern.finding.isUnusual ? .beyond : value <= bound * Self.slack ? .near : .clear
    let (first, last) = (pattern.days.lowerBound, Day(number: pattern.days.upperBound.number - 1))
    return AlertMeasure(
      rule, scope, standing, value: value, bound: bound, unit: Sentence("corrected p, fires at or below"),
      Sentence(
        "\(scope.name): by \(code: pattern.finding.test.rawValue) from \(first) through \(last), "
          + "\(pattern.sentence)."),
      remedy: Sentence(
        "Send the network the evidence and ask how it won these installs; a pattern is no proof."),
      command: facts.command(
        "report patterns",
        [
          ("--app", scope.app.map { "\($0.number)" }), ("--network", scope.network),
          ("--to", "\(pattern.days.upperBound)"), ("--days", "\(days)"),
          ("--baseline-days", "\(baselineDays)"),
        ]))
  }

  /// How many times the bound a probability has to be before an alert ends.
  private static let slack = 5.0
}
