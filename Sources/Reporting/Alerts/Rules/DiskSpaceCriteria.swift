import Values

struct DiskSpaceCriteria: AlertCriteria {
  static let kind = AlertKind.diskSpace
  static let severity = AlertSeverity.critical

  var gigabytes: Double = 2

  static let parameters: [AlertParameter] = [
    .init("gigabytes", \Self.gigabytes, 0...1e6, "Minimum free space.")
  ]

  static func measures(_ facts: AlertFacts, _ rules: AlertRules, _ now: Instant) -> [AlertMeasure] {
    guard let (rule, criteria) = rules.rule(Self.self), let freeBytes = facts.freeBytes else { return [] }
    let free = Double(freeBytes) / 1e9
    let bound = criteria.gigabytes
    let standing: AlertMeasure.AlertStatus =
      free < bound ? .beyond : free < bound * (1 + AlertMeasure.AlertStatus.slack) ? .near : .clear
    let measure = AlertMeasure(
      rule, AlertScope(), standing, value: free, bound: bound, unit: Sentence("GB free"),
      Sentence(
        "The disk of the database has \(number: fixed(free, 2)) GB free; the minimum is "
          + "\(number: trimmed(bound, 3)) GB."),
      remedy: Sentence(
        "Free some space or move the database; on a full disk, skan answers 503 to postbacks."),
      command: facts.command("doctor"))
    return [measure]
  }
}
