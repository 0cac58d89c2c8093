import Ledger
import Values

/// A relay has not passed postbacks on for long, or falls behind for an hour.
struct RelayBehindCriteria: AlertCriteria {
  static let kind = AlertKind.relayBehind

  var minutes = 30
  var growingMinutes = 1

  static let parameters: [AlertParameter] = [
    .init(
      "minutes", \Self.minutes, 1...10_080,
      "Minutes that the oldest waiting postback of a relay may wait."),
    .init(
      "growing-minutes", \Self.growingMinutes, 1...10_080,
      "The same where the backlog of the relay has grown in each quarter of the last hour."),
  ]

  static func measures(_ facts: AlertFacts, _ rules: AlertRules, _ now: Instant) -> [AlertMeasure] {
    guard let (rule, criteria) = rules.rule(Self.self) else { return [] }
    func minutes(_ relay: AlertFacts.LateRelay) -> Double {
      max(0, Double(now.milliseconds - relay.oldest.milliseconds) / 60_000)
    }
    func bound(_ relay: AlertFacts.LateRelay) -> Double {
      Double(relay.growth == nil ? criteria.minutes : min(criteria.growingMinutes, criteria.minutes))
    }
    func isBehind(_ relay: AlertFacts.LateRelay) -> Bool { minutes(relay) > bound(relay) }
    // The one that is behind longest; of those that are not, the oldest.
    let first = facts.lateRelays.min {
      (isBehind($0) ? 0 : 1, $0.oldest, $0.name) < (isBehind($1) ? 0 : 1, $1.oldest, $1.name)
    }
    let value = first.map(minutes) ?? 0
    let limit = first.map(bound) ?? Double(criteria.minutes)
    let others = facts.lateRelays.count(where: isBehind) - 1
    let measure = AlertMeasure(
      rule, AlertScope(), AlertMeasure.AlertStatus(value, above: limit), value: value, bound: limit,
      unit: Sentence("minutes behind"),
      first.map { sentence($0, others: others) } ?? Sentence("No postback waits for a relay."),
      remedy: Sentence("Check the address and whether it answers; `skan relay retry NAME` ends the pause."),
      command: facts.command("relay status"))
    return [measure]
  }

  private static func sentence(_ relay: AlertFacts.LateRelay, others: Int) -> Sentence {
    let backlog =
      relay.growth.map { growth in
        Sentence(
          "The backlog of the relay '\(name: relay.name)' has grown for an hour, from \(grouped: growth.before) to "
            + "\(grouped: growth.now) postbacks, and the oldest arrived at \(relay.oldest)")
      }
      ?? Sentence(
        "The oldest postback that waits for the relay '\(name: relay.name)' arrived at \(relay.oldest)")
    let sentence =
      relay.failure.map { Sentence("\(backlog); the last attempt failed: \(name: $0).") }
      ?? Sentence("\(backlog).")
    guard others > 0 else { return sentence }
    let more = Sentence(
      "\(others, one: "# other relay is behind too.", other: "# other relays are behind too.")")
    return .joined([sentence, more], by: " ")
  }
}
