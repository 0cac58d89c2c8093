import Postbacks
import SQLite
import System
public import Values

/// Reads a ledger while its writer goes on; one thread owns it.
public final class LedgerReader {
  let connection: LedgerDatabase
  let path: String
  private(set) var networks: [Int64: String]
  /// What it sees at most.
  let limit: ReadLimit
  /// Blocks of postbacks after which a count of a report takes a second processor; `nil` for never, as beside a daemon's
  /// other work.
  package var blocksBeforeHelp: Int?
  /// Has what follows from imported rows; several readers can share one.
  package var memory = RowMemory()
  /// The number of the database's layout that this program reads and writes.
  package static var layout: Int { Schema.layout() }

  /// Opens a database that exists.
  ///
  /// - Parameters:
  ///   - path: The database file.
  ///   - limit: What it sees at most.
  ///   - seconds: The time from now after which what still reads fails as ``LedgerError/tookTooLong``; `nil` for any time.
  public init(
    path: String, limit: ReadLimit = .none, endingAfterSeconds seconds: Double? = nil
  ) throws(LedgerError) {
    self.limit = limit
    try requirePlainPath(path)
    let connection = try LedgerDatabase(path: path, mode: .readOnly)
    if let seconds { connection.endStatements(afterSeconds: seconds) }
    try Schema.requireCurrent(connection)
    if !limit.networks.isEmpty { try LimitedTables.leave(limit.networks, on: connection) }
    networks = try Self.names(in: .network, on: connection)
    self.connection = connection
    self.path = path
  }

  /// Whether its path still leads to the file that it reads, with the log beside it.
  var hasItsFile: Bool { connection.file?.isKept(at: path) ?? true }

  /// Reads the names of networks that are new since it was opened.
  func takeUpNetworks() throws(LedgerError) { networks = try names(in: .network) }

  /// Pages of the database that were looked at so far: what the work of the reader is measured in.
  var pagesRead: Int { connection.pagesRead }

  func names(in table: NameTable) throws(LedgerError) -> [Int64: String] {
    try Self.names(in: table, on: connection)
  }

  private static func names(
    in table: NameTable, on connection: borrowing LedgerDatabase
  ) throws(LedgerError) -> [Int64: String] {
    var names: [Int64: String] = [:]
    try connection.prepare("SELECT id, identifier FROM \(table.rawValue)").forEachRow {
      names[$0.count(0)] = $0.text(1)
    }
    return names
  }

  /// Lets several questions see one state of the database while its writer goes on; inside of another one it is that one's
  /// state.
  ///
  /// - Throws: What `body` throws, or ``LedgerError``.
  public func consistently<Value>(
    _ body: () throws(LedgerError) -> Value
  ) throws(LedgerError) -> Value {
    guard !connection.isInTransaction else { return try body() }
    try connection.execute("BEGIN")
    defer { try? connection.execute("COMMIT") }
    return try body()
  }

  enum NetworkRows {
    case all
    case only([Int64])

    /// The rows; `nil` for all.
    var some: [Int64]? { if case .only(let rows) = self { rows } else { nil } }
  }

  /// The rows of networks; `nil` when some were named, or the reader is limited to some, and none is known.
  func rows(of wanted: [AdNetworkID]) -> NetworkRows? {
    guard !wanted.isEmpty || !limit.networks.isEmpty else { return .all }
    let names = Set(wanted.map(\.canonical))
    // Those of the limit are the only ones that were read.
    let rows = networks.filter { wanted.isEmpty || names.contains($0.value) }.map(\.key)
    return rows.isEmpty ? nil : .only(rows)
  }

  /// How many bodies were rejected, by state and reason, in a range of UTC days.
  public func rejections(from: Day?, to: Day?) throws(LedgerError) -> [RejectionCount] {
    let statement = try connection.prepare(
      """
      SELECT state, reason, sum(seen), sum(kept) FROM rejected_total WHERE day >= ?1 AND day < ?2
      GROUP BY state, reason ORDER BY state, reason
      """)
    try statement.bind(Int64(from?.number ?? .min), Int64(to?.number ?? .max))
    var counts: [RejectionCount] = []
    try statement.forEachRow { row in
      guard let state = Rejection.State(rawValue: row.text(0) ?? "") else { return }
      counts.append(
        RejectionCount(state: state, reason: row.text(1) ?? "", seen: row.count(2), kept: row.count(3)))
    }
    return counts
  }

