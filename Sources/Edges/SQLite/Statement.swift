import CSQLite
import System

/// A compiled SQL statement.
///
/// Parameters are counted from 1 and columns from 0, as SQLite does.
@safe public struct Statement<Failure: SQLiteFailure>: ~Copyable {
  private let handle: OpaquePointer
  /// SQLite keeps the file open as long as a statement lives, also without its connection.
  private let database: OpenDatabase?

  init(takingOwnershipOf handle: OpaquePointer, of database: OpenDatabase?) {
    unsafe self.handle = handle
    self.database = database
  }

  deinit { unsafe sqlite3_finalize(handle) }

  /// Binds an integer, or NULL for `nil`.
  public borrowing func bind(_ value: Int64?, at position: Int32) throws(Failure) {
    guard let value else { return try check(unsafe sqlite3_bind_null(handle, position)) }
    try check(unsafe sqlite3_bind_int64(handle, position, value))
  }

  /// Binds a number with a binary fraction.
  public borrowing func bind(_ value: Double, at position: Int32) throws(Failure) {
    try check(unsafe sqlite3_bind_double(handle, position, value))
  }

  /// Binds text, or NULL for `nil`; SQLite keeps its own copy.
  public borrowing func bind(_ value: String?, at position: Int32) throws(Failure) {
    guard var value else { return try check(unsafe sqlite3_bind_null(handle, position)) }
    let code = value.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
        unsafe sqlite3_bind_text(
          handle, position, characters.baseAddress, Int32(clamping: characters.count), skan_sqlite_transient()
        )
      }
    }
    try check(code)
  }

  /// Binds bytes, or NULL for `nil`; SQLite keeps its own copy.
  public borrowing func bind(_ value: [UInt8]?, at position: Int32) throws(Failure) {
    guard let value else { return try check(unsafe sqlite3_bind_null(handle, position)) }
    // A nil address would bind NULL instead of no bytes.
    guard !value.isEmpty else { return try check(unsafe sqlite3_bind_zeroblob(handle, position, 0)) }
    let code = unsafe value.withUnsafeBytes { bytes in
      unsafe sqlite3_bind_blob64(
        handle, position, bytes.baseAddress, UInt64(bytes.count), skan_sqlite_transient())
    }
    try check(code)
  }

  borrowing func bindNull(at position: Int32) throws(Failure) {
    try check(unsafe sqlite3_bind_null(handle, position))
  }

  /// Binds all parameters in their order.
  ///
  /// Each costs some 25 ns more than ``bind(_:at:)-(Int64?,Int32)``, which is for what is bound for every postback.
  public borrowing func bind<each Value: SQLParameter>(_ values: repeat each Value) throws(Failure) {
    var position: Int32 = 0
    for value in repeat each values {
      position += 1
      try value.bind(to: self, at: position)
    }
  }

  /// Binds all parameters in their order and runs the statement to its end.
  public borrowing func run<each Value: SQLParameter>(
    _ first: some SQLParameter, _ others: repeat each Value
  ) throws(Failure) {
    try bind(first, repeat each others)
    try run()
  }

  /// What `read` makes of every row; rows that it makes nothing of are left out.
  public borrowing func rows<Value>(
    _ read: (borrowing Row) throws(Failure) -> Value?
  ) throws(Failure) -> [Value] {
    var values: [Value] = []
    try forEachRow { row throws(Failure) in if let value = try read(row) { values.append(value) } }
    return values
  }

  /// Runs the statement to its end and makes it ready to be bound again.
  public borrowing func run() throws(Failure) {
    while try step() {}
    unsafe sqlite3_reset(handle)
  }

  /// Calls `body` with every row, then makes the statement ready to be bound again.
  public borrowing func forEachRow(_ body: (borrowing Row) throws(Failure) -> Void) throws(Failure) {
    // An error thrown by `body` must not leave a read transaction open either.
    defer { unsafe sqlite3_reset(handle) }
    while try step() { try body(unsafe Row(of: handle)) }
  }

  /// Calls `body` with rows until it returns `false`, then makes the statement ready to be bound again.
  public borrowing func readRows(
    while body: (borrowing Row) throws(Failure) -> Bool
  ) throws(Failure) {
    defer { unsafe sqlite3_reset(handle) }
    while try step() { guard try body(unsafe Row(of: handle)) else { return } }
  }

  /// Calls `body` with the first row, if there is one, then makes the statement ready to be bound again.
  public borrowing func firstRow<Value>(_ body: (borrowing Row) -> Value) throws(Failure) -> Value? {
    defer { unsafe sqlite3_reset(handle) }
    return try step() ? body(unsafe Row(of: handle)) : nil
  }

  // Inlined, as `check` is: a call that can throw an error of any type costs as much as a value that is bound.
  @inline(__always) private borrowing func step() throws(Failure) -> Bool {
    switch unsafe sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      let error = failure(code)
      unsafe sqlite3_reset(handle)
      throw error
    }
  }

  @inline(__always) private borrowing func check(_ code: Int32) throws(Failure) {
    guard code == SQLITE_OK else { throw failure(code) }
  }

  private borrowing func failure(_ code: Int32) -> Failure {
    let database = unsafe sqlite3_db_handle(handle)
    return unsafe Failure(
      SQLiteError(
        code: code, message: String(cString: sqlite3_errmsg(database)),
        sql: sqlite3_sql(handle).map { unsafe String(cString: $0) }))
  }
}

/// The row a statement is on; it can't leave the closure that receives it.
@safe public struct Row: ~Copyable {
  private let handle: OpaquePointer

  fileprivate init(of handle: OpaquePointer) { unsafe self.handle = handle }

  /// The integer in a column, or `nil` for NULL.
  public borrowing func integer(_ column: Int32) -> Int64? {
    guard unsafe sqlite3_column_type(handle, column) != SQLITE_NULL else { return nil }
    return unsafe sqlite3_column_int64(handle, column)
  }

  public borrowing func isNull(_ column: Int32) -> Bool {
    unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  /// The integer in a column, with NULL as 0.
  public borrowing func count(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

  /// The number with a binary fraction in a column, with NULL as 0.
  public borrowing func real(_ column: Int32) -> Double { unsafe sqlite3_column_double(handle, column) }

  /// The text in a column, or `nil` for NULL.
  public borrowing func text(_ column: Int32) -> String? {
    guard let start = unsafe sqlite3_column_text(handle, column) else { return nil }
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// The bytes in a column; none for NULL.
  public borrowing func bytes(_ column: Int32) -> [UInt8] {
    guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  }
}
