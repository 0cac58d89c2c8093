import SQLite

/// The texts of records by what distinguishes them, in a temporary file, so that any number takes little memory; a later record
/// takes the place of an earlier one.
package final class KeyedRecords {
  private let connection: LedgerDatabase
  private let insert: LedgerStatement
  private let select: LedgerStatement
  private let columns: Int32

  /// - Parameters:
  ///   - keys: How many texts distinguish records, at least 1.
  ///   - texts: How many texts a record has.
  /// - Throws: ``LedgerError`` where no temporary file can be made.
  package init(keys: Int, texts: Int) throws(LedgerError) {
    let key = (0..<keys).map { "key\($0)" }
    let kept = ["line"] + (0..<texts).map { "text\($0)" }
    let marks = (1...keys + kept.count).map { "?\($0)" }.joined(separator: ", ")
    columns = Int32(kept.count)
    // SQLite deletes the file of the empty name with the connection.
    let connection = try LedgerDatabase(path: "", mode: .create)
    try connection.execute(
      """
      PRAGMA cache_size = -8000;
      CREATE TABLE held(\((key + kept).joined(separator: ", ")));
      CREATE UNIQUE INDEX held_by_key ON held(\(key.joined(separator: ", ")));
      BEGIN
      """)
    insert = try connection.prepare(
      """
      INSERT INTO held VALUES (\(marks)) ON CONFLICT (\(key.joined(separator: ", ")))
        DO UPDATE SET \(kept.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
      """)
    select = try connection.prepare("SELECT \(kept.joined(separator: ", ")) FROM held ORDER BY rowid")
    self.connection = connection
  }

  /// Adds a record, or puts it in the place of the one with the same key.
  package func put(_ texts: [String?], key: [String], line: Int) throws(LedgerError) {
    for (index, text) in key.enumerated() { try insert.bind(text, at: Int32(index + 1)) }
    try insert.bind(Int64(line), at: Int32(key.count + 1))
    for (index, text) in texts.enumerated() { try insert.bind(text, at: Int32(key.count + index + 2)) }
    try insert.run()
  }

  /// Gives all records in the order in which their keys came first.
  package func forEach(_ body: (_ line: Int, _ texts: [String?]) -> Void) throws(LedgerError) {
    try select.forEachRow { row in
      var texts: [String?] = []
      for column in 1..<columns { texts.append(row.text(column)) }
      body(Int(row.count(0)), texts)
    }
  }
}
