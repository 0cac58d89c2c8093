import SQLite
package import Values

/// One import of spend, names, rates, totals, installs or users that changed something.
package struct ReferenceImportRecord: Equatable, Sendable {
  package let at: Instant
  /// The table that took the rows, such as `spend`; `value_worth` for users.
  package let kind: String
  /// How many rows were added, changed or removed.
  package let rows: Int

  package init(at: Instant, kind: String, rows: Int) {
    self.at = at
    self.kind = kind
    self.rows = rows
  }

  func insert(_ connection: borrowing LedgerDatabase) throws(LedgerError) {
    guard rows > 0 else { return }
    try connection.prepare("INSERT INTO reference_import(at, kind, rows) VALUES (?1, ?2, ?3)").run(
      at.milliseconds, kind, Int64(rows))
  }
}

/// Remembers an import of users, whose rows are stored by version.
struct UsersImportNote: LedgerChange {
  static let kind = ChangeKind.usersImport

  let at: Instant
  let rows: Int

  func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) {
    try ReferenceImportRecord(at: at, kind: "value_worth", rows: rows).insert(connection)
  }

  static let form = Form(Self.init) { ($0.at, $0.rows) }
}

extension LedgerReader {
  /// The imports of a range of UTC days, the earliest first; one that was stored in parts is one.
  package func referenceImports(from: Day, to: Day) throws(LedgerError) -> [ReferenceImportRecord] {
    let statement = try connection.prepare(
      """
      SELECT at, kind, sum(rows) FROM reference_import WHERE at >= ?1 AND at < ?2
      GROUP BY at, kind ORDER BY at, min(id)
      """)
    try statement.bind(from.start.milliseconds, to.start.milliseconds)
    return try statement.rows { row in
      ReferenceImportRecord(
        at: Instant(milliseconds: row.count(0)), kind: row.text(1) ?? "", rows: Int(row.count(2)))
    }
  }
}
