import Alerts
import Arguments
import Configuration
import System
import Tables
import Values

extension Entry {
  /// What fires now, judged by the rules of a file.
  static let alerts = Entry(
    ReportKind(AlertReport.self), sharing: [.database()] + ServiceConfiguration.options("alerts")
  ) { call in
    let rules = try call.serviceConfiguration().alertRules()
    let database = try call.existingDatabase()
    return AlertReport.Source(
      reader: try call.reader(), database: database, rules: rules, now: call.world.clock())
  }
}
