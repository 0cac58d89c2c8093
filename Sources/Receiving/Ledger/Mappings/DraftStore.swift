package import Postbacks
import SQLite
package import Values

/// Keeps the drafts of mappings.
package struct DraftStore {
  private let changes: any ChangeWriter

  /// Writes where changes go.
  package init(_ changes: any ChangeWriter) { self.changes = changes }

  /// What came of a change of a draft.
  package enum Outcome: Hashable, Sendable {
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
  package func add(
    app: AppID, name: String, document: [UInt8], baseState: String, baseFrom: Instant?, by author: String,
    now: Instant, atMost most: Int
  ) throws(LedgerError) -> Outcome {
    try changes.write(
      DraftAddition(
        app: app, name: name, document: document, baseState: baseState, baseFrom: baseFrom, author: author,
        savedAt: now, most: most))
  }

  /// Saves another text of a draft, unless another author has since.
  ///
  /// - Parameters:
  ///   - name: What people call it from now on.
  ///   - baseState: The state of the app's versions that the author knows by now; `nil` where that is the same.
  package func save(
    _ id: Int64, ifMatch etag: String, name: String, document: [UInt8], baseState: String? = nil,
    by author: String, now: Instant
  ) throws(LedgerError) -> Outcome {
    try changes.write(
      DraftSaving(
        id: id, etag: etag, name: name, document: document, baseState: baseState, author: author,
        savedAt: now))
  }

  /// Deletes a draft, unless another author has saved it since.
  ///
  /// - Parameters:
  ///   - etag: The state that the caller has seen; `nil` where it does not matter.
  /// - Returns: What became of it; the draft as it was where it is gone now.
  package func discard(_ id: Int64, ifMatch etag: String?) throws(LedgerError) -> Outcome {
    try changes.write(DraftRemoval(id: id, etag: etag))
  }
}

struct DraftAddition: LedgerChange {
  static let kind = ChangeKind.draftAddition

  let app: AppID
  let name: String
  let document: [UInt8]
  let baseState: String
  let baseFrom: Instant?
  let author: String
  let savedAt: Instant
  /// How many drafts there may be.
  let most: Int

  func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) -> DraftStore.Outcome {
    guard try connection.integer("SELECT count(*) FROM mapping_draft") ?? 0 < Int64(most) else {
      return .full
    }
    let insert = try connection.prepare(
      """
      INSERT INTO mapping_draft(app, name, document, revision, base_state, base_from, created_at, created_by,
        saved_at, saved_by)
      VALUES (?1, ?2, ?3, 1, ?4, ?5, ?6, ?7, ?6, ?7)
      """)
    try insert.run(
      app.number, name, document, baseState, baseFrom?.milliseconds, savedAt.milliseconds, author)
    return try StoredDraft.all(connection, id: connection.lastInsertedID).first.map { .done($0) } ?? .missing
  }

  static let form = Form(Self.init) {
    ($0.app, $0.name, $0.document, $0.baseState, $0.baseFrom, $0.author, $0.savedAt, $0.most)
  }
}

struct DraftSaving: LedgerChange {
  static let kind = ChangeKind.draftSaving

  let id: Int64
  /// The state that its author has seen.
  let etag: String
  let name: String
  let document: [UInt8]
  let baseState: String?
  let author: String
  let savedAt: Instant

  func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) -> DraftStore.Outcome {
    guard let old = try StoredDraft.all(connection, id: id).first else { return .missing }
    guard old.etag == etag else { return .stale(old) }
    let update = try connection.prepare(
      """
      UPDATE mapping_draft SET name = ?2, document = ?3, revision = revision + 1,
        base_state = coalesce(?4, base_state), saved_at = ?5, saved_by = ?6
      WHERE id = ?1
      """)
    try update.run(id, name, document, baseState, savedAt.milliseconds, author)
    return try StoredDraft.all(connection, id: id).first.map { .done($0) } ?? .missing
  }

  static let form = Form(Self.init) {
    ($0.id, $0.etag, $0.name, $0.document, $0.baseState, $0.author, $0.savedAt)
  }
}

struct DraftRemoval: LedgerChange {
  static let kind = ChangeKind.draftRemoval

  let id: Int64
  /// The state that the caller has seen; `nil` where it does not matter.
  let etag: String?

  func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) -> DraftStore.Outcome {
    guard let old = try StoredDraft.all(connection, id: id).first else { return .missing }
    if let etag, old.etag != etag { return .stale(old) }
    try connection.prepare("DELETE FROM mapping_draft WHERE id = ?1").run(id)
    return .done(old)
  }

  static let form = Form(Self.init) { ($0.id, $0.etag) }
}
