import Ledger
import Postbacks
import Values

/// The share of withheld values of a campaign changed, or is too high.
struct NullShareCriteria: AlertCriteria {
  static let kind = AlertKind.nullShare
  static let scopes: [AlertScope.Part] = [.apps, .networks, .campaigns]

  var days = 3
  var baselineDays = 28
  var leastPostbacks = 200
  var leastChange = 0.1
  var level = 0.9999
  var highest: Double = 1

  static let parameters: [AlertParameter] = [
    .init("days", \Self.days, 1...14, "Number of recent days to compare, including today."),
    .init("baseline-days", \Self.baselineDays, 7...56, "Number of baseline days before them."),
    .init(
      "least-postbacks", \Self.leastPostbacks, 1...1_000_000_000,
      "Minimum number of postbacks in each period."),
    .init("least-change", \Self.leastChange, 0...1, "Minimum change of the share."),
    .init("level", \Self.level, 0.5...0.999999, "Confidence level of the interval of the change."),
    .init("highest", \Self.highest, 0...1, "Maximum share; 1: no limit."),
  ]

  static func measures(_ facts: AlertFacts, _ rules: AlertRules, _ now: Instant) -> [AlertMeasure] {
    var campaigns: [AlertScope: [FirstWindowDay]] = [:]
    for day in facts.days {
      let scope = AlertScope(app: day.app, network: day.network, campaign: day.campaign)
      campaigns[scope, default: []].append(day)
    }
    return campaigns.compactMap { scope, days in
      rules.rule(Self.self, scope).map { rule, criteria in criteria.measure(scope, days, rule, facts, now) }
    }
  }

  private func measure(
    _ scope: AlertScope, _ days: [FirstWindowDay], _ rule: AlertRule, _ facts: AlertFacts, _ now: Instant
  ) -> AlertMeasure {
    let first = now.day.before(Int32(self.days) - 1)
    let start = first.before(Int32(baselineDays))
    let recent = ShareSum(days.filter { $0.day >= first && $0.day <= now.day })
    let earlier = days.filter { $0.day >= start && $0.day < first }
    let before = ShareSum(earlier)
    let name = scope.name
    func found(
      _ standing: AlertMeasure.AlertStatus, _ bound: Double, _ sentence: Sentence
    ) -> AlertMeasure {
      AlertMeasure(
        rule, scope, standing, value: recent.share, bound: bound, unit: Sentence("share of nulls"),
        sentence,
        remedy: Sentence(
          "Examine the days around the change: Apple's threshold, the size of the campaign, or an app "
            + "version that no longer sets values. Postbacks do not distinguish these causes."),
        command: facts.command(
          "report nulls --by day",
          [
            ("--app", scope.app.map { "\($0.number)" }), ("--network", scope.network), ("--from", "\(start)"),
          ]))
    }
    let least = Double(leastPostbacks)
    let needed = Int64(least)
    guard recent.total >= least else {
      return found(
        .unknown, highest,
        Sentence(
          "\(name): \(grouped: Int64(recent.total)) postbacks since \(first), \(grouped: needed) are needed.")
      )
    }
    if highest < 1, recent.share > highest {
      return found(
        .beyond, highest,
        Sentence(
          "\(name): \(number: percent(recent.share)) of the values since \(first) are withheld, more than "
            + "\(number: percent(highest))."))
    }
    let isNearHighest =
      highest < 1 && AlertMeasure.AlertStatus(recent.share, above: highest) != .clear
    guard before.total >= least else {
      return found(
        isNearHighest ? .near : highest < 1 ? .clear : .unknown, highest,
        Sentence(
          "\(name): \(grouped: Int64(before.total)) postbacks before \(first), \(grouped: needed) are needed."
        ))
    }
    let change = ShareChange(
      from: before, to: recent, level: level, dispersion: ShareSum.dispersion(earlier))
    let limit = max(leastChange, change.reach)
    let difference = recent.share - before.share
    let bound = min(1, max(0, before.share + (difference < 0 ? -limit : limit)))
    let standing = AlertMeasure.AlertStatus(abs(difference), above: limit)
    let sentence = Sentence(
      "\(name): \(number: percent(recent.share)) of the values since \(first) are withheld, "
        + "\(number: percent(before.share)) in the \(baselineDays) days before; a change of up to "
        + "\(number: fixed(limit * 100, 1)) points is insignificant.")
    return found(standing == .clear && isNearHighest ? .near : standing, bound, sentence)
  }
}
