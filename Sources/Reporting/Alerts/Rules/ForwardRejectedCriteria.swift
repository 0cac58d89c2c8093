import Ledger
import Values

/// A network that is known forwards what is rejected.
///
/// The share of rejected bodies has a rule of its own; here the first one counts, because a network that forwards in a wrong
/// form loses every postback and hears nothing of it.
struct ForwardRejectedCriteria: AlertCriteria {
  static let kind = AlertKind.forwardRejected
  static let scopes: [AlertScope.Part] = [.origins]

  var hours = 24
  var most = 0

  static let parameters: [AlertParameter] = [
    .init("hours", \Self.hours, 1...336, "Number of hours to examine."),
    .init("most", \Self.most, 0...1_000_000_000_000, "Maximum number of rejected bodies."),
  ]

  static func measures(_ facts: AlertFacts, _ rules: AlertRules, _ now: Instant) -> [AlertMeasure] {
    var networks: [String: [ArrivalHour]] = [:]
    for hour in facts.arrivals where hour.origin.route == .forwarded {
      networks[hour.origin.name, default: []].append(hour)
    }
    return networks.compactMap { network, hours in
      let scope = AlertScope(origin: "forwarded \(network)")
      guard let (rule, criteria) = rules.rule(Self.self, scope) else { return nil }
      let first = now.hour - Int64(criteria.hours) + 1
      let recent = hours.filter { $0.hour >= first && $0.hour <= now.hour }
      let rejected = recent.reduce(0) { $0 + $1.count.rejected }
      let all = recent.reduce(rejected) { $0 + $1.count.valid }
      let day = Instant(hour: first).day
      let reason = facts.forwardReason(of: network)
      return AlertMeasure(
        rule, scope, rejected > criteria.most ? .beyond : .clear, value: Double(rejected),
        bound: Double(criteria.most), unit: Sentence("bodies rejected"),
        Sentence(
          "\(scope.name): \(grouped: rejected) of \(grouped: all) forwarded bodies since "
            + "\(Instant(hour: first)) are rejected, most of them as \(code: reason ?? "unknown")."),
        remedy: Sentence(
          "Read one of them with `skan network try`; the network's profile may be another one, or its form has "
            + "changed. The table `rejected` has the kept ones."),
        command: facts.command("report crosscheck", [("--from", "\(day)")]))
    }
  }
}

extension AlertFacts {
  /// The reason that most rejected bodies of a network have.
  fileprivate func forwardReason(of network: String) -> String? {
    rejectedForwards.filter { $0.name == network }.max { ($0.seen, $1.reason) < ($1.seen, $0.reason) }?.reason
  }
}
