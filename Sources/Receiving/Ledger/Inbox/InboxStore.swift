import Postbacks
import SQLite
import Values
import Verification

/// Keeps the newest arrivals of test inboxes.
final class InboxStore {
  static let kept = 500

  private let insert: Statement
  private let delete: Statement

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    insert = try connection.prepare(
      """
      INSERT INTO inbox_arrival(inbox, received_at, state, environment, reason, stored, body)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      """)
    delete = try connection.prepare(
      """
      DELETE FROM inbox_arrival WHERE inbox = ?1 AND id <=
        (SELECT id FROM inbox_arrival WHERE inbox = ?1 ORDER BY id DESC LIMIT 1 OFFSET \(Self.kept))
      """)
  }

  /// Keeps an arrival, and deletes the oldest one of its inbox where there are too many.
  ///
  /// - Parameters:
  ///   - finding: What came of the body.
  ///   - commitment: What it added as a postback; `nil` where it is stored only here.
  func record(
    _ finding: InboxFinding, of arrival: Arrival, as commitment: Commitment?
  ) throws(SQLiteError) {
    try insert.bind(finding.inbox, at: 1)
    try insert.bind(arrival.receivedAt.milliseconds, at: 2)
    try insert.bind(finding.state.rawValue, at: 3)
    try insert.bind(finding.environment?.rawValue, at: 4)
    try insert.bind(finding.reason, at: 5)
    try insert.bind(commitment?.novelty.word, at: 6)
    try insert.bind(arrival.body, at: 7)
    try insert.run()
    try delete.bind(finding.inbox, at: 1)
    try delete.run()
  }
}

extension Commitment.Novelty {
  /// What became of a valid postback, in a word.
  fileprivate var word: String? {
    switch self {
    case .first: "first"
    case .copy: "copy"
    case .conflict: "conflict"
    case .keptRejected, .countedRejected, .webClick, .inboxOnly: nil
    }
  }
}
