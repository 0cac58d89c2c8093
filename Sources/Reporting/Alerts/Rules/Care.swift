import Ledger
import Values

/// What an operator has to do by hand from time to time.
extension AlertFacts {
  /// Judges how long mapping files have been rejected.
  func mappingRejected(_ rules: AlertRules, _ now: Instant) -> AlertMeasure? {
    guard let rule = rules.rule(.mappingRejected) else { return nil }
    let first = rejectedMappings.min { ($0.since, $0.source) < ($1.since, $1.source) }
    let minutes = first.map { Double(now.milliseconds - $0.since.milliseconds) / 60_000 } ?? 0
    let bound = rule["minutes"]
    // A file that was mended and another one that is rejected now are one alert.
    let standing: AlertMeasure.AlertStatus = first == nil ? .clear : minutes >= bound ? .beyond : .near
    let others = rejectedMappings.count - 1
    let more =
      others > 0 ? " \(grouped(others)) other file\(others == 1 ? " is" : "s are") rejected too." : ""
    return AlertMeasure(
      rule, AlertScope(), standing, value: minutes, bound: bound, unit: "minutes rejected",
      first.map { file in
        "The mapping file '\(printable(file.source))' has been rejected since \(file.since): "
          + "\(printable(file.reason))."
          + (file.keepsOld ? " Its last valid version stays in use." : "") + more
      } ?? "No mapping file is rejected.",
      remedy:
        "Correct the file (`skan mapping check` lists all findings), or remove one of two conflicting "
        + "files.",
      command: command("mapping list"))
  }

  /// Judges how long the certificate holds.
  func certificateEnd(_ rules: AlertRules, _ now: Instant) -> AlertMeasure? {
    guard let rule = rules.rule(.certificateEnd), let certificateEnd else { return nil }
    let days = Double(certificateEnd.milliseconds - now.milliseconds) / Double(Day.milliseconds)
    let bound = rule["days"]
    let standing: AlertMeasure.AlertStatus =
      days < bound ? .beyond : days < bound * (1 + AlertMeasure.AlertStatus.slack) ? .near : .clear
    return AlertMeasure(
      rule, AlertScope(), standing, value: days, bound: bound, unit: "days left",
      days < 0
        ? "The certificate expired at \(certificateEnd); devices cannot connect."
        : "The certificate expires at \(certificateEnd), in \(fixed(days, 1)) days; the minimum is "
          + "\(trimmed(bound, 0)) days.",
      remedy: "Renew the certificate, then send SIGHUP to the service.", command: command("doctor"))
  }

  /// Judges how old the last copy of the database is; without a bound there is nothing to judge.
  func backupAge(_ rules: AlertRules, _ now: Instant) -> AlertMeasure? {
    guard let rule = rules.rule(.backupAge), rule["hours"] > 0, let since = lastBackup ?? oldest else {
      return nil
    }
    let hours = Double(now.milliseconds - since.milliseconds) / 3_600_000
    let bound = rule["hours"]
    let state =
      lastBackup == nil
      ? "There is no copy of the database, and its first body arrived at \(since)"
      : "The last copy of the database is from \(since)"
    return AlertMeasure(
      rule, AlertScope(), AlertMeasure.AlertStatus(hours, above: bound), value: hours, bound: bound,
      unit: "hours since the last copy",
      "\(state), \(fixed(hours, 1)) hours ago; the maximum is \(trimmed(bound, 0)) hours.",
      remedy: "Run `skan backup`, and find out why the scheduled copy did not run.",
      command: command("doctor"))
  }
}
