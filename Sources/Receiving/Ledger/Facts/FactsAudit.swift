import SQLite

/// Compares blocks of facts with their rows.
enum FactsAudit {
  /// What does not agree, as a sentence.
  static func contradictions(on connection: borrowing Connection) throws(SQLiteError) -> [String] {
    var count: Int64 = 0
    try forEachDifference(on: connection) { _, _, _ in count += 1 }
    return count == 0
      ? [] : ["\(TotalsDifference.Total.facts.words(count)) differ from their postbacks"]
  }

  static func differences(on connection: borrowing Connection) throws(SQLiteError) -> [TotalsDifference] {
    var found: [TotalsDifference] = []
    try forEachDifference(on: connection) { block, stored, content in
      found.append(difference(block, stored, content))
    }
    return found
  }

  /// Writes every block again that differs.
  static func mend(on connection: borrowing Connection) throws(SQLiteError) -> [TotalsDifference] {
    var found: [TotalsDifference] = []
    let store = try FactStore(connection)
    let remove = try connection.prepare("DELETE FROM postback_facts WHERE id = ?1")
    try forEachDifference(on: connection) { block, stored, content throws(SQLiteError) in
      found.append(difference(block, stored, content))
      try remove.bind(block, at: 1)
      try remove.run()
      try store.write(block, content)
    }
    return found
  }

  private static func difference(
    _ block: Int64, _ stored: [UInt8]?, _ content: FactBlocks.Content
  ) -> TotalsDifference {
    let rows = FactBlocks.range(block)
    return TotalsDifference(
      total: .facts, place: [.init(key: .rows, text: "\(rows.lowerBound) to \(rows.upperBound)")],
      column: "postbacks", stored: stored.map { agreeing($0, content.block.bytes) } ?? 0,
      counted: content.postbacks)
  }

  /// How many postbacks two blocks have in common, at the same places; of those that can be read.
  private static func agreeing(_ a: [UInt8], _ b: [UInt8]) -> Int64 {
    var count: Int64 = 0
    guard var a = try? FactBlock.Cursor(a), var b = try? FactBlock.Cursor(b) else { return 0 }
    while (try? a.next()) == true, (try? b.next()) == true { if a.facts == b.facts { count += 1 } }
    return count
  }

  /// Visits each block that is not what its rows come to: its number, what is stored, and what it should be, which is
  /// nothing for one that should not be.
  private static func forEachDifference(
    on connection: borrowing Connection,
    _ visit: (Int64, [UInt8]?, FactBlocks.Content) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let select = try connection.prepare(FactBlocks.select)
    let read = try connection.prepare("SELECT earliest, latest, data FROM postback_facts WHERE id = ?1")
    let blocks = (try connection.integer("SELECT max(id) FROM main.postback") ?? 0) / FactBlocks.rows
    for block in 0..<max(0, blocks) {
      let content = try FactBlocks.content(of: FactBlocks.range(block), select)
      try read.bind(block, at: 1)
      let stored = try read.firstRow { ($0.count(0), $0.count(1), $0.bytes(2)) }
      if let (earliest, latest, bytes) = stored {
        let moments = content.moments.map { ($0.lowerBound, $0.upperBound) }
        if bytes == content.block.bytes, let moments, moments == (earliest, latest) { continue }
      } else if content.postbacks == 0 {
        continue
      }
      try visit(block, stored?.2, content)
    }
    var others: [Int64] = []
    try connection.prepare("SELECT id FROM postback_facts").forEachRow { others.append($0.count(0)) }
    for block in others where !(0..<max(0, blocks)).contains(block) {
      try visit(block, nil, FactBlocks.Content())
    }
  }
}
