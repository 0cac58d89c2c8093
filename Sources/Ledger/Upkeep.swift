public import Platform
import SQLite

/// Copies and thins a ledger while its writer goes on; one thread owns it.
public final class LedgerUpkeep {
  let connection: Connection

  /// Opens a database that exists.
  ///
  /// - Throws: ``LedgerError``.
  public init(path: String) throws(LedgerError) {
    _ = try LedgerReader(path: path)
    connection = try LedgerWriter.open(path, LedgerSettings())
  }

  /// Writes a copy of one state of the database to a new file, without the empty pages; only its owner can read it.
  ///
  /// - Throws: ``LedgerError`` where the file is there already, or the disk refuses.
  public func copy(to path: String) throws(LedgerError) {
    try asLedger { () throws(SQLiteError) in
      // SQLite fills a file that is empty, and would make one that others can read.
      makePrivateFile(path)
      let statement = try connection.prepare("VACUUM INTO ?1")
      try statement.bind(path, at: 1)
      try statement.run()
      // Put in place of the database, the copy must not take the old log for its own.
      try Schema.renewLineage(Connection(path: path, mode: .readWrite))
    }
  }

  /// Writes a row and takes it back; nothing of it stays.
  ///
  /// - Throws: ``LedgerError`` where nothing can be written now.
  public func tryWriting() throws(LedgerError) {
    try asLedger { () throws(SQLiteError) in
      try connection.execute("BEGIN IMMEDIATE")
      defer { try? connection.execute("ROLLBACK") }
      try connection.execute("INSERT INTO origin(route, name) VALUES ('file', 'skan doctor')")
    }
  }

  /// What was let go.
  public struct Pruned: Hashable, Sendable {
    /// Bodies that nobody vouched for.
    public fileprivate(set) var refusedBodies: Int64 = 0
    /// Bodies of further copies that say the same as the first one.
    public fileprivate(set) var copyBodies: Int64 = 0
  }

  /// Lets go of old bodies that no figure needs: refused ones, and further copies that contradict nothing.
  ///
  /// First copies and contradictions stay, and so do all counts.
  ///
  /// - Parameters:
  ///   - moment: What came before it is old.
  ///   - onlyCounts: Whether nothing is changed.
  /// - Returns: What was let go, or would be.
  /// - Throws: ``LedgerError``.
  public func prune(before moment: Instant, onlyCounts: Bool) throws(LedgerError) -> Pruned {
    try asLedger { () throws(SQLiteError) in
      var pruned = Pruned()
      let old = moment.milliseconds
      if onlyCounts {
        pruned.refusedBodies =
          try connection.integer("SELECT count(*) FROM refused WHERE received_at < \(old)") ?? 0
        pruned.copyBodies =
          try connection.integer(
            "SELECT count(*) FROM sighting WHERE last_received_at < \(old) AND conflict IS NULL AND body IS NOT NULL"
          ) ?? 0
        return pruned
      }
      // In pieces, so that postbacks can be stored in between.
      while true {
        let deleted = try connection.transaction { () throws(SQLiteError) in
          try connection.execute(
            "DELETE FROM refused WHERE id IN (SELECT id FROM refused WHERE received_at < \(old) LIMIT 5000)")
          return connection.changedRows
        }
        pruned.refusedBodies += Int64(deleted)
        if deleted == 0 { break }
      }
      while true {
        let emptied = try connection.transaction { () throws(SQLiteError) in
          try connection.execute(
            """
            UPDATE sighting SET body = NULL WHERE id IN (
              SELECT id FROM sighting
              WHERE last_received_at < \(old) AND conflict IS NULL AND body IS NOT NULL LIMIT 5000)
            """)
          return connection.changedRows
        }
        pruned.copyBodies += Int64(emptied)
        if emptied == 0 { break }
      }
      return pruned
    }
  }
}
