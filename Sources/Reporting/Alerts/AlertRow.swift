import Ledger
import Postbacks
package import Tables
import Values

/// An alert, or what a rule found, as reports have it.
package struct AlertRow: Sendable {
  let id: String
  let kind: String
  let severity: String
  let state: String
  let scope: AlertScope
  let since: Instant?
  var resolvedAt: Instant?
  let value: Double
  let bound: Double
  let unit: Sentence?
  let sentence: Sentence
  let remedy: Sentence
  let command: String

  package static let columns: [Column<Self>] = [
    Column("id", "alert", "Kind and scope; the same while the alert lasts.") { Identifier($0.id) },
    Column("kind", "kind", "What is watched.", shown: .forPrograms, \.kind),
    Column("severity", "severity", "How much it matters: warning or critical.", \.severity),
    Column("state", "state", "firing, resolved, quiet, or too-few: too little to judge.", \.state),
    Column("app", "app", "App Store number of the app.", shown: .forPrograms) { row in
      row.scope.app.map { Identifier("\($0.number)") }
    },
    Column("network", "network", "Ad network.", shown: .forPrograms) { row in
      row.scope.network.map { Identifier($0) }
    },
    Column("campaign", "campaign", "Campaign's digits.", shown: .forPrograms) { row in
      row.scope.campaign.map { Identifier($0) }
    },
    Column("origin", "origin", "Route and sender, such as forwarded acme.", shown: .forPrograms) { row in
      row.scope.origin.map { Identifier($0) }
    },
    Column("since", "since", "When it began to fire.", shown: .whereUseful, \.since),
    Column("resolved", "resolved", "When it ended.", shown: .whereUseful, \.resolvedAt),
    Column("value", "value", "What was measured.") { Ratio($0.value) },
    Column("bound", "bound", "What the value has to stay within.") { Ratio($0.bound) },
    Column("unit", "what they are", "What the two numbers are.", shown: .forPeople) {
      $0.unit?.english ?? ""
    },
    Column("sentence", "sentence", "What was found.", shown: .forPrograms, \.sentence.english),
    Column("remedy", "remedy", "What to do about it.", shown: .forPrograms, \.remedy.english),
    Column("command", "command", "Command that prints the evidence.", shown: .forPrograms, \.command),
  ]

  var lines: [String] { ["", "\(severity): \(id)", "  \(sentence)", "  \(remedy)", "  \(command)"] }
}

extension AlertRow {
  init(_ alert: AlertRecord, unit: Sentence? = nil) {
    self.init(
      id: alert.id, kind: alert.kind, severity: alert.severity, state: alert.state,
      scope: AlertScope(
        app: alert.app, network: alert.network, campaign: alert.campaign, origin: alert.origin),
      since: alert.since, resolvedAt: alert.resolvedAt, value: alert.value, bound: alert.bound, unit: unit,
      sentence: alert.sentence, remedy: alert.remedy, command: alert.command)
  }

  /// - Parameters:
  ///   - measure: What a rule found.
  ///   - since: When its alert began; `nil` where none fires.
  init(_ measure: AlertMeasure, since: Instant?) {
    self.init(
      id: measure.id, kind: measure.kind.rawValue, severity: measure.severity.rawValue,
      state: since != nil ? "firing" : measure.standing == .unknown ? "too-few" : "quiet",
      scope: measure.scope, since: since, value: measure.value, bound: measure.bound, unit: measure.unit,
      sentence: measure.sentence, remedy: measure.remedy, command: measure.command)
  }
}
