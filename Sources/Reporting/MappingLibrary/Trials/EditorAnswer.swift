package import Mappings

/// What the editor shows of a draft's text.
package struct EditorAnswer: Sendable {
  /// What a check found, in the order of the text.
  package let findings: [DraftFinding]
  /// The mapping; `nil` where there are errors.
  package let mapping: Mapping?
  /// The values; empty where there are errors.
  package let cells: [DraftCell]
  /// The windows; empty where there are errors.
  package let schedule: [WindowSchedule]
  /// What the draft would show of the users; `nil` where there are errors, or no users.
  package let result: TrialResult?

  /// How many errors there are.
  package var errors: Int { findings.count { $0.finding.severity == .error } }
  /// How many warnings there are.
  package var warnings: Int { findings.count - errors }
}
