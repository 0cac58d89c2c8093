import OpenSSL
public import Postbacks
import SQLite
public import Values

/// One published version of a mapping.
public struct MappingPublication: Hashable, Sendable {
  /// Its number, rising with time; 0 until it is stored.
  public let id: Int64
  public let app: AppID
  /// When devices start to follow the version.
  public let effectiveFrom: Instant
  /// The SHA-256 of the document, in hexadecimal digits.
  public let digest: String
  /// The name of the file that stands for it.
  public let source: String
  public let publishedAt: Instant
  public let publishedBy: String
  /// What that person wrote for others; may be empty.
  public let note: String
  /// The number of the draft that it came from, which may be gone; `nil` where it came from none.
  public let draft: Int64?
  /// The SHA-256 of the version that it follows; `nil` where the app had none before that date.
  public let replaced: String?
  /// The date of the earlier version whose text it has; `nil` for a text of its own.
  public let restored: Instant?
  public let document: [UInt8]

  public init(
    id: Int64 = 0, app: AppID, effectiveFrom: Instant, document: [UInt8], source: String,
    publishedAt: Instant, publishedBy: String, note: String = "", draft: Int64? = nil,
    replaced: String? = nil, restored: Instant? = nil
  ) {
    self.id = id
    self.app = app
    self.effectiveFrom = effectiveFrom
    digest = SHA256Digest(of: document).hex
    self.source = source
    self.publishedAt = publishedAt
    self.publishedBy = publishedBy
    self.note = note
    self.draft = draft
    self.replaced = replaced
    self.restored = restored
    self.document = document
  }

  func insert(_ connection: borrowing LedgerDatabase) throws(LedgerError) {
    let insert = try connection.prepare(
      """
      INSERT INTO mapping_publication(app, effective_from, digest, source, published_at, published_by, note,
        draft, replaced, restored, document)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
      """)
    try insert.run(
      app.number, effectiveFrom.milliseconds, digest, source, publishedAt.milliseconds, publishedBy, note,
      draft, replaced, restored?.milliseconds, document)
  }

  fileprivate static func all(
    _ connection: borrowing LedgerDatabase, of app: AppID?
  ) throws(LedgerError) -> [MappingPublication] {
    var all: [MappingPublication] = []
    let statement = try connection.prepare(
      """
      SELECT id, app, effective_from, source, published_at, published_by, note, draft, replaced, restored, document
      FROM mapping_publication WHERE ?1 IS NULL OR app = ?1 ORDER BY id DESC
      """)
    try statement.bind(app?.number)
    try statement.forEachRow { row in
      guard let app = AppID(row.count(1)) else { return }
      all.append(
        MappingPublication(
          id: row.count(0), app: app, effectiveFrom: Instant(milliseconds: row.count(2)),
          document: row.bytes(10), source: row.text(3) ?? "",
          publishedAt: Instant(milliseconds: row.count(4)), publishedBy: row.text(5) ?? "",
          note: row.text(6) ?? "", draft: row.integer(7), replaced: row.text(8),
          restored: row.integer(9).map { Instant(milliseconds: $0) }))
    }
    return all
  }
}

extension MappingPublication: ChangeRecord {
  package static let form = Form({
    Self(
      app: $0, effectiveFrom: $1, document: $2, source: $3, publishedAt: $4, publishedBy: $5, note: $6,
      draft: $7, replaced: $8, restored: $9)
  }) {
    (
      $0.app, $0.effectiveFrom, $0.document, $0.source, $0.publishedAt, $0.publishedBy, $0.note, $0.draft,
      $0.replaced, $0.restored
    )
  }
}

extension LedgerReader {
  /// What was published, the newest first; of one app, or with `nil` of all.
  public func mappingPublications(of app: AppID? = nil) throws(LedgerError) -> [MappingPublication] {
    try MappingPublication.all(connection, of: app)
  }
}

extension [StoredMapping] {
  /// A digest over the versions of an app: the same while none of them has changed.
  public func state(of app: AppID) -> String {
    let lines = filter { $0.app == app }.map { "\($0.effectiveFrom.milliseconds) \($0.digest)\n" }.sorted()
    return SHA256Digest(of: [UInt8](lines.joined().utf8)).hex
  }
}
