package import Alerts
package import Arguments
import Daemon

extension TypedOption<String?> {
  package static let alerts = value(
    "--alerts", "FILE", .path, "File of alert rules; a rule that it does not have keeps its defaults.",
    isSetting: true)
}

extension Invocation {
  package func alertRules() throws -> AlertRules {
    try self[.alerts].map { try AlertRulesFile.read($0) } ?? AlertRules()
  }
}
