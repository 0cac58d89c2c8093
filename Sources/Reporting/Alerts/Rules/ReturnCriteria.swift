import EstimateReports
import Postbacks
import Values

/// A campaign's return on spend is surely below what it should reach.
struct ReturnCriteria: AlertCriteria {
  static let kind = AlertKind.returnBelowTarget
  static let scopes: [AlertScope.Part] = [.apps, .networks, .campaigns]

  var target: Double = 0
  var days = 28
  var horizon = 0
  var leastSpend: Double = 0

  static let parameters: [AlertParameter] = [
    .init("target", \Self.target, 0...1000, "Return on spend that campaigns should reach; 0: none is set."),
    .init("days", \Self.days, 7...365, "Number of install days to judge, up to six days ago."),
    .init(
      "horizon", \Self.horizon, 0...3650,
      "Days since install whose revenue counts; 0: those of the service."),
    .init(
      "least-spend", \Self.leastSpend, 0...1_000_000_000_000,
      "Minimum spend on these days, in the currency of the service."),
  ]

  /// What has to be asked; `nil` without a target.
  var question: DailyFacts.ReturnQuestion? {
    target > 0 ? .init(days: days, horizon: horizon > 0 ? horizon : nil) : nil
  }

  static func measures(_ facts: AlertFacts, _ rules: AlertRules, _ now: Instant) -> [AlertMeasure] {
    guard let daily = facts.daily else { return [] }
    var found: [AlertMeasure] = []
    for (question, returns) in daily.returns {
      for campaign in returns {
        guard let (rule, criteria) = rules.rule(Self.self, campaign.scope), criteria.question == question
        else {
          continue
        }
        found.append(criteria.measure(campaign, rule, daily, facts))
      }
    }
    return found
  }

  private func measure(
    _ campaign: DailyFacts.Return, _ rule: AlertRule, _ daily: DailyFacts, _ facts: AlertFacts
  ) -> AlertMeasure {
    let first = Day(number: daily.lastReturnDay.next.number - Int32(days))
    let standing: AlertMeasure.AlertStatus =
      Double(campaign.spend.micros) / 1e6 < leastSpend
      ? .unknown : campaign.high < target ? .beyond : campaign.low >= target ? .clear : .near
    let (name, last, wanted) = (campaign.scope.name, daily.lastReturnDay, fixed(target, 2))
    let (value, low, high) = (fixed(campaign.value, 2), fixed(campaign.low, 2), fixed(campaign.high, 2))
    let sentence =
      campaign.isOneSided
      ? Sentence(
        "\(name): the return of installs from \(first) through \(last) is \(number: value), 90 % interval "
          + "\(number: low) to \(number: high), of \(number: wanted) wanted; spend \(campaign.spend) "
          + "\(name: campaign.currency), without days that lack spend or installs.")
      : Sentence(
        "\(name): the return of installs from \(first) through \(last) is \(number: value), 90 % interval "
          + "\(number: low) to \(number: high), of \(number: wanted) wanted; spend \(campaign.spend) "
          + "\(name: campaign.currency).")
    return AlertMeasure(
      rule, campaign.scope, standing, value: campaign.value, bound: target, unit: Sentence("return on spend"),
      sentence,
      remedy: Sentence("Lower the campaign's bid or budget, or set a target that fits the horizon."),
      command: facts.command(
        "report estimates",
        [
          ("--app", campaign.scope.app.map { "\($0.number)" }), ("--network", campaign.scope.network),
          ("--from", "\(first)"), ("--to", "\(daily.lastReturnDay.next)"), ("--target", fixed(target, 4)),
          ("--currency", campaign.money.currency?.text),
          ("--horizon", campaign.money.days.map { "\($0)" }),
        ]))
  }
}
