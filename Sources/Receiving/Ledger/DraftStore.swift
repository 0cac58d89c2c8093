public import Postbacks
import SQLite
public import Values

/// Keeps the drafts of mappings while the ledger's writer goes on; one thread owns it.
public final class DraftStore {
  private let connection: Connection

  /// Opens a database.
  ///
  /// - Parameter makesFile: Whether the file is made when it is missing; `false` beside a running service.
  public init(path: String, makesFile: Bool = true) throws(LedgerError) {
    connection = try LedgerWriter.open(path, LedgerSettings(), makesFile: makesFile)
  }

  public enum Change: Hashable, Sendable {
    case done(StoredDraft)
    /// Another author has saved the draft since; that text is kept.
    case stale(StoredDraft)
    case missing
    case full
  }

  /// Begins a draft.
  ///
  /// - Parameters:
  ///   - name: What people call it.
  ///   - baseState: The state of the app's versions that its author knows.
  ///   - baseFrom: The date of the version that it is made of; `nil` for none.
  ///   - most: How many drafts there may be.
  public func add(
    app: AppID, name: String, document: [UInt8], baseState: String, baseFrom: Instant?, by author: String,
    now: Instant, atMost most: Int
  ) throws(LedgerError) -> Change {
    try change { (connection: borrowing Connection) throws(SQLiteError) in
      guard try connection.integer("SELECT count(*) FROM mapping_draft") ?? 0 < Int64(most) else {
        return .full
      }
      let insert = try connection.prepare(
        """
        INSERT INTO mapping_draft(app, name, document, revision, base_state, base_from, created_at, created_by,
          saved_at, saved_by)
        VALUES (?1, ?2, ?3, 1, ?4, ?5, ?6, ?7, ?6, ?7)
        """)
      try insert.run([
        app.number, name, document, baseState, baseFrom?.milliseconds, now.milliseconds, author,
      ])
      return try StoredDraft.all(connection, id: connection.lastInsertedID).first.map { .done($0) }
        ?? .missing
    }
  }

  /// Saves another text of a draft, unless another author has since.
  ///
  /// - Parameters:
  ///   - name: What people call it from now on.
  ///   - baseState: The state of the app's versions that the author knows by now; `nil` where that is the same.
  public func save(
    _ id: Int64, ifMatch etag: String, name: String, document: [UInt8], baseState: String? = nil,
    by author: String, now: Instant
  ) throws(LedgerError) -> Change {
    try change { (connection: borrowing Connection) throws(SQLiteError) in
      guard let old = try StoredDraft.all(connection, id: id).first else { return .missing }
      guard old.etag == etag else { return .stale(old) }
      let update = try connection.prepare(
        """
        UPDATE mapping_draft SET name = ?2, document = ?3, revision = revision + 1,
          base_state = coalesce(?4, base_state), saved_at = ?5, saved_by = ?6
        WHERE id = ?1
        """)
      try update.run([id, name, document, baseState, now.milliseconds, author])
      return try StoredDraft.all(connection, id: id).first.map { .done($0) } ?? .missing
    }
  }

  /// Deletes a draft, unless another author has saved it since.
  ///
  /// - Parameters:
  ///   - etag: The state that the caller has seen; `nil` where it does not matter.
  /// - Returns: What became of it; the draft as it was where it is gone now.
  public func discard(_ id: Int64, ifMatch etag: String?) throws(LedgerError) -> Change {
    try change { (connection: borrowing Connection) throws(SQLiteError) in
      guard let old = try StoredDraft.all(connection, id: id).first else { return .missing }
      if let etag, old.etag != etag { return .stale(old) }
      let delete = try connection.prepare("DELETE FROM mapping_draft WHERE id = ?1")
      try delete.run([id])
      return .done(old)
    }
  }

  private func change(
    _ body: (borrowing Connection) throws(SQLiteError) -> Change
  ) throws(LedgerError) -> Change {
    try asLedger { () throws(SQLiteError) in
      try connection.transaction { () throws(SQLiteError) in try body(connection) }
    }
  }
}
