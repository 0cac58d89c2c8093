import SQLite
import System
public import Values

/// Copies and thins a ledger while its writer goes on; one thread owns it.
public final class LedgerUpkeep {
  /// Rows that one transaction of ``prune(before:onlyCounts:)`` looks at, so that postbacks are stored in between.
  private static let piece = 5000

  let connection: Connection
  private let isInterrupted: () -> Bool

  /// Opens a database that exists and leaves its journal as it is.
  ///
  /// - Parameters:
  ///   - path: The database file.
  ///   - isInterrupted: Looked at every few thousand steps; `true` ends what runs as ``LedgerError/tookTooLong``.
  public init(path: String, isInterrupted: @escaping () -> Bool = { false }) throws(LedgerError) {
    _ = try LedgerReader(path: path)
    self.isInterrupted = isInterrupted
    connection = try asLedger { () throws(SQLiteError) in try Connection(path: path, mode: .readWrite) }
    connection.endStatements(when: isInterrupted)
  }

  /// Writes a copy of one state of the database to a new file, without the empty pages; only its owner can read it.
  ///
  /// The copy has its name only once it is whole, checked and on the disk. It has a rollback journal, so that a
  /// program that only reads it leaves no other file beside it; a service gives it a write-ahead log.
  ///
  /// - Parameter path: The new file; only this user can read it.
  /// - Throws: ``LedgerError``, or `FileError` where the file is there already or can't be written; then nothing of it is
  ///   left.
  public func copy(to path: String) throws {
    try requirePlainPath(path)
    let file = try AtomicFile(path, mode: 0o600, replacesExisting: false, isNamed: true)
    let temporaryPath = file.temporaryPath
    try asLedger { () throws(SQLiteError) in
      // An empty file is as good as none to SQLite, and keeps its permissions.
      let statement = try connection.prepare("VACUUM INTO ?1")
      try statement.run([temporaryPath])
    }
    try verify(copy: temporaryPath)
    try file.commit()
  }

  /// Checks that a copy is sound and ours, and gives it a rollback journal.
  private func verify(copy path: String) throws(LedgerError) {
    let copy = try asLedger { () throws(SQLiteError) in try Connection(path: path, mode: .readWrite) }
    copy.endStatements(when: isInterrupted)
    try Schema.requireCurrent(copy)
    try asLedger { () throws(SQLiteError) in
      // Put in place of the database, the copy must not take the old log for its own.
      try Schema.renewLineage(copy)
      guard try copy.text("PRAGMA journal_mode = DELETE") == "delete" else {
        throw SQLiteError(code: 10, message: "the copy can't have a rollback journal")
      }
      let soundness = try copy.text("PRAGMA quick_check(1)") ?? ""
      guard soundness == "ok" else {
        throw SQLiteError(code: 11, message: "the copy is damaged: \(soundness)")
      }
      let rows = "SELECT max(id) FROM postback"
      guard try connection.integer(rows) ?? 0 >= copy.integer(rows) ?? 0 else {
        throw SQLiteError(code: 11, message: "the copy is from another database")
      }
    }
  }

  /// Writes a row and takes it back; nothing of it stays.
  ///
  /// - Throws: ``LedgerError`` where nothing can be written now.
  public func tryWriting() throws(LedgerError) {
    guard !connection.isReadOnly else {
      throw .storage(SQLiteError(code: 8, message: "the file is read-only"))
    }
    try asLedger { () throws(SQLiteError) in
      try connection.execute("BEGIN IMMEDIATE")
      defer { try? connection.execute("ROLLBACK") }
      try connection.execute("INSERT INTO origin(route, name) VALUES ('file', 'skan doctor')")
    }
  }

  public struct Pruned: Hashable, Sendable {
    public fileprivate(set) var rejectedBodies: Int64 = 0
    /// Bodies of further copies that equal the first one.
    public fileprivate(set) var copyBodies: Int64 = 0
    public fileprivate(set) var webBodies: Int64 = 0
    public fileprivate(set) var inboxArrivals: Int64 = 0
  }