  /// Every conversion with that identifier, in order of arrival.
  public func conversions(identifier: String) throws(LedgerError) -> [StoredConversion] {
    try requireBodies()
    let range = ConversionKey.fingerprints(of: identifier)
    var rows: Set<Int64> = []
    let search = try KeySearch(connection)
    for row in try search.find(range) { rows.insert(row) }
    var found: [StoredConversion] = []
    for row in rows.sorted() {
      guard let conversion = try conversion(row), conversion.identifier.utf8.elementsEqual(identifier.utf8)
      else { continue }
      found.append(conversion)
    }
    return found
  }

  /// How many bodies are kept that claim that identifier and are rejected.
  public func rejectedBodyCount(identifier: String) throws(LedgerError) -> Int {
    let statement = try connection.prepare("SELECT count(*) FROM rejected WHERE identifier = ?1")
    try statement.bind(identifier)
    return try statement.firstRow { Int($0.count(0)) } ?? 0
  }

  /// The kept bodies that claim that identifier and are rejected, in order of arrival.
  ///
  /// - Parameters:
  ///   - identifier: The identifier, which any sender can claim.
  ///   - bytes: Bytes of bodies after which there are no more.
  public func rejectedBodies(
    identifier: String, atMostBytes bytes: Int = .max
  ) throws(LedgerError) -> [StoredRejection] {
    let statement = try connection.prepare(
      """
      SELECT r.id, r.received_at, o.route, o.name, r.state, r.reason, r.body
      FROM rejected r JOIN origin o ON o.id = r.origin WHERE r.identifier = ?1 ORDER BY r.id
      """)
    try statement.bind(identifier)
    var found: [StoredRejection] = []
    var left = bytes
    try statement.readRows { row in
      guard let state = Rejection.State(rawValue: row.text(4) ?? "") else { return true }
      found.append(
        StoredRejection(
          row: row.count(0), receivedAt: Instant(milliseconds: row.count(1)),
          origin: Origin(row, route: 2, name: 3), state: state, reason: row.text(5) ?? "",
          body: row.bytes(6)))
      left -= found.last?.body.count ?? 0
      return left > 0
    }
    return found
  }

  private func conversion(_ id: Int64) throws(LedgerError) -> StoredConversion? {
    let statement = try connection.prepare(
      """
      SELECT p.received_at, o.route, o.name, p.environment, p.version, p.identifier, p.body
      FROM postback p JOIN origin o ON o.id = p.origin WHERE p.id = ?1
      """)
    try statement.bind(id)
    let copies = try self.copies(of: id)
    return try statement.firstRow { row in
      StoredConversion(
        row: id, receivedAt: Instant(milliseconds: row.count(0)), origin: Origin(row, route: 1, name: 2),
        environment: decoded(row.integer(3)) { $0.code } ?? .test,
        version: decoded(row.integer(4)) { $0.code } ?? .v1_0, identifier: row.text(5) ?? "",
        body: row.bytes(6),
        copies: copies)
    }
  }

  private func copies(of postback: Int64) throws(LedgerError) -> [StoredCopy] {
    let statement = try connection.prepare(
      """
      SELECT s.received_at, s.last_received_at, s.times, o.route, o.name, s.conflict, s.body, s.digest = x''
      FROM postback_copy s JOIN origin o ON o.id = s.origin WHERE s.postback = ?1 ORDER BY s.id
      """)
    try statement.bind(postback)
    return try statement.rows { row in
      StoredCopy(
        receivedAt: Instant(milliseconds: row.count(0)),
        lastReceivedAt: Instant(milliseconds: row.count(1)),
        times: row.count(2), origin: Origin(row, route: 3, name: 4),
        conflict: row.text(5).map { $0.split(separator: ",").map(String.init) },
        body: row.isNull(6) ? nil : row.bytes(6), isCountedOnly: row.count(7) == 1)
    }
  }
}

extension Origin {
  fileprivate init(_ row: borrowing Row, route: Int32, name: Int32) {
    // The table is written by this program only, from the same enum.
    self.init(Route(rawValue: row.text(route) ?? "") ?? .file, name: row.text(name) ?? "")
  }
}
