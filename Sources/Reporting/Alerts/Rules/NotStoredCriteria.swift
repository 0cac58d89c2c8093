import Values

/// The service could not store postbacks.
struct NotStoredCriteria: AlertCriteria {
  static let kind = AlertKind.notStored
  static let severity = AlertSeverity.critical

  var minutes = 10
  var most = 0

  static let parameters: [AlertParameter] = [
    .init("minutes", \Self.minutes, 1...1440, "Number of minutes to examine."),
    .init("most", \Self.most, 0...1_000_000_000_000, "Maximum number of bodies answered 503."),
  ]

  static func measures(_ facts: AlertFacts, _ rules: AlertRules, _ now: Instant) -> [AlertMeasure] {
    guard let (rule, criteria) = rules.rule(Self.self), let losses = facts.losses else { return [] }
    let first = now + -Int64(criteria.minutes) * 60_000
    let lost = losses.filter { $0.at > first && $0.at <= now }.reduce(0) { $0 + $1.bodies }
    let measure = AlertMeasure(
      rule, AlertScope(), lost > criteria.most ? .beyond : .clear, value: Double(lost),
      bound: Double(criteria.most),
      unit: Sentence("bodies answered 503"),
      Sentence(
        "\(grouped: lost) bodies in \(criteria.minutes) minutes could not be stored and were answered 503."),
      remedy: Sentence("Check the disk and other programs that lock the database; devices retry for days."),
      command: facts.command("doctor"))
    return [measure]
  }
}