  /// Deletes old bodies that no figure needs: rejected ones, further copies that agree with the first, web clicks, and
  /// what came to test inboxes.
  ///
  /// First copies and conflicts stay, and so do all counts. What an interruption leaves undone, the next call does.
  ///
  /// - Parameters:
  ///   - moment: What came before it is old.
  ///   - onlyCounts: Whether nothing is changed.
  /// - Returns: What was deleted, or would be.
  /// - Complexity: Linear in the rejected bodies and further copies.
  public func prune(before moment: Instant, onlyCounts: Bool) throws(LedgerError) -> Pruned {
    let isOldBody = "received_at < \(moment.milliseconds)"
    let isOldCopy = "last_received_at < \(moment.milliseconds) AND conflict IS NULL AND body IS NOT NULL"
    let isRejectedWebClick = "received_at < \(moment.milliseconds) AND reason IS NOT NULL"
    let isOldWebClick = "received_at < \(moment.milliseconds) AND reason IS NULL AND body IS NOT NULL"
    return try asLedger { () throws(SQLiteError) in
      var pruned = Pruned()
      if onlyCounts {
        pruned.rejectedBodies =
          try connection.integer("SELECT count(*) FROM rejected WHERE \(isOldBody)") ?? 0
        pruned.copyBodies =
          try connection.integer("SELECT count(*) FROM postback_copy WHERE \(isOldCopy)") ?? 0
        pruned.webBodies =
          try connection.integer(
            "SELECT count(*) FROM web_click WHERE \(isRejectedWebClick) OR \(isOldWebClick)") ?? 0
        pruned.inboxArrivals =
          try connection.integer("SELECT count(*) FROM inbox_arrival WHERE \(isOldBody)") ?? 0
        return pruned
      }
      // First, because the number of a deleted row can be another row's later.
      try connection.execute(
        """
        DELETE FROM network_form WHERE kind = \(NetworkFormStore.Table.rejected.rawValue)
          AND row IN (SELECT id FROM rejected WHERE \(isOldBody));
        DELETE FROM network_form WHERE kind = \(NetworkFormStore.Table.postbackCopy.rawValue)
          AND row IN (SELECT id FROM postback_copy WHERE \(isOldCopy));
        """)
      try forEachPiece(of: "rejected", doing: "DELETE FROM rejected WHERE \(isOldBody)") {
        pruned.rejectedBodies += $0
      }
      try forEachPiece(of: "postback_copy", doing: "UPDATE postback_copy SET body = NULL WHERE \(isOldCopy)")
      {
        pruned.copyBodies += $0
      }
      try forEachPiece(of: "web_click", doing: "DELETE FROM web_click WHERE \(isRejectedWebClick)") {
        pruned.webBodies += $0
      }
      // The rows stay, because they are what totals are recounted from and repeats are known by.
      try forEachPiece(of: "web_click", doing: "UPDATE web_click SET body = NULL WHERE \(isOldWebClick)") {
        pruned.webBodies += $0
      }
      try forEachPiece(of: "inbox_arrival", doing: "DELETE FROM inbox_arrival WHERE \(isOldBody)") {
        pruned.inboxArrivals += $0
      }
      return pruned
    }
  }

  /// Runs a statement on all rows of a table, in pieces of the order of their numbers.
  ///
  /// Each row is looked at in one piece only. A search for the next old rows would look at all that are done already.
  private func forEachPiece(
    of table: String, doing change: String, _ count: (Int64) -> Void
  ) throws(SQLiteError) {
    let findEnd = try connection.prepare(
      "SELECT max(id) FROM (SELECT id FROM \(table) WHERE id > ?1 ORDER BY id LIMIT \(Self.piece))")
    let statement = try connection.prepare("\(change) AND id > ?1 AND id <= ?2")
    var done = Int64.min
    while true {
      try findEnd.bind(done, at: 1)
      let found = try findEnd.firstRow { row in row.integer(0) }
      guard let end = found ?? nil else { return }
      try statement.bind([done, end])
      try connection.transaction { () throws(SQLiteError) in
        try statement.run()
        count(Int64(connection.changedRows))
      }
      done = end
    }
  }
}
