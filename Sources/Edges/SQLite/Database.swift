import CSQLite
import Glibc
public import System

/// An open SQLite database, owned by exactly one place in the program, whose failures are errors of the owner's type.
///
/// A connection is not `Sendable`: the thread that holds it is the only one that can use it, so SQLite's own
/// mutexes are switched off. Source: <https://www.sqlite.org/threadsafe.html>
@safe public struct Database<Failure: SQLiteFailure>: ~Copyable {
  private let handle: OpaquePointer
  private let ending = EndingCondition()
  /// `nil` for a database in memory.
  private let database: OpenDatabase?

  /// How a database file is opened.
  public enum Mode: Sendable {
    /// The file must exist and is not changed.
    case readOnly
    case readWrite
    case create

    fileprivate var flags: Int32 {
      switch self {
      case .readOnly: SQLITE_OPEN_READONLY
      case .readWrite: SQLITE_OPEN_READWRITE
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    }
  }

  /// Opens a database file; one that is made can be read and written by its owner only.
  ///
  /// SQLite gives the files beside it the permissions of the database.
  ///
  /// - Parameters:
  ///   - path: The file, or `:memory:`.
  ///   - mode: Whether the file may be made or changed.
  ///   - busyMilliseconds: How long a statement waits for another connection's lock before it fails as busy.
  /// - Throws: `Failure` when the file can't be opened.
  public init(path: String, mode: Mode, busyMilliseconds: Int32 = 5000) throws(Failure) {
    // SQLite itself would make a file that others can read, and it holds secrets.
    if mode == .create, !path.isEmpty, !path.hasPrefix(":") { makePrivateFile(path) }
    _ = countsNoMemory
    // Before SQLite opens the file, so that nothing else closes it meanwhile.
    let database = OpenDatabase.at(path)
    if let database, database.log != .kept { throw Failure(.moved) }
    var opened: OpaquePointer?
    let code = unsafe sqlite3_open_v2(
      path, &opened, mode.flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard code == SQLITE_OK, let handle = unsafe opened else {
      let message = unsafe String(cString: sqlite3_errstr(code))
      // "Whether or not an error occurs when it is opened, resources ... should be released": sqlite3_open.
      unsafe sqlite3_close_v2(opened)
      throw Failure(SQLiteError(code: code, message: message, sql: nil))
    }
    unsafe self.handle = handle
    self.database = database
    // Neither call can fail with these arguments.
    _ = unsafe skan_sqlite_defensive(handle)
    _ = unsafe sqlite3_busy_timeout(handle, busyMilliseconds)
  }

  deinit {
    // A statement that outlives the connection must not ask what is gone with it.
    unsafe sqlite3_progress_handler(handle, 0, nil, nil)
    // `close_v2` waits for statements that outlive the connection, so the order of deinits is free.
    unsafe sqlite3_close_v2(handle)
  }

  /// Ends every statement that still runs when some time has passed from now; it fails as interrupted.
  ///
  /// The clock is looked at every few thousand steps of a statement.
  ///
  /// - Parameter seconds: The time, above 0.
  public borrowing func endStatements(afterSeconds seconds: Double) {
    let deadline = monotonicNanoseconds() + Int(max(1e-9, min(seconds, 1e9)) * 1e9)
    // The moment itself takes the place of a pointer, so that no memory has to live as long as the handler.
    unsafe sqlite3_progress_handler(
      handle, 4096, isOver, UnsafeMutableRawPointer(bitPattern: deadline))
  }

  /// Ends every statement that still runs when the answer is `true`; it fails as interrupted.
  ///
  /// It takes the place of a time that was set before.
  ///
  /// - Parameter isEnough: Asked on the connection's thread after every 4096 steps of a statement, which also measures
  ///   how much work it is.
  public borrowing func endStatements(when isEnough: @escaping () -> Bool) {
    ending.isEnough = isEnough
    unsafe sqlite3_progress_handler(handle, 4096, isEnoughNow, Unmanaged.passUnretained(ending).toOpaque())
  }

  /// Runs SQL that gives no rows; several statements may be in one text.
  public borrowing func execute(_ sql: String) throws(Failure) {
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code, sql: sql) }
  }

