public import Postbacks
import SQLite
public import Values

/// A mapping document as the ledger keeps it; others read its content.
public struct StoredMapping: Hashable, Sendable {
  /// The name of the file that it was loaded from; no two have the same.
  public let source: String
  public let app: AppID
  /// When devices start to follow it; no two of one app have the same moment.
  public let effectiveFrom: Instant
  /// The SHA-256 of the document, in hexadecimal digits.
  public let digest: String
  public let loadedAt: Instant
  public let document: [UInt8]

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

/// A mapping file that was rejected, and what is in force instead.
public struct RejectedMapping: Hashable, Sendable {
  /// The file's name.
  public let source: String
  /// In which way: `rejected` for errors in it, `unreadable`, or `clash` with another file.
  public let state: String
  public let reason: String
  /// When it was rejected first; it has not been right since.
  public let since: Instant
  /// Whether an earlier state of the file is in force.
  public let keepsOld: Bool

  public init(source: String, state: String, reason: String, since: Instant, keepsOld: Bool) {
    self.source = source
    self.state = state
    self.reason = reason
    self.since = since
    self.keepsOld = keepsOld
  }
}

/// Replaces the mappings of a ledger while its writer goes on; one thread owns it.
public final class MappingStore {
  let connection: Connection

  /// Opens a database.
  ///
  /// - Parameter makesFile: Whether the file is made when it is missing; `false` beside a running service.
  public init(path: String, makesFile: Bool = true) throws(LedgerError) {
    connection = try LedgerWriter.open(path, LedgerSettings(), makesFile: makesFile)
  }

  public func mappings() throws(LedgerError) -> [StoredMapping] {
    try asLedger { () throws(SQLiteError) in try StoredMapping.all(connection) }
  }

  /// The files that were rejected, by name.
  public func rejected() throws(LedgerError) -> [RejectedMapping] {
    try asLedger { () throws(SQLiteError) in try RejectedMapping.all(connection) }
  }

  /// Puts other mappings in the place of all that are there, in one transaction: every report sees the old ones or
  /// the new ones.
  ///
  /// - Parameters:
  ///   - mappings: What is in force from now on.
  ///   - rejected: The files that were rejected; `nil` to leave what is known of them.
  ///   - rejectedAt: When a file was rejected anew; `nil` where none was.
  /// - Throws: ``LedgerError``; then nothing has changed.
  public func replaceAll(
    with mappings: [StoredMapping], rejected: [RejectedMapping]? = nil, rejectedAt: Instant? = nil
  ) throws(LedgerError) {
    _ = try exchange(nil, for: mappings, rejected: rejected, rejectedAt: rejectedAt)
  }

  /// Puts other mappings in the place of those that the caller has seen, unless there are others by now.
  ///
  /// - Parameters:
  ///   - old: What the caller has seen; `nil` where it does not matter.
  ///   - mappings: What is in force from now on.
  ///   - rejected: The files that were rejected; `nil` to leave what is known of them.
  ///   - rejectedAt: When a file was rejected anew; `nil` where none was.
  ///   - publication: Who asked for it, to be stored; `nil` where no person did.
  /// - Returns: Whether it was done; nothing has changed where it was not.
  /// - Throws: ``LedgerError``; then nothing has changed.
  public func exchange(
    _ old: [StoredMapping]?, for mappings: [StoredMapping], rejected: [RejectedMapping]? = nil,
    rejectedAt: Instant? = nil, publication: MappingPublication? = nil
  ) throws(LedgerError) -> Bool {
    try asLedger { () throws(SQLiteError) in
      try connection.transaction { () throws(SQLiteError) in
        if let old, try Set(StoredMapping.all(connection)) != Set(old) { return false }
        if let publication { try publication.insert(connection) }
        if let rejected { try replace(rejected) }
        if let rejectedAt { try LastEvent.mappingRejected.note(rejectedAt, on: connection) }
        try connection.execute("DELETE FROM mapping_version")
        let insert = try connection.prepare(
          """
          INSERT INTO mapping_version(source, app, effective_from, digest, loaded_at, document)
          VALUES (?1, ?2, ?3, ?4, ?5, ?6)
          """)
        for mapping in mappings {
          try insert.run([
            mapping.source, mapping.app.number, mapping.effectiveFrom.milliseconds, mapping.digest,
            mapping.loadedAt.milliseconds, mapping.document,
          ])
        }
        return true
      }
    }
  }

  private func replace(_ rejected: [RejectedMapping]) throws(SQLiteError) {
    try connection.execute("DELETE FROM rejected_mapping")
    let insert = try connection.prepare(
      "INSERT INTO rejected_mapping(source, state, reason, since, keeps_old) VALUES (?1, ?2, ?3, ?4, ?5)")
    for file in rejected {
      try insert.run([file.source, file.state, file.reason, file.since.milliseconds, file.keepsOld ? 1 : 0])
    }
  }
}

extension LedgerReader {
  public func mappings() throws(LedgerError) -> [StoredMapping] {
    try asLedger { () throws(SQLiteError) in try StoredMapping.all(connection) }
  }

  /// The mapping files that were rejected, by name.
  public func rejectedMappings() throws(LedgerError) -> [RejectedMapping] {
    try asLedger { () throws(SQLiteError) in try RejectedMapping.all(connection) }
  }
}

extension RejectedMapping {
  fileprivate static func all(_ connection: borrowing Connection) throws(SQLiteError) -> [RejectedMapping] {
    try connection.prepare(
      "SELECT source, state, reason, since, keeps_old FROM rejected_mapping ORDER BY source"
    ).rows { row in
      RejectedMapping(
        source: row.text(0) ?? "", state: row.text(1) ?? "", reason: row.text(2) ?? "",
        since: Instant(milliseconds: row.count(3)), keepsOld: row.count(4) == 1)
    }
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
