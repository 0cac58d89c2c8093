package import Alerts
package import Arguments
import Daemon

extension TypedOption<String?> {
  /// The rules of alerts.
  package static let alerts = value(
    "--alerts", "FILE", .path, "File of alert rules; a rule that it does not have keeps its defaults.",
    isSetting: true)
}

extension Invocation {
  /// The rules of alerts.
  package func alertRules() throws -> AlertRules {
    try self[.alerts].map { try AlertRulesFile.read($0) } ?? AlertRules()
  }
}
