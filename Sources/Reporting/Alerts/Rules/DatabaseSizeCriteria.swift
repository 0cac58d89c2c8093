import Values

struct DatabaseSizeCriteria: AlertCriteria {
  static let kind = AlertKind.databaseSize

  var gigabytes: Double = 64

  static let parameters: [AlertParameter] = [
    .init("gigabytes", \Self.gigabytes, 0...1e6, "Maximum size.")
  ]

  static func measures(_ facts: AlertFacts, _ rules: AlertRules, _ now: Instant) -> [AlertMeasure] {
    guard let (rule, criteria) = rules.rule(Self.self), let databaseBytes = facts.databaseBytes else {
      return []
    }
    let size = Double(databaseBytes) / 1e9
    let measure = AlertMeasure(
      rule, AlertScope(), AlertMeasure.AlertStatus(size, above: criteria.gigabytes), value: size,
      bound: criteria.gigabytes,
      unit: Sentence("GB of database"),
      Sentence(
        "The database has \(number: fixed(size, 2)) GB, of \(number: trimmed(criteria.gigabytes, 3)) GB that are "
          + "expected."),
      remedy: Sentence("Delete old bodies with `skan prune`, or raise the limit."),
      command: facts.command("prune --older-than 90d --dry-run"))
    return [measure]
  }
}
