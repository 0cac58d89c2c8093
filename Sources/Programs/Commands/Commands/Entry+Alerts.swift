import Alerts
import Arguments
import Daemon
import System
import Tables
import Values

extension Entry {
  /// What fires now, judged by the rules of a file.
  static let alerts = Entry(ReportKind(AlertReport.self), sharing: [.database(), .alerts]) { call in
    let rules = try call.alertRules()
    let database = try call.existingDatabase()
    return AlertReport.Source(
      reader: try call.reader(), database: database, rules: rules, now: call.world.clock())
  }
}

extension Option {
  /// The rules of alerts.
  static let alerts = Option.value(
    "--alerts", "FILE", .path, "File of alert rules; a rule that it does not have keeps its defaults.",
    isSetting: true)

  /// How often a service judges.
  static let alertsInterval = Option.value(
    "--alerts-interval", "SECONDS", .integer(1...86_400), "Seconds between two checks of the alert rules.",
    default: "60", isSetting: true)
}

extension Invocation {
  /// The rules of alerts.
  func alertRules() throws -> AlertRules {
    try settings.text("--alerts").map { try AlertRulesFile.read($0) } ?? AlertRules()
  }
}
