import SQLite

/// The rows of a file by their keys, on their way into a ledger: in a temporary file, so that a file of any size takes little
/// memory, and nothing is stored of one that turns out wrong.
package final class GatheredRows<Row: ReferenceRow> {
  /// How many rows ``forEachChunk(_:)`` gives at a time; a change of that many holds postbacks up for some milliseconds.
  private static var chunkSize: Int { 1000 }

  private let connection: LedgerDatabase
  private let select: LedgerStatement
  private let insert: LedgerStatement
  private let page: LedgerStatement
  private let nextPage: LedgerStatement
  /// How many rows there are.
  package private(set) var count = 0
  /// How many rows of the file were added to an earlier one of the same key.
  package private(set) var joined = 0

  /// - Throws: ``LedgerError`` where no temporary file can be made.
  package init() throws(LedgerError) {
    let table = Row.table
    let columns = table.columns.joined(separator: ", ")
    let key = table.columns.prefix(table.keyCount).joined(separator: ", ")
    let marks = (1...table.columns.count + 1).map { "?\($0)" }.joined(separator: ", ")
    let keyMarks = (2...table.keyCount + 1).map { "?\($0)" }.joined(separator: ", ")
    let values = table.columns.dropFirst(table.keyCount).map { "\($0) = excluded.\($0)" }.joined(
      separator: ", ")
    // SQLite deletes the file of the empty name with the connection.
    let connection = try LedgerDatabase(path: "", mode: .create)
    try connection.execute(
      """
      PRAGMA cache_size = -8000;
      CREATE TABLE gathered(line INTEGER NOT NULL, \(columns));
      CREATE UNIQUE INDEX gathered_by_key ON gathered(\(key));
      BEGIN
      """)
    select = try connection.prepare(
      "SELECT \(columns), line FROM gathered WHERE \(table.condition(on: table.keyCount))")
    insert = try connection.prepare(
      """
      INSERT INTO gathered(line, \(columns)) VALUES (\(marks)) ON CONFLICT (\(key)) DO UPDATE SET \(values)
      """)
    page = try connection.prepare("SELECT \(columns) FROM gathered ORDER BY \(key) LIMIT ?1")
    nextPage = try connection.prepare(
      "SELECT \(columns) FROM gathered WHERE (\(key)) > (\(keyMarks)) ORDER BY \(key) LIMIT ?1")
    self.connection = connection
  }

  /// The row that has the key of another one, and its line.
  package func row(like row: Row) throws(LedgerError) -> (row: Row, line: Int)? {
    try select.bind(Row.table.key(of: row))
    let line = Int32(Row.table.columns.count)
    var known: (row: Row, line: Int)?
    try select.forEachRow { found in
      if let row = Row.read(found) { known = (row, Int(found.count(line))) }
    }
    return known
  }

  /// Adds a row, or puts its sum with the one of the same key in the place of that one.
  ///
  /// - Parameter isNew: Whether there is none.
  package func put(_ row: Row, line: Int, isNew: Bool) throws(LedgerError) {
    try insert.bind([.integer(Int64(line))] + Row.table.fields(row))
    try insert.run()
    if isNew { count += 1 } else { joined += 1 }
  }

  /// Gives all rows by their keys, some at a time; rows whose place one import takes as a whole come together.
  package func forEachChunk(_ body: ([Row]) throws -> Void) throws {
    let table = Row.table
    var size = Self.chunkSize
    var last: Row?
    while true {
      var rows = try rows(after: last, most: size)
      guard let end = rows.last else { return }
      if rows.count == size {
        // The group of the last one may go on.
        let group = table.group(of: end)
        guard let whole = rows.lastIndex(where: { table.group(of: $0) != group }) else {
          size *= 2
          continue
        }
        rows.removeLast(rows.count - whole - 1)
      }
      last = rows.last
      size = Self.chunkSize
      try body(rows)
    }
  }

  private func rows(after last: Row?, most: Int) throws(LedgerError) -> [Row] {
    guard let last else {
      try page.bind(Int64(most))
      return try page.rows { row in Row.read(row) }
    }
    try nextPage.bind([.integer(Int64(most))] + Row.table.key(of: last))
    return try nextPage.rows { row in Row.read(row) }
  }

  /// Gives all rows in the order in which they came, some at a time.
  package func forEachInOrder(_ body: ([Row]) throws -> Void) throws {
    let columns = Row.table.columns
    var last: Int64 = 0
    while true {
      var rows: [Row] = []
      let statement = try connection.prepare(
        """
        SELECT \(columns.joined(separator: ", ")), rowid FROM gathered WHERE rowid > ?1 ORDER BY rowid LIMIT ?2
        """)
      try statement.bind(last, Int64(Self.chunkSize))
      try statement.forEachRow { found in
        last = found.count(Int32(columns.count))
        if let row = Row.read(found) { rows.append(row) }
      }
      guard !rows.isEmpty else { return }
      try body(rows)
    }
  }

  /// The first rows in the order in which they came.
  package func first(_ most: Int) throws(LedgerError) -> [Row] {
    let columns = Row.table.columns.joined(separator: ", ")
    let statement = try connection.prepare("SELECT \(columns) FROM gathered ORDER BY rowid LIMIT ?1")
    try statement.bind(Int64(most))
    return try statement.rows { row in Row.read(row) }
  }

  /// All rows in the order in which they came, for few of them.
  package func all() throws(LedgerError) -> [Row] { try first(count) }
}
