package import JSONText
package import Mappings

/// What the editor shows of a draft's text.
package struct EditorAnswer: Sendable {
  /// The text as JSON; `nil` where it is none.
  package let root: JSONNode?
  /// What a check found, in the order of the text.
  package let findings: [DraftFinding]
  /// The mapping; `nil` where there are errors.
  package let mapping: Mapping?
  /// What the draft would show of the users; `nil` where there are errors, or no users.
  package let result: TrialResult?
  /// The draft's events that no user of the sample has; users of another app have few of them.
  package let unknownEvents: [String]

  /// The values; empty where there are errors.
  package var cells: [DraftCell] { mapping.map { DraftCell.all(of: $0, result?.draft) } ?? [] }
  /// The windows; empty where there are errors.
  package var schedule: [WindowSchedule] { mapping.map { WindowSchedule.all(of: $0) } ?? [] }

  package var errors: Int { findings.count { $0.finding.severity == .error } }
}
