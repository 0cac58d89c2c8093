import Postbacks
import Values

/// Fine values come that no version of the app's mapping knows.
struct UnmappedValuesCriteria: AlertCriteria {
  static let kind = AlertKind.unmappedValues
  static let scopes: [AlertScope.Part] = [.apps, .networks]

  var days = 3
  var leastPostbacks = 50
  var highest = 0.02

  static let parameters: [AlertParameter] = [
    .init("days", \Self.days, 1...14, "Number of days to examine, including today."),
    .init(
      "least-postbacks", \Self.leastPostbacks, 1...1_000_000_000,
      "Minimum number of postbacks with a fine value."),
    .init("highest", \Self.highest, 0...1, "Maximum share of unmapped values."),
  ]

  static func measures(_ facts: AlertFacts, _ rules: AlertRules, _ now: Instant) -> [AlertMeasure] {
    var scopes: [AlertScope: [AlertFacts.ValueDay]] = [:]
    for day in facts.values {
      scopes[AlertScope(app: day.app, network: day.network), default: []].append(day)
    }
    return scopes.compactMap { scope, days in
      guard let (rule, criteria) = rules.rule(Self.self, scope) else { return nil }
      let first = now.day.before(Int32(criteria.days) - 1)
      let recent = days.filter { $0.day >= first && $0.day <= now.day }
      let unmapped = recent.reduce(0) { $0 + $1.unmapped }
      let all = recent.reduce(0) { $0 + $1.postbacks }
      return AlertMeasure.share(
        of: unmapped, in: all, least: criteria.leastPostbacks, rule, scope, bound: criteria.highest,
        unit: Sentence("share unmapped"),
        Sentence(
          "\(scope.name): \(grouped: unmapped) of \(grouped: all) fine values since \(first) are unmapped."),
        remedy: Sentence(
          "Check for another SDK that sets conversion values, or load the mapping that the app uses."),
        command: facts.command(
          "report nulls --by day",
          [
            ("--app", scope.app.map { "\($0.number)" }), ("--network", scope.network), ("--from", "\(first)"),
          ]))
    }
  }
}
