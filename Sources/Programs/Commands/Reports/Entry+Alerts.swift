import Alerts
import Arguments
import System
import Tables
import Values

extension Entry {
  /// What fires now, judged by the rules of a file.
  package static let alerts = Entry(
    ReportKind(AlertReport.self), sharing: [.database(), TypedOption.alerts.option]
  ) { call in
    let rules = try call.alertRules()
    let database = try call.existingDatabase()
    return AlertReport.Source(
      reader: try call.reader(), database: database, rules: rules, now: call.world.clock())
  }
}
