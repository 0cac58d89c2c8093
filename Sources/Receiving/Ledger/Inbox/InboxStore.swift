import Postbacks
import SQLite
import Values
import Verification

/// Keeps the newest arrivals of test inboxes.
final class InboxStore {
  static let kept = 500

  private let insert: LedgerStatement
  private let delete: LedgerStatement

  init(_ connection: borrowing LedgerDatabase) throws(LedgerError) {
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
  ) throws(LedgerError) {
    try insert.run(
      finding.inbox, arrival.receivedAt.milliseconds, finding.state.rawValue, finding.environment?.rawValue,
      finding.reason, commitment?.effect.word, arrival.body)
    try delete.run(finding.inbox)
  }
}

extension Commitment.Effect {
  fileprivate var word: String? {
    switch self {
    case .first: "first"
    case .copy: "copy"
    case .conflict: "conflict"
    case .keptRejected, .countedRejected, .inboxOnly: nil
    }
  }
}
