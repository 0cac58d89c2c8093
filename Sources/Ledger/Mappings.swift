public import Platform
public import Postbacks
import SQLite

/// A mapping document as the ledger keeps it; what it says is for others to read.
public struct StoredMapping: Hashable, Sendable {
  /// The name of the file that it was loaded from; no two have the same.
  public let source: String
  /// The app.
  public let app: AppID
  /// When devices start to follow it; no two of one app have the same moment.
  public let effectiveFrom: Instant
  /// The SHA-256 of the document, in hexadecimal digits.
  public let digest: String
  /// When it was loaded.
  public let loadedAt: Instant
  /// The document, as it stood in the file.
  public let document: [UInt8]

  /// Joins the parts of a stored mapping.
  public init(
    source: String, app: AppID, effectiveFrom: Instant, digest: String, loadedAt: Instant, document: [UInt8]
  ) {
    self.source = source
    self.app = app
    self.effectiveFrom = effectiveFrom
    self.digest = digest
    self.loadedAt = loadedAt
    self.document = document
  }
}

/// Replaces the mappings of a ledger while its writer goes on; one thread owns it.
public final class MappingStore {
  private let connection: Connection

  /// Opens a database, and makes it when it is missing.
  ///
  /// - Throws: ``LedgerError``.
  public init(path: String) throws(LedgerError) { connection = try LedgerWriter.open(path, LedgerSettings()) }

  /// The mappings, by app and moment.
  ///
  /// - Throws: ``LedgerError``.
  public func mappings() throws(LedgerError) -> [StoredMapping] {
    try asLedger { () throws(SQLiteError) in try StoredMapping.all(connection) }
  }

  /// Puts other mappings in the place of all that are there, in one transaction: every report sees the old ones or
  /// the new ones.
  ///
  /// - Throws: ``LedgerError``; then nothing has changed.
  public func replaceAll(with mappings: [StoredMapping]) throws(LedgerError) {
    try asLedger { () throws(SQLiteError) in
      try connection.transaction { () throws(SQLiteError) in
        try connection.execute("DELETE FROM mapping_version")
        let insert = try connection.prepare(
          """
          INSERT INTO mapping_version(source, app, effective_from, digest, loaded_at, document)
          VALUES (?1, ?2, ?3, ?4, ?5, ?6)
          """)
        for mapping in mappings {
          try insert.bind(mapping.source, at: 1)
          try insert.bind(mapping.app.number, at: 2)
          try insert.bind(mapping.effectiveFrom.milliseconds, at: 3)
          try insert.bind(mapping.digest, at: 4)
          try insert.bind(mapping.loadedAt.milliseconds, at: 5)
          try insert.bind(mapping.document, at: 6)
          try insert.run()
        }
      }
    }
  }
}

extension LedgerReader {
  /// The mappings, by app and moment.
  ///
  /// - Throws: ``LedgerError``.
  public func mappings() throws(LedgerError) -> [StoredMapping] {
    try asLedger { () throws(SQLiteError) in try StoredMapping.all(connection) }
  }
}

extension StoredMapping {
  fileprivate static func all(_ connection: borrowing Connection) throws(SQLiteError) -> [StoredMapping] {
    var all: [StoredMapping] = []
    try connection.prepare(
      """
      SELECT source, app, effective_from, digest, loaded_at, document FROM mapping_version
      ORDER BY app, effective_from
      """
    ).forEachRow { row in
      guard let app = AppID(row.count(1)) else { return }
      all.append(
        StoredMapping(
          source: row.text(0) ?? "", app: app, effectiveFrom: Instant(milliseconds: row.count(2)),
          digest: row.text(3) ?? "", loadedAt: Instant(milliseconds: row.count(4)), document: row.bytes(5)))
    }
    return all
  }
}
