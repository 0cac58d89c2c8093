import Postbacks
import SQLite
import System
public import Values

/// One import of a file of postbacks, which can be taken back where nothing has used it.
public struct ImportRun: Equatable, Sendable {
  /// Its number; `nil` until it has added something.
  public internal(set) var id: Int64?
  public let beganAt: Instant
  public internal(set) var conversions: Int64 = 0
  public internal(set) var copies: Int64 = 0
  /// When it was taken back; `nil` while it counts.
  public internal(set) var withdrawnAt: Instant?
  /// The rows of its first and its last conversion.
  var rows: ClosedRange<Int64>?
  let origin: Int64

  init(origin: Int64, beganAt: Instant) {
    self.origin = origin
    self.beganAt = beganAt
  }

  mutating func add(_ commitments: [Commitment], copies added: Int) {
    copies += Int64(added)
    for case let commitment in commitments where commitment.effect == .first {
      guard let row = commitment.row else { continue }
      conversions += 1
      rows = min(row, rows?.lowerBound ?? row)...max(row, rows?.upperBound ?? row)
    }
  }
}

/// What distinguishes an import; it goes before its receipts, and all of the same batch belong to it.
package struct ImportMark: Equatable, Sendable, ChangeRecord {
  let origin: Origin
  let beganAt: Instant
  /// Its number, where it has added something before.
  let continues: Int64?

  package static let form = Form(Self.init) { ($0.origin, $0.beganAt, $0.continues) }
}

final class ImportRunStore {
  private let insert: LedgerStatement
  private let update: LedgerStatement
  private let select: LedgerStatement
  private let find: LedgerStatement

  private static let columns = "id, origin, began_at, first, last, conversions, copies, withdrawn_at"

  init(_ connection: borrowing LedgerDatabase) throws(LedgerError) {
    insert = try connection.prepare(
      """
      INSERT INTO import_run(origin, began_at, first, last, conversions, copies) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """)
    update = try connection.prepare(
      """
      UPDATE import_run SET first = ?2, last = ?3, conversions = ?4, copies = ?5, withdrawn_at = ?6 WHERE id = ?1
      """)
    select = try connection.prepare(
      """
      SELECT \(Self.columns) FROM import_run ORDER BY id DESC
      """)
    find = try connection.prepare(
      "SELECT \(Self.columns) FROM import_run WHERE id = ?1 AND origin = ?2 AND withdrawn_at IS NULL")
  }

  /// Writes a run that added something, and gives a new one its number.
  func save(_ run: inout ImportRun, on connection: borrowing LedgerDatabase) throws(LedgerError) {
    guard let id = run.id else {
      guard run.conversions > 0 || run.copies > 0 else { return }
      try insert.run(
        run.origin, run.beganAt.milliseconds, run.rows?.lowerBound, run.rows?.upperBound, run.conversions,
        run.copies)
      run.id = connection.lastInsertedID
      return
    }
    try update.run(
      id, run.rows?.lowerBound, run.rows?.upperBound, run.conversions, run.copies,
      run.withdrawnAt?.milliseconds)
  }

  /// All runs, the latest first.
  func all() throws(LedgerError) -> [ImportRun] { try select.rows { ImportRun($0) } }

  /// The run that a mark stands for, as far as it is; a new one where there is none.
  func run(of mark: ImportMark, origin: Int64) throws(LedgerError) -> ImportRun {
    let new = ImportRun(origin: origin, beganAt: mark.beganAt)
    guard let number = mark.continues else { return new }
    try find.bind(number, origin)
    return try find.firstRow { ImportRun($0) } ?? new
  }
}

extension ImportRun {
  fileprivate init(_ row: borrowing Row) {
    self.init(origin: row.count(1), beganAt: Instant(milliseconds: row.count(2)))
    id = row.count(0)
    if let first = row.integer(3), let last = row.integer(4), first <= last { rows = first...last }
    (conversions, copies) = (row.count(5), row.count(6))
    withdrawnAt = row.integer(7).map { Instant(milliseconds: $0) }
  }
}

/// Why an import is not taken back.
public enum ImportRunObstacle: Error, Equatable, Sendable {
  /// There is no such run; the numbers of the latest ones that count.
  case notFound(known: [Int64])
  /// It was taken back before.
  case withdrawn(Instant)
  /// It added copies to conversions that others had sent, whose counts nothing tells apart any more.
  case hasCopies(Int64)
  /// Others have sent copies of its conversions.
  case isRepeated(Int64)
  case isRelayed([String])
}

extension LedgerRebuild {
  /// Takes an import back.
  ///
  /// Its conversions go into ``Environment/withdrawn``, where they count in no other figure, and all totals are counted
  /// again, in one transaction. The file can be imported again afterwards.
  ///
  /// - Parameters:
  ///   - onStep: Called before each total is compared.
  /// - Returns: The run, or why nothing was changed.
  /// - Complexity: Linear in the rows, as ``repair(_:)``.
  /// - Throws: ``LedgerError``, with nothing changed; ``LedgerError/busy`` where a service has the database.
  public func withdraw(
    _ id: Int64, now: Instant, _ onStep: (Step) -> Void = { _ in }
  ) throws(LedgerError) -> Result<ImportRun, ImportRunObstacle> {
    // The other nodes would go on counting it.
    try LedgerWriter.requireNoJournal(try LedgerReader(path: path).connection)
    return try changing(onStep) { connection throws(LedgerError) in
      let runs = try ImportRunStore(connection)
      let known = try runs.all()
      guard var run = known.first(where: { $0.id == id }) else {
        return .failure(.notFound(known: known.filter { $0.withdrawnAt == nil }.compactMap(\.id)))
      }
      if let obstacle = try Self.obstacle(run, on: connection) { return .failure(obstacle) }
      if let rows = run.rows {
        try connection.execute(
          """
          UPDATE postback SET environment = \(Environment.withdrawn.code)
          WHERE id BETWEEN \(rows.lowerBound) AND \(rows.upperBound) AND origin = \(run.origin)
          """)
      }
      _ = try Self.mendTotals(on: connection, onStep)
      run.withdrawnAt = now
      try runs.save(&run, on: connection)
      return .success(run)
    }
  }

  private static func obstacle(
    _ run: ImportRun, on connection: borrowing LedgerDatabase
  ) throws(LedgerError) -> ImportRunObstacle? {
    if let moment = run.withdrawnAt { return .withdrawn(moment) }
    if run.copies > 0 { return .hasCopies(run.copies) }
    guard let rows = run.rows else { return nil }
    let isOwn =
      "p.id BETWEEN \(rows.lowerBound) AND \(rows.upperBound) AND p.origin = \(run.origin)"
    let copies = try connection.integer(
      "SELECT count(*) FROM postback_copy s JOIN postback p ON p.id = s.postback WHERE \(isOwn)")
    if let copies, copies > 0 { return .isRepeated(copies) }
    var relays: [String] = []
    try connection.prepare("SELECT name FROM relay WHERE postback >= \(rows.lowerBound) ORDER BY name")
      .forEachRow { relays.append($0.text(0) ?? "") }
    return relays.isEmpty ? nil : .isRelayed(relays)
  }
}
