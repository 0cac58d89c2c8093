import OpenSSL
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
public struct RejectedMapping: Equatable, Sendable {
  /// The file's name.
  public let source: String
  /// In which way: `rejected` for errors in it, `unreadable`, or `clash` with another file.
  public let state: String
  public let reason: Sentence
  /// When it was rejected first; it has not been right since.
  public let since: Instant
  /// Whether an earlier state of the file is in force.
  public let keepsOld: Bool

  public init(source: String, state: String, reason: Sentence, since: Instant, keepsOld: Bool) {
    self.source = source
    self.state = state
    self.reason = reason
    self.since = since
    self.keepsOld = keepsOld
  }
}

/// Replaces the mappings of a ledger.
package struct MappingStore {
  private let changes: any ChangeWriter

  /// Writes where changes go.
  package init(_ changes: any ChangeWriter) { self.changes = changes }

  /// Opens a database, and makes it when it is missing.
  package init(path: String) throws(LedgerError) { self.init(try LedgerFile(path: path)) }

  package func mappings() throws(LedgerError) -> [StoredMapping] {
    try LedgerReader(path: changes.path).mappings()
  }

  /// The files that were rejected, by name.
  package func rejected() throws(LedgerError) -> [RejectedMapping] {
    try LedgerReader(path: changes.path).rejectedMappings()
  }

  /// Puts other mappings in the place of all that are there, in one transaction: every report sees the old ones or
  /// the new ones.
  ///
  /// - Parameters:
  ///   - mappings: What is in force from now on.
  ///   - rejected: The files that were rejected; `nil` to leave what is known of them.
  ///   - rejectedAt: When a file was rejected anew; `nil` where none was.
  /// - Throws: ``LedgerError``; then nothing has changed.
  package func replaceAll(
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
  package func exchange(
    _ old: [StoredMapping]?, for mappings: [StoredMapping], rejected: [RejectedMapping]? = nil,
    rejectedAt: Instant? = nil, publication: MappingPublication? = nil
  ) throws(LedgerError) -> Bool {
    try changes.write(
      MappingExchange(
        known: old.map(\.digestOfAll), mappings: mappings, rejected: rejected, rejectedAt: rejectedAt,
        publication: publication))
  }

  /// Keeps since when apps got versions; of a version that is kept already the earlier time stays.
  ///
  /// - Throws: ``LedgerError``; then nothing has changed.
  package func note(_ served: [ServedMapping]) throws(LedgerError) {
    try changes.write(ServedMappings(served: served))
  }
}

extension [StoredMapping] {
  /// The same for the same mappings in any order, and for no others.
  fileprivate var digestOfAll: SHA256Digest {
    let forms = map { mapping -> [UInt8] in
      var bytes = ChangeEncoder()
      mapping.write(to: &bytes)
      return bytes.bytes
    }
    return SHA256Digest(of: forms.ordered { $0.lexicographicallyPrecedes($1) }.flatMap(\.self))
  }
}

struct MappingExchange: LedgerChange {
  static let kind = ChangeKind.mappings

  /// What stands for the mappings that the author has seen; `nil` where it does not matter.
  let known: SHA256Digest?
  let mappings: [StoredMapping]
  let rejected: [RejectedMapping]?
  let rejectedAt: Instant?
  let publication: MappingPublication?

  func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) -> Bool {
    if let known, try StoredMapping.all(connection).digestOfAll != known { return false }
    if let publication { try publication.insert(connection) }
    if let rejected { try replace(rejected, on: connection) }
    if let rejectedAt { try LastEvent.mappingRejected.note(rejectedAt, on: connection) }
    try connection.execute("DELETE FROM mapping_version")
    let insert = try connection.prepare(
      """
      INSERT INTO mapping_version(source, app, effective_from, digest, loaded_at, document)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """)
    for mapping in mappings {
      try insert.run(
        mapping.source, mapping.app.number, mapping.effectiveFrom.milliseconds, mapping.digest,
        mapping.loadedAt.milliseconds, mapping.document)
    }
    return true
  }

  private func replace(
    _ rejected: [RejectedMapping], on connection: borrowing LedgerDatabase
  ) throws(LedgerError) {
    try connection.execute("DELETE FROM rejected_mapping")
    let insert = try connection.prepare(
      "INSERT INTO rejected_mapping(source, state, reason, since, keeps_old) VALUES (?1, ?2, ?3, ?4, ?5)")
    for file in rejected {
      try insert.run(
        file.source, file.state, file.reason.column, file.since.milliseconds, file.keepsOld ? 1 : 0)
    }
  }

  static let form = Form(Self.init) { ($0.known, $0.mappings, $0.rejected, $0.rejectedAt, $0.publication) }
}

extension StoredMapping: ChangeRecord {
  package static let form = Form(Self.init) {
    ($0.source, $0.app, $0.effectiveFrom, $0.digest, $0.loadedAt, $0.document)
  }
}

extension RejectedMapping: ChangeRecord {
  package static let form = Form(Self.init) { ($0.source, $0.state, $0.reason, $0.since, $0.keepsOld) }
}

extension LedgerReader {
  public func mappings() throws(LedgerError) -> [StoredMapping] {
    try StoredMapping.all(connection)
  }

  /// The mapping files that were rejected, by name.
  public func rejectedMappings() throws(LedgerError) -> [RejectedMapping] {
    try RejectedMapping.all(connection)
  }
}

extension RejectedMapping {
  fileprivate static func all(_ connection: borrowing LedgerDatabase) throws(LedgerError) -> [RejectedMapping]
  {
    try connection.prepare(
      "SELECT source, state, reason, since, keeps_old FROM rejected_mapping ORDER BY source"
    ).rows { row in
      RejectedMapping(
        source: row.text(0) ?? "", state: row.text(1) ?? "", reason: Sentence(column: row.text(2)),
        since: Instant(milliseconds: row.count(3)), keepsOld: row.count(4) == 1)
    }
  }
}

extension StoredMapping {
  fileprivate static func all(_ connection: borrowing LedgerDatabase) throws(LedgerError) -> [StoredMapping] {
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
