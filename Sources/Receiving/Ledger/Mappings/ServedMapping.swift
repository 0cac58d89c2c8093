public import Postbacks
import SQLite
public import Values

/// A mapping version that apps got, and since when.
public struct ServedMapping: Hashable, Sendable {
  public let app: AppID
  /// When devices start to follow the version.
  public let effectiveFrom: Instant
  /// The SHA-256 of the mapping, in hexadecimal digits.
  public let digest: String
  /// When an app got it first.
  public let since: Instant

  public init(app: AppID, effectiveFrom: Instant, digest: String, since: Instant) {
    self.app = app
    self.effectiveFrom = effectiveFrom
    self.digest = digest
    self.since = since
  }
}

extension ServedMapping: ChangeRecord {
  package static let form = Form(Self.init) { ($0.app, $0.effectiveFrom, $0.digest, $0.since) }
}

struct ServedMappings: LedgerChange {
  static let kind = ChangeKind.servedMappings

  let served: [ServedMapping]

  func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) {
    let insert = try connection.prepare(
      """
      INSERT INTO served_mapping(app, effective_from, digest, since) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT DO UPDATE SET since = min(since, excluded.since)
      """)
    for version in served {
      try insert.run(
        version.app.number, version.effectiveFrom.milliseconds, version.digest, version.since.milliseconds)
    }
  }

  static let form = Form(Self.init) { $0.served }
}

extension LedgerReader {
  /// Since when apps got a stored version; `nil` where none got it yet.
  public func served(_ mappings: [StoredMapping]) throws(LedgerError) -> [Instant?] {
    let statement = try connection.prepare(
      "SELECT since FROM served_mapping WHERE app = ?1 AND effective_from = ?2 AND digest = ?3")
    var found: [Instant?] = []
    for mapping in mappings {
      try statement.bind(mapping.app.number, mapping.effectiveFrom.milliseconds, mapping.digest)
      found.append(try statement.firstRow { Instant(milliseconds: $0.count(0)) })
    }
    return found
  }
}