  /// Compiles one statement for repeated use.
  ///
  /// Values belong into parameters, never into the text.
  ///
  /// - Throws: `Failure` when the SQL does not compile.
  public borrowing func prepare(_ sql: String) throws(Failure) -> Statement<Failure> {
    var compiled: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, nil)
    guard code == SQLITE_OK, let statement = unsafe compiled else { throw failure(code, sql: sql) }
    return unsafe Statement(takingOwnershipOf: statement, of: database)
  }

  /// Runs `body` in one transaction: commits when it returns, rolls back when it throws.
  ///
  /// - Throws: What `body` throws, or `Failure` when the transaction can't begin or commit.
  public borrowing func transaction<Value>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try execute("BEGIN IMMEDIATE")
    do {
      let value = try body()
      try execute("COMMIT")
      return value
    } catch {
      // SQLite rolls back by itself after some errors; a second rollback then fails, and that is fine.
      try? execute("ROLLBACK")
      throw error
    }
  }

  public var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

  /// The first column of the first row of a query, as an integer; `nil` without a row or for NULL.
  public borrowing func integer(_ sql: String) throws(Failure) -> Int64? {
    let statement = try prepare(sql)
    var value: Int64?
    try statement.forEachRow { row in value = row.integer(0) }
    return value
  }

  /// The first column of the first row of a query, as text; `nil` without a row or for NULL.
  public borrowing func text(_ sql: String) throws(Failure) -> String? {
    let statement = try prepare(sql)
    var value: String?
    try statement.forEachRow { row in value = row.text(0) }
    return value
  }

  /// The file with its log; `nil` for a database in memory.
  ///
  /// Where the log is watched and it is removed or replaced, no further connection is opened in this process until
  /// all are closed, because SQLite shares the index of a log among connections and would mix two logs.
  public var file: OpenDatabase? { database }

  /// Whether the file can't be written; SQLite opens such a file all the same.
  public var isReadOnly: Bool { unsafe sqlite3_db_readonly(handle, "main") == 1 }

  /// Sets whether the write-ahead log is left as it is when this connection is the last one to close.
  public func keepLog(_ isKept: Bool) { _ = unsafe skan_sqlite_keep_log(handle, isKept ? 1 : 0) }

  /// The `PRAGMA user_version` of the file itself, whatever its write-ahead log has; `nil` where the file is too short
  /// to have one.
  ///
  /// Source: <https://www.sqlite.org/fileformat2.html>, section 1.3: four bytes at offset 60.
  ///
  /// - Throws: `Failure` where the file can't be read.
  public borrowing func userVersionOfFile() throws(Failure) -> Int64? {
    var bytes: [UInt8] = [0, 0, 0, 0]
    let code = unsafe skan_sqlite_read_file(handle, &bytes, 4, 60)
    // SQLITE_IOERR_SHORT_READ, which the importer skips.
    if code == 522 { return nil }
    guard code == SQLITE_OK else { throw failure(code, sql: nil) }
    return Int64(Int32(truncatingIfNeeded: bytes.reduce(0) { $0 << 8 | Int64($1) }))
  }

  /// Rows that the last statement inserted, changed or deleted.
  public var changedRows: Int { Int(unsafe sqlite3_changes64(handle)) }

  /// Pages that the statements of this connection have looked at so far, in its cache or in the file.
  ///
  /// The C function is `sqlite3_db_status`.
  public var pagesRead: Int {
    [SQLITE_DBSTATUS_CACHE_HIT, SQLITE_DBSTATUS_CACHE_MISS].reduce(0) { sum, figure in
      var (current, highest) = (Int32(0), Int32(0))
      _ = unsafe sqlite3_db_status(handle, figure, &current, &highest, 0)
      return sum + Int(current)
    }
  }

  /// The rowid of the last row this connection inserted.
  public var lastInsertedID: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

  private borrowing func failure(_ code: Int32, sql: String?) -> Failure {
    unsafe Failure(SQLiteError(code: code, message: String(cString: sqlite3_errmsg(handle)), sql: sql))
  }
}

/// A database whose failures are SQLite's own.
public typealias Connection = Database<SQLiteError>

/// What ``Database/endStatements(when:)`` asks, where SQLite's handler finds it.
private final class EndingCondition {
  var isEnough: () -> Bool = { false }
}

// Beside the type, because a function of C takes nothing of a generic one.
private func isEnoughNow(_ ending: UnsafeMutableRawPointer?) -> Int32 {
  guard let ending = unsafe ending else { return 0 }
  return unsafe Unmanaged<EndingCondition>.fromOpaque(ending).takeUnretainedValue().isEnough() ? 1 : 0
}

private func isOver(_ deadline: UnsafeMutableRawPointer?) -> Int32 {
  monotonicNanoseconds() > Int(bitPattern: deadline) ? 1 : 0
}

/// Nanoseconds of a monotonic clock.
private func monotonicNanoseconds() -> Int {
  var time = timespec()
  // This clock is always there; see clock_gettime(2).
  _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// The version of the SQLite library that is linked, such as `3.40.1`.
public var sqliteVersion: String { unsafe String(cString: sqlite3_libversion()) }

/// Whether SQLite counts no memory, asked once before the first connection is opened; where it does, it is only slower.
private let countsNoMemory = skan_sqlite_count_no_memory() == SQLITE_OK
