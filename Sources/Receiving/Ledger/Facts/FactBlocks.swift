import SQLite
import Values

/// The table of blocks: facts of postbacks without the bodies, so that a report that looks at each reads little.
///
/// A block is written in the transaction that stores its last row, and holds what the rows have; rows behind the last
/// block, and those of a missing one, are read from the table of postbacks.
enum FactBlocks {
  static let rows: Int64 = 4096

  /// The block that is complete once a row is stored; `nil` for any but its last row.
  static func block(endingWith row: Int64) -> Int64? { row % rows == 0 ? row / rows - 1 : nil }

  /// Its rows; of a damaged number of a block the nearest that a row can have.
  static func range(_ block: Int64) -> ClosedRange<Int64> {
    block.multipliedHeld(by: rows).addingHeld(1)...block.addingHeld(1).multipliedHeld(by: rows)
  }

  /// What the rows of a block come to.
  struct Content {
    var postbacks: [[Int64]] = []
    /// Of the first and the last arrival, in milliseconds.
    var moments: ClosedRange<Int64>?

    mutating func append(_ facts: PostbackFacts, source: Int64) {
      postbacks.append(facts.numbers(source: source))
      moments =
        moments.map { min($0.lowerBound, facts.receivedAt)...max($0.upperBound, facts.receivedAt) }
        ?? facts.receivedAt...facts.receivedAt
    }

    /// What the table has of them; `nil` for rows that no one block can hold.
    var block: FactBlock? {
      let blocks = FactBlock.blocks(of: postbacks)
      return blocks.count == 1 ? blocks[0] : nil
    }
  }

  /// SQL for the rows from one on up to another one.
  ///
  /// Bodies come last in a row, so that none of them is read.
  static let select = "SELECT \(PostbackFacts.columns) FROM postback WHERE id BETWEEN ?1 AND ?2 ORDER BY id"

  static func content(
    of range: ClosedRange<Int64>, _ sources: inout FactSources, _ select: borrowing LedgerStatement
  ) throws(LedgerError) -> Content {
    var content = Content()
    try select.bind(range.lowerBound, range.upperBound)
    try select.forEachRow { row in
      let facts = PostbackFacts(row)
      content.append(facts, source: sources.numberAdding(facts.source))
    }
    return content
  }

  /// Visits the facts of all postbacks as blocks: those of the table, then what is in none of them.
  ///
  /// - Parameters:
  ///   - columns: The columns to read.
  ///   - moments: Milliseconds; blocks without an arrival in them are left out.
  ///   - visit: Takes a block, which can have postbacks outside of the moments, and the sources up to there.
  static func forEach(
    _ columns: [FactBlock.Column], in moments: Range<Int64>, on connection: borrowing LedgerDatabase,
    _ visit: (borrowing FactBlock, FactSources) throws(LedgerError) -> Void
  ) throws(LedgerError) {
    var sources = try FactSources(connection)
    var next: Int64 = 0
    var missing: [Range<Int64>] = []
    var block = FactBlock()
    try connection.prepare("SELECT id, earliest, latest, data FROM postback_facts ORDER BY id").forEachRow {
      row throws(LedgerError) in
      // A block that is missing does not hide its rows.
      if next < row.count(0) { missing.append(next..<row.count(0)) }
      next = row.count(0).addingHeld(1)
      guard row.count(1) < moments.upperBound, row.count(2) >= moments.lowerBound else { return }
      do { try block.read(row.bytes(3), columns) } catch { throw malformed(range(row.count(0))) }
      try visit(block, sources)
    }
    let last = try connection.integer("SELECT max(id) FROM main.postback") ?? 0
    missing.append(next..<max(next, last.addingHeld(rows - 1) / rows))
    // Last, because sources that the table does not have are given numbers that blocks must not have.
    let select = try connection.prepare(select)
    for blocks in missing {
      try forEachWithRows(of: blocks, on: connection) { block throws(LedgerError) in
        let content = try content(of: range(block), &sources, select)
        guard content.moments.map({ moments.overlaps($0) }) ?? false else { return }
        for block in FactBlock.blocks(of: content.postbacks) { try visit(block, sources) }
      }
    }
  }

  /// Visits those blocks that rows of the table of postbacks belong to.
  ///
  /// Row numbers have no gaps, but for a damaged one, which can be far behind all others: what lies between costs nothing.
  static func forEachWithRows(
    of blocks: Range<Int64>, on connection: borrowing LedgerDatabase,
    _ visit: (Int64) throws(LedgerError) -> Void
  ) throws(LedgerError) {
    let find = try connection.prepare("SELECT min(id) FROM main.postback WHERE id > ?1")
    var next = blocks.lowerBound
    while next < blocks.upperBound {
      try find.bind(range(next).lowerBound - 1)
      guard let row = try find.firstRow({ row in row.integer(0) }) ?? nil else { return }
      let block = (row - 1) / rows
      guard block < blocks.upperBound else { return }
      try visit(block)
      next = block + 1
    }
  }

  /// The rows among which all postbacks of some moments are, so that a search reads no others.
  ///
  /// - Parameter moments: Milliseconds.
  static func rows(
    in moments: Range<Int64>, on connection: borrowing LedgerDatabase
  ) throws(LedgerError) -> ClosedRange<Int64>? {
    var found: ClosedRange<Int64>?
    func add(_ rows: ClosedRange<Int64>) {
      found = min(found?.lowerBound ?? rows.lowerBound, rows.lowerBound)...rows.upperBound
    }
    var next: Int64 = 0
    try connection.prepare("SELECT id, earliest, latest FROM postback_facts ORDER BY id").forEachRow { row in
      let block = row.count(0)
      // What a missing block would have is not known.
      if next < block { add(range(next).lowerBound...range(block - 1).upperBound) }
      if row.count(1) < moments.upperBound, row.count(2) >= moments.lowerBound { add(range(block)) }
      next = block.addingHeld(1)
    }
    let isBehind = try connection.integer(
      """
      SELECT 1 FROM postback WHERE id > \(next.multipliedHeld(by: rows)) AND received_at >= \(moments.lowerBound)
        AND received_at < \(moments.upperBound) LIMIT 1
      """)
    if isBehind != nil { add(range(next).lowerBound ... .max) }
    return found
  }

  /// A block that can't be read; `skan rebuild` writes it again.
  static func malformed(_ rows: ClosedRange<Int64>) -> LedgerError {
    .wrongFacts("the columns of postbacks \(rows.lowerBound) to \(rows.upperBound) can't be read")
  }
}
