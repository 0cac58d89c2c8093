import SQLite

/// Compares blocks of facts with their rows.
enum FactsAudit {
  static func differences(on connection: borrowing LedgerDatabase) throws(LedgerError) -> [TotalsDifference] {
    var found: [TotalsDifference] = []
    try forEachDifference(on: connection) { block, stored, content in
      found.append(difference(block, stored, content))
    }
    return found
  }

  /// Writes every block again that differs.
  static func mend(on connection: borrowing LedgerDatabase) throws(LedgerError) -> [TotalsDifference] {
    var found: [TotalsDifference] = []
    // Rows behind the last block are in none that could differ.
    try connection.execute(
      """
      INSERT OR IGNORE INTO fact_source(environment, app, network, version, window, outcome)
      SELECT DISTINCT environment, app, network, version, window, outcome FROM postback
      WHERE id > (SELECT max(id) FROM postback) / \(FactBlocks.rows) * \(FactBlocks.rows)
      """)
    let store = try FactStore(connection)
    let remove = try connection.prepare("DELETE FROM postback_facts WHERE id = ?1")
    try forEachDifference(on: connection) { block, stored, content throws(LedgerError) in
      found.append(difference(block, stored, content))
      try remove.run(block)
      if !content.postbacks.isEmpty { try store.write(block) }
    }
    return found
  }

  private static func difference(
    _ block: Int64, _ stored: [UInt8]?, _ content: FactBlocks.Content
  ) -> TotalsDifference {
    let rows = FactBlocks.range(block)
    return TotalsDifference(
      total: .facts, place: [.init(key: .rows, text: "\(rows.lowerBound) to \(rows.upperBound)")],
      column: "postbacks", stored: stored.map { agreeing($0, content.postbacks) } ?? 0,
      counted: Int64(content.postbacks.count))
  }

  /// How many postbacks a block has at the same places; none of a block that can't be read.
  private static func agreeing(_ bytes: [UInt8], _ postbacks: [[Int64]]) -> Int64 {
    var block = FactBlock()
    guard (try? block.read(bytes)) != nil else { return 0 }
    let columns = FactBlock.Column.allCases.map { block.values($0) }
    return postbacks.indices.reduce(0) { count, place in
      let agrees = place < block.count && columns.map { $0[place] } == postbacks[place]
      return count + (agrees ? 1 : 0)
    }
  }

  /// Visits each block that is not what its rows come to: its number, what is stored, and what it should be, which is
  /// nothing for one that should not be.
  private static func forEachDifference(
    on connection: borrowing LedgerDatabase,
    _ visit: (Int64, [UInt8]?, FactBlocks.Content) throws(LedgerError) -> Void
  ) throws(LedgerError) {
    var sources = try FactSources(connection)
    let select = try connection.prepare(FactBlocks.select)
    let read = try connection.prepare("SELECT earliest, latest, data FROM postback_facts WHERE id = ?1")
    let blocks = (try connection.integer("SELECT max(id) FROM main.postback") ?? 0) / FactBlocks.rows
    var visited: Set<Int64> = []
    try FactBlocks.forEachWithRows(of: 0..<max(0, blocks), on: connection) { block throws(LedgerError) in
      visited.insert(block)
      let content = try FactBlocks.content(of: FactBlocks.range(block), &sources, select)
      try read.bind(block)
      let stored = try read.firstRow { ($0.count(0), $0.count(1), $0.bytes(2)) }
      let expected = content.block
      // A source that the table does not have.
      var isUnknown = false
      while sources.takeUnsaved() != nil { isUnknown = true }
      if isUnknown {
        return try visit(block, stored?.2, content)
      }
      if let (earliest, latest, bytes) = stored {
        let moments = content.moments.map { ($0.lowerBound, $0.upperBound) }
        if bytes == expected?.bytes, let moments, moments == (earliest, latest) { return }
      } else if expected == nil {
        return
      }
      try visit(block, stored?.2, content)
    }
    var others: [Int64] = []
    try connection.prepare("SELECT id FROM postback_facts").forEachRow { others.append($0.count(0)) }
    for block in others where !visited.contains(block) {
      try visit(block, nil, FactBlocks.Content())
    }
  }
}
