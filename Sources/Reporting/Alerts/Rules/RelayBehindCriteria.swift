import Values

/// A relay has not passed postbacks on for long.
struct RelayBehindCriteria: AlertCriteria {
  static let kind = AlertKind.relayBehind

  var minutes = 30

  static let parameters: [AlertParameter] = [
    .init(
      "minutes", \Self.minutes, 1...10_080,
      "Minutes that the oldest waiting postback of a relay may wait.")
  ]

  static func measures(_ facts: AlertFacts, _ rules: AlertRules, _ now: Instant) -> [AlertMeasure] {
    guard let (rule, criteria) = rules.rule(Self.self) else { return [] }
    let bound = Double(criteria.minutes)
    func minutes(_ relay: AlertFacts.LateRelay) -> Double {
      max(0, Double(now.milliseconds - relay.oldest.milliseconds) / 60_000)
    }
    let first = facts.lateRelays.min { ($0.oldest, $0.name) < ($1.oldest, $1.name) }
    let value = first.map(minutes) ?? 0
    let others = facts.lateRelays.count { minutes($0) > bound } - 1
    let more = others > 0 ? " \(grouped(others)) other relay\(others == 1 ? " is" : "s are") behind too." : ""
    let measure = AlertMeasure(
      rule, AlertScope(), AlertMeasure.AlertStatus(value, above: bound), value: value, bound: bound,
      unit: "minutes behind",
      first.map { relay in
        "The oldest postback that waits for the relay '\(printable(relay.name))' arrived at \(relay.oldest)"
          + (relay.failure.map { "; the last attempt failed: \(printable($0))" } ?? "") + ".\(more)"
      } ?? "No postback waits for a relay.",
      remedy: "Check the address and whether it answers; `skan relay retry NAME` ends the pause.",
      command: facts.command("relay status"))
    return [measure]
  }
}
