import Values

extension AlertFacts {
  /// Judges the service itself: what it could not store, its disk and its clock.
  func machine(_ rules: AlertRules, _ now: Instant) -> [AlertMeasure] {
    [
      notStored(rules, now), databaseSize(rules), diskSpace(rules), clock(rules, now),
      mappingRejected(rules, now), certificateEnd(rules, now), backupAge(rules, now),
    ].compactMap { $0 }
  }

  private func notStored(_ rules: AlertRules, _ now: Instant) -> AlertMeasure? {
    guard let rule = rules.rule(.notStored), let losses else { return nil }
    let first = now + -Int64(rule["minutes"]) * 60_000
    let lost = losses.filter { $0.at > first && $0.at <= now }.reduce(0) { $0 + $1.bodies }
    return AlertMeasure(
      rule, AlertScope(), Double(lost) > rule["most"] ? .beyond : .clear, value: Double(lost),
      bound: rule["most"],
      unit: "bodies answered 503",
      "\(grouped(lost)) bodies in \(Int(rule["minutes"])) minutes were not stored and answered 503.",
      remedy:
        "Check the disk and other programs that lock the database; devices retry for days.",
      command: command("doctor"))
  }

  private func databaseSize(_ rules: AlertRules) -> AlertMeasure? {
    guard let rule = rules.rule(.databaseSize), let databaseBytes else { return nil }
    let size = Double(databaseBytes) / 1e9
    return AlertMeasure(
      rule, AlertScope(), AlertMeasure.AlertStatus(size, above: rule["gigabytes"]), value: size,
      bound: rule["gigabytes"],
      unit: "GB of database",
      "The database has \(fixed(size, 2)) GB; the maximum is \(trimmed(rule["gigabytes"], 3)) GB.",
      remedy: "Delete old bodies with `skan prune`, or raise the limit.",
      command: command("prune --older-than 90d --dry-run"))
  }

  private func diskSpace(_ rules: AlertRules) -> AlertMeasure? {
    guard let rule = rules.rule(.diskSpace), let freeBytes else { return nil }
    let free = Double(freeBytes) / 1e9
    let bound = rule["gigabytes"]
    let standing: AlertMeasure.AlertStatus =
      free < bound ? .beyond : free < bound * (1 + AlertMeasure.AlertStatus.slack) ? .near : .clear
    return AlertMeasure(
      rule, AlertScope(), standing, value: free, bound: bound, unit: "GB free",
      "The disk of the database has \(fixed(free, 2)) GB free; the minimum is \(trimmed(bound, 3)) GB.",
      remedy: "Free some space or move the database; on a full disk, skan answers 503 to postbacks.",
      command: command("doctor"))
  }

  private func clock(_ rules: AlertRules, _ now: Instant) -> AlertMeasure? {
    guard let rule = rules.rule(.clock) else { return nil }
    // Both are in the past unless the clock was set back after them.
    guard let latest = [newest, lookedAt].compactMap({ $0 }).max() else { return nil }
    let back = Double(max(0, latest.milliseconds - now.milliseconds)) / 1000
    return AlertMeasure(
      rule, AlertScope(), AlertMeasure.AlertStatus(back, above: rule["seconds"]), value: back,
      bound: rule["seconds"],
      unit: "seconds back",
      "The clock shows \(now), earlier than \(latest) before: it was set back by \(fixed(back, 0)) "
        + "seconds, or was wrong.",
      remedy: "Check the time service; arrival dates and decoding depend on this clock.",
      command: command("doctor"))
  }
}
