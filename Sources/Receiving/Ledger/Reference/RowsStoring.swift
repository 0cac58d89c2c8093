import SQLite
import Values

/// The tables of imported rows, by the names that a change gives them.
enum ReferenceTables {
  private static let all: [any ReferenceRow.Type] = [
    SpendRow.self, CampaignNameRow.self, RateRow.self, NetworkTotalRow.self, OwnInstallsRow.self,
    SavedView.self, ProceedsRow.self, ChosenMoney.self,
  ]

  static func readStoring(_ bytes: inout ChangeDecoder) throws(ChangeDefect) -> any LedgerChange {
    try storing(try rows(bytes), &bytes)
  }

  static func readRemoval(_ bytes: inout ChangeDecoder) throws(ChangeDefect) -> any LedgerChange {
    try removal(try rows(bytes), &bytes)
  }

  /// The table that the change names first.
  private static func rows(_ bytes: ChangeDecoder) throws(ChangeDefect) -> any ReferenceRow.Type {
    var bytes = bytes
    let name: String = try bytes.next()
    guard let rows = all.first(where: { $0.tableName == name }) else { throw .badValue(of: "table") }
    return rows
  }

  private static func storing<Row: ReferenceRow>(
    _: Row.Type, _ bytes: inout ChangeDecoder
  ) throws(ChangeDefect) -> any LedgerChange {
    try bytes.next(RowsStoring<Row>.self)
  }

  private static func removal<Row: ReferenceRow>(
    _: Row.Type, _ bytes: inout ChangeDecoder
  ) throws(ChangeDefect) -> any LedgerChange {
    try bytes.next(RowsRemoval<Row>.self)
  }
}

extension ReferenceRow {
  fileprivate static var tableName: String { table.name }
}

/// Stores rows in the place of what their table's ``ReferenceTable/merge`` replaces.
struct RowsStoring<Row: ReferenceRow>: LedgerChange {
  static var kind: ChangeKind { .rowsStoring }

  let rows: [Row]
  /// When they were imported, which is remembered where something changes; `nil` for rows that are no import.
  let importedAt: Instant?

  func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) -> ReferenceChanges<Row> {
    let table = Row.table
    let groups = ReferenceGroups(rows, in: table)
    var changes = ReferenceChanges<Row>()
    let select = try connection.prepare("\(table.selection) WHERE \(table.condition(on: table.groupCount))")
    let delete = try connection.prepare(
      "DELETE FROM \(table.name) WHERE \(table.condition(on: table.keyCount))")
    let insert = try connection.prepare(table.insertion)
    for group in groups.order {
      try select.bind(group)
      var stored: [Row] = []
      try select.forEachRow { row in if let row = Row.read(row) { stored.append(row) } }
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
    let count = changes.added + changes.changed + changes.removed
    if count > 0 { try LastEvent.countRowsChanged(on: connection) }
    if let importedAt {
      try ReferenceImportRecord(at: importedAt, kind: table.name, rows: count).insert(connection)
    }
    return changes
  }

  static var form: Form<Self> {
    Form { (table: String, importedAt: Instant?, rows: [[ReferenceField]]) throws(ChangeDefect) in
      guard table == Row.table.name else { throw .badValue(of: "table") }
      let read = try rows.map { (fields) throws(ChangeDefect) in
        guard fields.count == Row.table.columns.count, let row = Row.read(ReferenceFields(fields)) else {
          throw .badValue(of: "row")
        }
        return row
      }
      return Self(rows: read, importedAt: importedAt)
    } _: { storing in
      (Row.table.name, storing.importedAt, storing.rows.map { Row.table.fields($0) })
    }
  }
}

/// Removes rows by their keys.
struct RowsRemoval<Row: ReferenceRow>: LedgerChange {
  static var kind: ChangeKind { .rowsRemoval }

  let keys: [[ReferenceField]]

  func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) -> Int {
    let table = Row.table
    var count = 0
    let delete = try connection.prepare(
      "DELETE FROM \(table.name) WHERE \(table.condition(on: table.keyCount)) RETURNING 1")
    for key in keys {
      try delete.bind(key)
      try delete.forEachRow { _ in count += 1 }
    }
    if count > 0 { try LastEvent.countRowsChanged(on: connection) }
    return count
  }

  static var form: Form<Self> {
    Form { (table: String, keys: [[ReferenceField]]) throws(ChangeDefect) in
      guard table == Row.table.name else { throw .badValue(of: "table") }
      guard keys.allSatisfy({ $0.count == Row.table.keyCount }) else { throw .badValue(of: "key") }
      return Self(keys: keys)
    } _: {
      (Row.table.name, $0.keys)
    }
  }
}

/// A row of a change, read as one of the database is.
private struct ReferenceFields: ReferenceColumns {
  private let fields: [ReferenceField]

  init(_ fields: [ReferenceField]) { self.fields = fields }

  func integer(_ column: Int32) -> Int64? {
    guard fields.indices.contains(Int(column)), case .integer(let value) = fields[Int(column)] else {
      return nil
    }
    return value
  }

  func count(_ column: Int32) -> Int64 { integer(column) ?? 0 }

  func text(_ column: Int32) -> String? {
    guard fields.indices.contains(Int(column)), case .text(let value) = fields[Int(column)] else {
      return nil
    }
    return value
  }
}

extension ReferenceField: ChangeField {
  package func write(to bytes: inout ChangeEncoder) {
    switch self {
    case .integer(let value): bytes.add(false, value)
    case .text(let value): bytes.add(true, value)
    }
  }

  package init(from bytes: inout ChangeDecoder) throws(ChangeDefect) {
    self = try bytes.next(Bool.self) ? .text(try bytes.next()) : .integer(try bytes.next())
  }
}
