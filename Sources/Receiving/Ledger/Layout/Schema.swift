import SQLite

/// The database file's layout: `layout.sql` and the views of it, and one step for each later layout of a release.
///
/// A step is never changed once released; a new layout is a new step. The low ten bits of `PRAGMA user_version` are the
/// number of the layout that a file has. The others are a number drawn for this file and for each backup of it, by which
/// a write-ahead log is known that belongs to another file.
///
/// What depends on the steps takes them as a parameter: an upgrade can then be tested with steps of the test's own.
enum Schema {
  /// `skan` in ASCII: marks the file as ours in its header (`PRAGMA application_id`).
  static let applicationID: Int64 = 0x736B_616E

  /// The number of the first layout; versions before the first release had lower ones, from which nothing leads here.
  static let firstLayout = 100

  /// The SQL of every step, in order; the first one makes the first layout.
  static let steps: [String] = [
    String(decoding: PackageResources.layout_sql, as: UTF8.self) + views
  ]

  /// The number of the layout that has taken these steps.
  static func layout(after steps: [String] = steps) -> Int { firstLayout + steps.count - 1 }

  /// Takes the steps that a file lacks, all in one transaction.
  ///
  /// - Throws: ``LedgerError`` when the file belongs to another program, to a newer version of this one, or to one from
  ///   before the first release.
  static func migrate(
    _ connection: borrowing LedgerDatabase, steps: [String] = steps
  ) throws(LedgerError) {
    if try isBefore(steps, connection) {
      try connection.transaction { () throws(LedgerError) in
        // Another process may have migrated while this one waited for the lock.
        guard try isBefore(steps, connection) else { return }
        let found = try userVersion(connection)
        let taken = found.layout == 0 ? 0 : found.layout - firstLayout + 1
        for step in steps.dropFirst(taken) { try connection.execute(step) }
        let lineage = try found.lineage == 0 ? drawnLineage(connection) : found.lineage
        let version = lineage << layoutBits | layout(after: steps)
        try connection.execute(
          "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
      }
      // Only the file itself can be compared with a log.
      _ = try? connection.integer("PRAGMA wal_checkpoint(PASSIVE)")
    }
    try refuseOther(connection, steps: steps)
  }

  /// Whether the file has no layout yet, or an earlier one than these steps make.
  private static func isBefore(
    _ steps: [String], _ connection: borrowing LedgerDatabase
  ) throws(LedgerError) -> Bool {
    let found = try userVersion(connection).layout
    return found == 0 || (firstLayout..<layout(after: steps)).contains(found)
  }

  /// Gives a copy of a database a number of its own.
  static func renewLineage(_ connection: borrowing LedgerDatabase) throws(LedgerError) {
    let lineage = try drawnLineage(connection)
    let layout = try userVersion(connection).layout
    try connection.execute("PRAGMA user_version = \(lineage << layoutBits | layout)")
  }

  /// The number of the file itself, without its log; 0 for none, `nil` for a file too short to have one.
  static func lineageOfFile(_ connection: borrowing LedgerDatabase) throws(LedgerError) -> Int? {
    try connection.userVersionOfFile().map { Int($0 >> layoutBits) }
  }

  /// The number that the file and its log show together.
  static func lineage(_ connection: borrowing LedgerDatabase) throws(LedgerError) -> Int {
    try userVersion(connection).lineage
  }

  /// Rejects a write-ahead log that came about beside another file: SQLite would take its pages for the file's own, and
  /// write them over those.
  ///
  /// - Throws: ``LedgerError/foreignLog``; the connection then leaves the log as it is.
  private static func rejectForeignLog(_ connection: borrowing LedgerDatabase) throws(LedgerError) {
    let ofFile = try lineageOfFile(connection) ?? 0
    let shown = try lineage(connection)
    guard ofFile == 0 || ofFile == shown else { throw .foreignLog }
  }

  /// Rejects a file that this program must not touch.
  ///
  /// - Throws: ``LedgerError`` when the file is another program's, of a newer version, or from before the first release.
  static func admit(
    _ connection: borrowing LedgerDatabase, steps: [String] = steps
  ) throws(LedgerError) {
    // Whatever is rejected stays as it is, also when the connection closes.
    connection.keepLog(true)
    try rejectForeignLog(connection)
    try check(connection)
    try refuseOther(connection, steps: steps)
    connection.keepLog(false)
  }

  /// Rejects a file that this program can't read.
  ///
  /// - Throws: ``LedgerError`` when the file is empty, another program's, or of another version.
  static func requireCurrent(
    _ connection: borrowing LedgerDatabase, steps: [String] = steps
  ) throws(LedgerError) {
    try rejectForeignLog(connection)
    try check(connection)
    guard try userVersion(connection).layout > 0 else { throw .notALedger }
    let (found, known) = (try refuseOther(connection, steps: steps), layout(after: steps))
    guard found == known else { throw .olderSchema(found: found, known: known) }
  }

  /// Rejects a layout that no step leads from, and returns that of the file; 0 for none.
  @discardableResult private static func refuseOther(
    _ connection: borrowing LedgerDatabase, steps: [String]
  ) throws(LedgerError) -> Int {
    let found = try userVersion(connection).layout
    guard found == 0 || found >= firstLayout else { throw .unreleasedSchema(found: found) }
    guard found <= layout(after: steps) else {
      throw .newerSchema(found: found, known: layout(after: steps))
    }
    return found
  }

  private static let layoutBits = 10

  private static func userVersion(
    _ connection: borrowing LedgerDatabase
  ) throws(LedgerError) -> (lineage: Int, layout: Int) {
    let number = try connection.integer("PRAGMA user_version").map { Int($0) } ?? 0
    return (number >> layoutBits, number & (1 << layoutBits - 1))
  }

  /// A number of 21 bits that is not 0.
  private static func drawnLineage(_ connection: borrowing LedgerDatabase) throws(LedgerError) -> Int {
    try connection.integer("SELECT abs(random() % 2097151) + 1").map { Int($0) } ?? 1
  }

  private static func check(_ connection: borrowing LedgerDatabase) throws(LedgerError) {
    let mark = try connection.integer("PRAGMA application_id") ?? 0
    let tables = try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0
    guard mark == applicationID || (mark == 0 && tables == 0) else { throw .notALedger }
  }
}
