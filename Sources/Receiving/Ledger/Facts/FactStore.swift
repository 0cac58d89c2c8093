import SQLite

final class FactStore {
  private let select: Statement
  private let put: Statement

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    select = try connection.prepare(FactBlocks.select)
    put = try connection.prepare(
      "INSERT OR REPLACE INTO postback_facts(id, earliest, latest, data) VALUES (?1, ?2, ?3, ?4)")
  }

  /// Writes a block, in the transaction that stored its last row.
  func write(_ block: Int64) throws(SQLiteError) {
    try write(block, FactBlocks.content(of: FactBlocks.range(block), select))
  }

  func write(_ block: Int64, _ content: FactBlocks.Content) throws(SQLiteError) {
    guard let moments = content.moments else { return }
    try put.bind(block, at: 1)
    try put.bind(moments.lowerBound, at: 2)
    try put.bind(moments.upperBound, at: 3)
    try put.bind(content.block.bytes, at: 4)
    try put.run()
  }
}
