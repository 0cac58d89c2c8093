import Values

/// The last copy of the database is old.
struct BackupAgeCriteria: AlertCriteria {
  static let kind = AlertKind.backupAge

  var hours = 0

  static let parameters: [AlertParameter] = [
    .init(
      "hours", \Self.hours, 0...8760,
      "The hours that the last copy by skan backup may be old; 0 for no alert.")
  ]

  static func measures(_ facts: AlertFacts, _ rules: AlertRules, _ now: Instant) -> [AlertMeasure] {
    guard let (rule, criteria) = rules.rule(Self.self), criteria.hours > 0,
      let since = facts.lastBackup ?? facts.oldest
    else { return [] }
    let hours = Double(now.milliseconds - since.milliseconds) / Double(Hour.milliseconds)
    let bound = Double(criteria.hours)
    let state =
      facts.lastBackup == nil
      ? "The database was never copied, and its first body came at \(since)"
      : "The last copy of the database is of \(since)"
    let measure = AlertMeasure(
      rule, AlertScope(), AlertMeasure.AlertStatus(hours, above: bound), value: hours, bound: bound,
      unit: "hours since the last copy",
      "\(state), \(fixed(hours, 1)) hours ago; \(trimmed(bound, 0)) hours are allowed.",
      remedy: "Run `skan backup`, and look why it did not run; it notes its end in the database.",
      command: facts.command("doctor"))
    return [measure]
  }
}
