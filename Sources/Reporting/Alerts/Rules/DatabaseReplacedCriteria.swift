import Values

/// The files of the database were removed or replaced while the service used them.
struct DatabaseReplacedCriteria: AlertCriteria {
  static let kind = AlertKind.databaseReplaced
  static let severity = AlertSeverity.critical

  var hours = 24

  static let parameters: [AlertParameter] = [
    .init("hours", \Self.hours, 1...24, "Number of hours to examine.")
  ]

  static func measures(_ facts: AlertFacts, _ rules: AlertRules, _ now: Instant) -> [AlertMeasure] {
    guard let (rule, criteria) = rules.rule(Self.self), let moments = facts.replacements else { return [] }
    let first = now + -Int64(criteria.hours) * 3_600_000
    let count = moments.filter { $0 > first && $0 <= now }.count
    let measure = AlertMeasure(
      rule, AlertScope(), count > 0 ? .beyond : .clear, value: Double(count), bound: 0,
      unit: Sentence("replacements"),
      Sentence(
        "The database or its -wal file was removed or replaced \(count, "time") in \(criteria.hours) hours "
          + "while skan used it."),
      remedy: Sentence("Find the program that did it, then check the database; skan answered 503 meanwhile."),
      command: facts.command("rebuild --check"))
    return [measure]
  }
}
