import OpenSSL
public import Postbacks
import SQLite
public import Values

/// A mapping that is being written.
public struct StoredDraft: Hashable, Sendable {
  public let id: Int64
  public let app: AppID
  public let name: String
  /// The document as it was written; it may be no mapping yet, or no JSON at all.
  public let document: [UInt8]
  /// How often it was saved, from 1.
  public let revision: Int64
  /// The state of the app's versions that its author knew; see `[StoredMapping].state(of:)`.
  public let baseState: String
  /// The date of the version that it was made of; `nil` for none.
  public let baseFrom: Instant?
  public let createdAt: Instant
  public let createdBy: String
  /// When it was saved last, and its author.
  public let savedAt: Instant
  public let savedBy: String

  /// What stands for this state of the draft: no two states of any draft have the same.
  public var etag: String {
    String(SHA256Digest(of: Array("\(id) \(revision)\n".utf8) + document).hex.prefix(32))
  }
}

extension StoredDraft {
  static func all(
    _ connection: borrowing LedgerDatabase, id: Int64? = nil, app: AppID? = nil
  ) throws(LedgerError) -> [StoredDraft] {
    var drafts: [StoredDraft] = []
    let statement = try connection.prepare(
      """
      SELECT id, app, name, document, revision, base_state, base_from, created_at, created_by, saved_at, saved_by
      FROM mapping_draft WHERE (?1 IS NULL OR id = ?1) AND (?2 IS NULL OR app = ?2) ORDER BY saved_at DESC, id DESC
      """)
    try statement.bind(id, app?.number)
    try statement.forEachRow { row in
      guard let app = AppID(row.count(1)) else { return }
      drafts.append(
        StoredDraft(
          id: row.count(0), app: app, name: row.text(2) ?? "", document: row.bytes(3), revision: row.count(4),
          baseState: row.text(5) ?? "", baseFrom: row.integer(6).map { Instant(milliseconds: $0) },
          createdAt: Instant(milliseconds: row.count(7)), createdBy: row.text(8) ?? "",
          savedAt: Instant(milliseconds: row.count(9)), savedBy: row.text(10) ?? ""))
    }
    return drafts
  }
}

extension LedgerReader {
  /// The drafts of an app, or with `nil` of all, the last saved first.
  public func mappingDrafts(of app: AppID? = nil) throws(LedgerError) -> [StoredDraft] {
    try StoredDraft.all(connection, app: app)
  }

  /// A draft; `nil` where there is none of that number.
  public func mappingDraft(_ id: Int64) throws(LedgerError) -> StoredDraft? {
    try StoredDraft.all(connection, id: id).first
  }
}
