import SQLite
package import Values

/// Takes what advertisers know into a ledger while its writer goes on; one thread owns it.
///
/// A row that is there already is replaced, so that a file can be imported again.
public final class ReferenceStore {
  let connection: Connection
  package let path: String

  /// Opens a database.
  ///
  /// - Parameter makesFile: Whether the file is made when it is missing; `false` beside a running service.
  public init(path: String, makesFile: Bool = true) throws(LedgerError) {
    connection = try LedgerWriter.open(path, LedgerSettings(), makesFile: makesFile)
    self.path = path
  }

  /// Stores rows, all or none, in the place of what their table's ``ReferenceTable/merge`` replaces.
  ///
  /// - Parameter moment: When they were imported, which is remembered where something changes; `nil` for rows that are no
  ///   import.
  /// - Returns: What that changed.
  /// - Throws: ``LedgerError``; then nothing has changed.
  @discardableResult
  package func put<Row: ReferenceRow>(
    _ rows: [Row], importedAt moment: Instant? = nil
  ) throws(LedgerError) -> ReferenceChanges<Row> {
    let table = Row.table
    let groups = ReferenceGroups(rows, in: table)
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
        for group in groups.order {
          try select.bind(group)
          var stored: [Row] = []
          try select.forEachRow { row in if let row = table.read(row) { stored.append(row) } }
          let difference = ReferenceDifference(stored: stored, imported: groups.rows[group] ?? [], in: table)
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
        if let moment {
          let count = changes.added + changes.changed + changes.removed
          try ReferenceImportRecord(at: moment, kind: table.name, rows: count).insert(connection)
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
