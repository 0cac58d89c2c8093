import SQLite

/// The table of blocks: facts of postbacks without the bodies, so that a report that looks at each reads little.
///
/// A block is written in the transaction that stores its last row, and holds what the rows have; rows behind the last
/// block are read from the table of postbacks.
enum FactBlocks {
  static let rows: Int64 = 512

  /// The block that is complete once a row is stored; `nil` for any but its last row.
  static func block(endingWith row: Int64) -> Int64? { row % rows == 0 ? row / rows - 1 : nil }

  static func range(_ block: Int64) -> ClosedRange<Int64> { block * rows + 1...(block + 1) * rows }

  struct Content {
    var block = FactBlock()
    var postbacks: Int64 = 0
    /// Of the first and the last arrival.
    var moments: ClosedRange<Int64>?

    mutating func append(_ facts: PostbackFacts) {
      block.append(facts)
      postbacks += 1
      moments =
        moments.map { min($0.lowerBound, facts.receivedAt)...max($0.upperBound, facts.receivedAt) }
        ?? facts.receivedAt...facts.receivedAt
    }
  }

  /// SQL for the rows from one on up to another one.
  ///
  /// Bodies come last in a row, so that none of them is read.
  static let select = "SELECT \(PostbackFacts.columns) FROM postback WHERE id BETWEEN ?1 AND ?2 ORDER BY id"

  static func content(
    of range: ClosedRange<Int64>, _ select: borrowing Statement
  ) throws(SQLiteError) -> Content {
    var content = Content()
    try select.bind(range.lowerBound, at: 1)
    try select.bind(range.upperBound, at: 2)
    try select.forEachRow { content.append(PostbackFacts($0)) }
    return content
  }

  /// How many blocks can have an arrival in some moments, in milliseconds.
  static func count(
    in moments: Range<Int64>, on connection: borrowing Connection
  ) throws(SQLiteError) -> Int64 {
    let count = try connection.prepare(
      "SELECT count(*) FROM postback_facts WHERE earliest < ?1 AND latest >= ?2")
    try count.bind(moments.upperBound, at: 1)
    try count.bind(moments.lowerBound, at: 2)
    return try count.firstRow { $0.count(0) } ?? 0
  }

  /// Visits the facts of all postbacks, in the order of their rows, as blocks.
  ///
  /// - Parameters:
  ///   - moments: Milliseconds; blocks without an arrival in them are left out.
  ///   - visit: Takes a block, which can have postbacks outside of the moments.
  static func forEach(
    in moments: Range<Int64>, on connection: borrowing Connection,
    _ visit: ([UInt8]) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let select = try connection.prepare(select)
    var next: Int64 = 0
    func visitRows(_ range: ClosedRange<Int64>) throws(SQLiteError) {
      let content = try content(of: range, select)
      guard content.moments.map({ moments.overlaps($0) }) ?? false else { return }
      try visit(content.block.bytes)
    }
    try connection.prepare("SELECT id, earliest, latest, data FROM postback_facts ORDER BY id").forEachRow {
      row throws(SQLiteError) in
      // A block that is missing does not hide its rows.
      while next < row.count(0) {
        try visitRows(range(next))
        next += 1
      }
      next = row.count(0) + 1
      guard row.count(1) < moments.upperBound, row.count(2) >= moments.lowerBound else { return }
      try visit(row.bytes(3))
    }
    let last = try connection.integer("SELECT max(id) FROM postback") ?? 0
    while next * rows < last {
      try visitRows(range(next))
      next += 1
    }
  }

  /// A block that can't be read; `skan rebuild` writes it again.
  static let malformed = SQLiteError(
    code: 11, message: "a block of postback_facts can't be read; run 'skan rebuild --repair'")
}
