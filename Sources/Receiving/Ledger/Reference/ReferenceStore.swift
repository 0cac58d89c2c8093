import SQLite

/// Takes what advertisers know into a ledger while its writer goes on; one thread owns it.
///
/// A row that is there already is replaced, so that a file can be imported again.
public final class ReferenceStore {
  let connection: Connection

  /// Opens a database, and makes it when it is missing.
  public init(path: String) throws(LedgerError) { connection = try LedgerWriter.open(path, LedgerSettings()) }

  /// Stores rows, all or none, in the place of what their table's ``ReferenceTable/merge`` replaces.
  ///
  /// - Returns: What that changed.
  /// - Throws: ``LedgerError``; then nothing has changed.
  @discardableResult
  package func put<Row: ReferenceRow>(_ rows: [Row]) throws(LedgerError) -> ReferenceChanges<Row> {
    let table = Row.table
    var groups: [[ReferenceTable<Row>.Field]] = []
    var imported: [[ReferenceTable<Row>.Field]: [Row]] = [:]
    for row in rows {
      let group = table.group(of: row)
      if imported[group] == nil { groups.append(group) }
      imported[group, default: []].append(row)
    }
    return try asLedger { () throws(SQLiteError) in
      var changes = ReferenceChanges<Row>()
      try connection.transaction { () throws(SQLiteError) in
        let select = try connection.prepare(
          "\(table.selection) WHERE \(table.condition(on: table.groupCount))")
        let delete = try connection.prepare(
          "DELETE FROM \(table.name) WHERE \(table.condition(on: table.keyCount))")
        let marks = table.columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        let insert = try connection.prepare(
          "INSERT OR REPLACE INTO \(table.name)(\(table.columns.joined(separator: ", "))) VALUES (\(marks))")
        for group in groups {
          try select.bind(group)
          var stored: [Row] = []
          try select.forEachRow { row in if let row = table.read(row) { stored.append(row) } }
          let difference = ReferenceDifference(stored: stored, imported: imported[group] ?? [], in: table)
          for row in difference.gone {
            try delete.bind(table.key(of: row))
            try delete.run()
          }
          for row in difference.written {
            try insert.bind(table.fields(row))
            try insert.run()
          }
          changes += difference.changes
        }
      }
      return changes
    }
  }

  /// Removes rows by their keys, all or none.
  ///
  /// - Returns: How many there were.
  /// - Throws: ``LedgerError``; then nothing has changed.
  package func remove<Row: ReferenceRow>(_ rows: [Row]) throws(LedgerError) -> Int {
    let table = Row.table
    return try asLedger { () throws(SQLiteError) in
      var count = 0
      try connection.transaction { () throws(SQLiteError) in
        let delete = try connection.prepare(
          "DELETE FROM \(table.name) WHERE \(table.condition(on: table.keyCount)) RETURNING 1")
        for row in rows {
          try delete.bind(table.key(of: row))
          try delete.forEachRow { _ in count += 1 }
        }
      }
      return count
    }
  }
}

/// What an import does to one group of rows.
private struct ReferenceDifference<Row: Hashable & Sendable> {
  var changes = ReferenceChanges<Row>()
  private(set) var gone: [Row] = []
  private(set) var written: [Row] = []

  init(stored: [Row], imported: [Row], in table: ReferenceTable<Row>) {
    func byKey(_ rows: [Row]) -> [[ReferenceTable<Row>.Field]: Row] {
      Dictionary(rows.map { (table.key(of: $0), $0) }, uniquingKeysWith: { $1 })
    }
    let (old, given) = (byKey(stored), byKey(imported))
    let new = byKey(table.merge(stored, Array(given.values)))
    for (key, row) in new {
      let before = old[key]
      if given[key] != nil {
        if before == nil {
          changes.added += 1
        } else if before == row {
          changes.same += 1
        } else {
          changes.changed += 1
        }
      }
      guard before != row else { continue }
      written.append(row)
      if let source = given[key] ?? before, source != row {
        changes.adjusted.append(.init(given: source, stored: row))
      }
    }
    gone = old.filter { new[$0.key] == nil }.map(\.value)
    changes.removed = gone.count
  }
}

extension ReferenceChanges {
  fileprivate static func += (a: inout Self, b: Self) {
    a.added += b.added
    a.changed += b.changed
    a.same += b.same
    a.removed += b.removed
    a.adjusted += b.adjusted
  }
}
