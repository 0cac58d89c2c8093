import Values

/// The last copy of the database is old.
struct BackupAgeCriteria: AlertCriteria {
  static let kind = AlertKind.backupAge

  var hours = 0

  static let parameters: [AlertParameter] = [
    .init(
      "hours", \Self.hours, 0...8760,
      "Maximum age of the last copy by skan backup; 0: no alert.")
  ]

  static func measures(_ facts: AlertFacts, _ rules: AlertRules, _ now: Instant) -> [AlertMeasure] {
    guard let (rule, criteria) = rules.rule(Self.self), criteria.hours > 0,
      let since = facts.lastBackup ?? facts.oldest
    else { return [] }
    let hours = Double(now.milliseconds - since.milliseconds) / Double(Hour.milliseconds)
    let bound = Double(criteria.hours)
    let state =
      facts.lastBackup == nil
      ? Sentence("There is no copy of the database, and its first body arrived at \(since)")
      : Sentence("The last copy of the database is from \(since)")
    let measure = AlertMeasure(
      rule, AlertScope(), AlertMeasure.AlertStatus(hours, above: bound), value: hours, bound: bound,
      unit: Sentence("hours since the last copy"),
      Sentence(
        "\(state), \(number: fixed(hours, 1)) hours ago; the maximum is \(number: trimmed(bound, 0)) hours."),
      remedy: Sentence("Run `skan backup`, and find out why the scheduled copy did not run."),
      command: facts.command("doctor"))
    return [measure]
  }
}
