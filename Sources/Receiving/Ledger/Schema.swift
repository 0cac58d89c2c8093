import SQLite

/// The database file's layout, one step per released version of it.
///
/// A step is never changed once released; a new layout is a new step. The low ten bits of `PRAGMA user_version` count
/// the steps a file has taken. The others are a number drawn for this file and for each backup of it, by which a
/// write-ahead log is known that belongs to another file.
///
/// What depends on the steps takes them as a parameter: an upgrade can then be tested with steps of the test's own.
enum Schema {
  /// `skan` in ASCII: marks the file as ours in its header (`PRAGMA application_id`).
  static let applicationID: Int64 = 0x736B_616E

  /// The SQL of every step, in order.
  static let steps: [String] = [
    firstStep, secondStep, thirdStep, fourthStep, fifthStep, sixthStep, seventhStep,
    eighthStep, ninthStep, tenthStep, eleventhStep, twelfthStep,
  ]

  /// Takes the steps that a file lacks, all in one transaction.
  ///
  /// - Throws: ``LedgerError`` when the file belongs to another program or to a newer version of this one.
  static func migrate(
    _ connection: borrowing Connection, steps: [String] = steps
  ) throws(LedgerError) {
    try asLedger { () throws(SQLiteError) in
      let found = try userVersion(connection)
      guard found.layout < steps.count else { return }
      try connection.transaction { () throws(SQLiteError) in
        // Another process may have migrated while this one waited for the lock.
        let found = try userVersion(connection)
        guard found.layout <= steps.count else { return }
        for step in steps.dropFirst(found.layout) { try connection.execute(step) }
        let lineage = try found.lineage == 0 ? drawnLineage(connection) : found.lineage
        let version = lineage << layoutBits | steps.count
        try connection.execute(
          "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
      }
      // Only the file itself can be compared with a log.
      _ = try? connection.integer("PRAGMA wal_checkpoint(PASSIVE)")
    }
    try refuseNewer(connection, steps: steps)
  }

  /// Gives a copy of a database a number of its own.
  static func renewLineage(_ connection: borrowing Connection) throws(SQLiteError) {
    let lineage = try drawnLineage(connection)
    let layout = try userVersion(connection).layout
    try connection.execute("PRAGMA user_version = \(lineage << layoutBits | layout)")
  }

  /// The number of the file itself, without its log; 0 for none, `nil` for a file too short to have one.
  static func lineageOfFile(_ connection: borrowing Connection) throws(SQLiteError) -> Int? {
    try connection.userVersionOfFile().map { Int($0 >> layoutBits) }
  }

  /// The number that the file and its log show together.
  static func lineage(_ connection: borrowing Connection) throws(SQLiteError) -> Int {
    try userVersion(connection).lineage
  }

  /// Rejects a write-ahead log that came about beside another file: SQLite would take its pages for the file's own, and
  /// write them over those.
  ///
  /// - Throws: ``LedgerError/foreignLog``; the connection then leaves the log as it is.
  private static func rejectForeignLog(_ connection: borrowing Connection) throws(LedgerError) {
    let isOwn = try asLedger { () throws(SQLiteError) in
      let ofFile = try lineageOfFile(connection) ?? 0
      let shown = try lineage(connection)
      return ofFile == 0 || ofFile == shown
    }
    guard isOwn else { throw .foreignLog }
  }

  /// Rejects a file that this program must not touch.
  ///
  /// - Throws: ``LedgerError`` when the file is another program's or of a newer version.
  static func admit(
    _ connection: borrowing Connection, steps: [String] = steps
  ) throws(LedgerError) {
    // Whatever is rejected stays as it is, also when the connection closes.
    connection.keepLog(true)
    try rejectForeignLog(connection)
    try asLedger { () throws(SQLiteError) in try check(connection) }
    try refuseNewer(connection, steps: steps)
    connection.keepLog(false)
  }

  /// Rejects a file that this program can't read.
  ///
  /// - Throws: ``LedgerError`` when the file is empty, another program's, or of another version.
  static func requireCurrent(
    _ connection: borrowing Connection, steps: [String] = steps
  ) throws(LedgerError) {
    try rejectForeignLog(connection)
    try asLedger { () throws(SQLiteError) in
      try check(connection)
      guard try version(connection) > 0 else { throw SQLiteError(code: 26, message: "no tables") }
    }
    try refuseNewer(connection, steps: steps)
    let found = try asLedger { () throws(SQLiteError) in try version(connection) }
    guard found == Int64(steps.count) else { throw .olderSchema(found: Int(found), known: steps.count) }
  }

  private static func refuseNewer(
    _ connection: borrowing Connection, steps: [String]
  ) throws(LedgerError) {
    let found = try asLedger { () throws(SQLiteError) in try version(connection) }
    guard found <= Int64(steps.count) else { throw .newerSchema(found: Int(found), known: steps.count) }
  }

  private static let layoutBits = 10

  private static func version(_ connection: borrowing Connection) throws(SQLiteError) -> Int64 {
    Int64(try userVersion(connection).layout)
  }

  private static func userVersion(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> (lineage: Int, layout: Int) {
    let number = try connection.integer("PRAGMA user_version").map { Int($0) } ?? 0
    return (number >> layoutBits, number & (1 << layoutBits - 1))
  }

  /// A number of 21 bits that is not 0.
  private static func drawnLineage(_ connection: borrowing Connection) throws(SQLiteError) -> Int {
    try connection.integer("SELECT abs(random() % 2097151) + 1").map { Int($0) } ?? 1
  }

  private static func check(_ connection: borrowing Connection) throws(SQLiteError) {
    let mark = try connection.integer("PRAGMA application_id") ?? 0
    let tables = try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0
    guard mark == applicationID || (mark == 0 && tables == 0) else {
      throw SQLiteError(code: 26, message: "another program's database")
    }
  }
}
