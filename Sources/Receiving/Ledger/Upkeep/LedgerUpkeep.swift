import SQLite
import System
package import Values

/// Copies and thins a ledger while its writer goes on; one thread owns it.
public final class LedgerUpkeep {
  package let path: String
  private let connection: LedgerDatabase
  private let isInterrupted: () -> Bool

  /// Opens a database that exists and leaves its journal as it is.
  ///
  /// - Parameters:
  ///   - path: The database file.
  ///   - isInterrupted: Looked at every few thousand steps; `true` ends what runs as ``LedgerError/tookTooLong``.
  public init(path: String, isInterrupted: @escaping () -> Bool = { false }) throws(LedgerError) {
    _ = try LedgerReader(path: path)
    self.isInterrupted = isInterrupted
    self.path = path
    connection = try LedgerDatabase(path: path, mode: .readWrite)
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
    // An empty file is as good as none to SQLite, and keeps its permissions.
    try connection.prepare("VACUUM INTO ?1").run(temporaryPath)
    try verify(copy: temporaryPath)
    try file.commit()
  }

  /// Checks that a copy is sound and ours, and gives it a rollback journal.
  private func verify(copy path: String) throws(LedgerError) {
    let copy = try LedgerDatabase(path: path, mode: .readWrite)
    copy.endStatements(when: isInterrupted)
    try Schema.requireCurrent(copy)
    // Put in place of the database, the copy must not take the old log for its own.
    try Schema.renewLineage(copy)
    guard try copy.text("PRAGMA journal_mode = DELETE") == "delete" else {
      throw .storage(SQLiteError(code: 10, message: "the copy can't have a rollback journal"))
    }
    let soundness = try copy.text("PRAGMA quick_check(1)") ?? ""
    guard soundness == "ok" else { throw .damaged("the copy is damaged: \(soundness)") }
    let rows = "SELECT max(id) FROM postback"
    guard try connection.integer(rows) ?? 0 >= copy.integer(rows) ?? 0 else {
      throw .damaged("the copy is from another database")
    }
  }

  /// Writes a row and takes it back; nothing of it stays.
  ///
  /// - Throws: ``LedgerError`` where nothing can be written now.
  public func tryWriting() throws(LedgerError) {
    guard !connection.isReadOnly else { throw .readOnly }
    try connection.execute("BEGIN IMMEDIATE")
    defer { try? connection.execute("ROLLBACK") }
    try connection.execute("INSERT INTO origin(route, name) VALUES ('file', 'skan doctor')")
  }

  /// How many bodies ``ChangeWriter/prune(before:)`` would delete.
  ///
  /// - Parameter moment: What came before it is old.
  package func countOldBodies(before moment: Instant) throws(LedgerError) -> PrunedBodies {
    var counts = PrunedBodies()
    for bodies in Pruning.Bodies.allCases {
      counts[bodies] =
        try connection.integer(
          "SELECT count(*) FROM \(bodies.table) WHERE \(bodies.isOld(before: moment))") ?? 0
    }
    counts.purchases =
      try connection.integer("SELECT count(*) FROM purchase WHERE at < \(moment.milliseconds)") ?? 0
    return counts
  }
}

extension LedgerUpkeep: ChangeWriter {
  package func write<Change: LedgerChange>(_ change: Change) throws(LedgerError) -> Change.Outcome {
    try LedgerWriter.requireNoJournal(connection)
    return try connection.transaction { () throws(LedgerError) in try change.apply(on: connection) }
  }
}
