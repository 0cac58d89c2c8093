import Values

/// The clock was set back, or postbacks are of the future.
struct ClockCriteria: AlertCriteria {
  static let kind = AlertKind.clock
  static let severity = AlertSeverity.critical

  var seconds = 120

  static let parameters: [AlertParameter] = [
    .init("seconds", \Self.seconds, 1...Int(Day.seconds), "Largest backward clock step to ignore.")
  ]

  static func measures(_ facts: AlertFacts, _ rules: AlertRules, _ now: Instant) -> [AlertMeasure] {
    guard let (rule, criteria) = rules.rule(Self.self) else { return [] }
    // Both are in the past unless the clock was set back after them.
    guard let latest = [facts.newest, facts.lookedAt].compactMap({ $0 }).max() else { return [] }
    let bound = Double(criteria.seconds)
    let back = Double(max(0, latest.milliseconds - now.milliseconds)) / 1000
    let measure = AlertMeasure(
      rule, AlertScope(), AlertMeasure.AlertStatus(back, above: bound), value: back,
      bound: bound,
      unit: Sentence("seconds back"),
      Sentence(
        "It is \(now) now, and \(latest) was seen before: the clock was set back by "
          + "\(number: fixed(back, 0)) seconds, or was wrong."),
      remedy: Sentence("Check the time service; postbacks are dated and decoded by this clock."),
      command: facts.command("doctor"))
    return [measure]
  }
}
