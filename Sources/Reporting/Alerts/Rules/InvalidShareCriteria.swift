import Ledger
import Values

/// Too many of the bodies that took one way are rejected.
struct InvalidShareCriteria: AlertCriteria {
  static let kind = AlertKind.invalidShare
  static let scopes: [AlertScope.Part] = [.origins]

  var hours = 24
  var leastBodies = 100
  var highest = 0.2

  static let parameters: [AlertParameter] = [
    .init("hours", \Self.hours, 1...336, "Number of hours to examine."),
    .init("least-bodies", \Self.leastBodies, 1...1_000_000_000, "Minimum number of bodies."),
    .init("highest", \Self.highest, 0...1, "Maximum share of rejected bodies."),
  ]

  static func measures(_ facts: AlertFacts, _ rules: AlertRules, _ now: Instant) -> [AlertMeasure] {
    var ways: [String: [ArrivalHour]] = [:]
    for hour in facts.arrivals { ways[hour.origin.text, default: []].append(hour) }
    return ways.compactMap { way, hours in
      let scope = AlertScope(origin: way)
      guard let (rule, criteria) = rules.rule(Self.self, scope) else { return nil }
      let first = now.hour - Int64(criteria.hours) + 1
      let recent = hours.filter { $0.hour >= first && $0.hour <= now.hour }
      let rejected = recent.reduce(0) { $0 + $1.count.rejected }
      let all = recent.reduce(rejected) { $0 + $1.count.valid }
      return AlertMeasure.share(
        of: rejected, in: all, least: criteria.leastBodies, rule, scope, bound: criteria.highest,
        unit: Sentence("share rejected"),
        Sentence(
          "\(scope.name): \(grouped: rejected) of \(grouped: all) bodies since "
            + "\(Instant(hour: first)) are rejected."),
        remedy: Sentence(
          "Ask the sender what changed; bodies without a valid signature are forged, cut or altered in "
            + "transit. The table `rejected` has the kept ones with their reasons."),
        command: facts.command("report campaigns", [("--from", "\(Instant(hour: first).day)")]))
    }
  }
}

extension Origin {
  /// The way in a few words, such as `forwarded acme`.
  fileprivate var text: String { name.isEmpty ? route.rawValue : "\(route.rawValue) \(name)" }
}
