import SQLite
import Values

/// A row of an imported file, as a table keeps it.
package protocol ReferenceRow: Hashable, Sendable {
  static var table: ReferenceTable<Self> { get }
  /// Reads all columns, in the order of the table; `nil` for a row that this program does not understand.
  static func read(_ row: borrowing some ReferenceColumns & ~Copyable) -> Self?
}

/// The columns of a row, in the database or in a change.
package protocol ReferenceColumns: ~Copyable {
  borrowing func integer(_ column: Int32) -> Int64?
  /// The integer in a column, with none as 0.
  borrowing func count(_ column: Int32) -> Int64
  borrowing func text(_ column: Int32) -> String?
}

extension SQLite.Row: ReferenceColumns {}

extension ReferenceColumns where Self: ~Copyable {
  /// The UTC day that a column has the number of.
  borrowing func day(_ column: Int32) -> Day { Day(number: Int32(truncatingIfNeeded: count(column))) }
}

/// How a table keeps the rows of imported files.
package struct ReferenceTable<Row: Hashable & Sendable>: Sendable {
  package typealias Field = ReferenceField

  let name: String
  /// All columns: those of a group, the rest of the key, the others.
  let columns: [String]
  /// The columns of a group, whose stored rows an import replaces.
  let groupCount: Int
  /// The columns that no two rows have in common.
  let keyCount: Int
  /// What a group has after an import.
  let merge: @Sendable (_ stored: [Row], _ imported: [Row]) -> [Row]
  let fields: @Sendable (Row) -> [Field]

  init(
    _ name: String, groupedBy group: [String], key: [String] = [], values: [String],
    merge: @escaping @Sendable (_ stored: [Row], _ imported: [Row]) -> [Row] = { $1 },
    fields: @escaping @Sendable (Row) -> [Field]
  ) {
    self.name = name
    columns = group + key + values
    groupCount = group.count
    keyCount = group.count + key.count
    self.merge = merge
    self.fields = fields
  }

  func group(of row: Row) -> [Field] { Array(fields(row).prefix(groupCount)) }

  package func key(of row: Row) -> [Field] { Array(fields(row).prefix(keyCount)) }

  /// The key as one text, which no other row has.
  package func keyText(of row: Row) -> String {
    key(of: row).map { field in
      switch field {
      case .integer(let number): number.map { "\($0)" } ?? ""
      case .text(let text): text ?? ""
      }
    }.joined(separator: "\u{1F}")
  }

  /// A condition on the first columns, with a parameter for each.
  func condition(on count: Int) -> String {
    columns.prefix(count).enumerated().map { "\($1) = ?\($0 + 1)" }.joined(separator: " AND ")
  }

  /// The key's columns, by which rows are in order.
  var order: String { columns.prefix(keyCount).joined(separator: ", ") }

  var selection: String { "SELECT \(columns.joined(separator: ", ")) FROM \(name)" }

  /// Stores a row in the place of one with the same key.
  var insertion: String {
    let marks = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    return "INSERT OR REPLACE INTO \(name)(\(columns.joined(separator: ", "))) VALUES (\(marks))"
  }

  func insert(_ rows: [Row], on connection: borrowing LedgerDatabase) throws(LedgerError) {
    let insert = try connection.prepare(insertion)
    for row in rows {
      try insert.bind(fields(row))
      try insert.run()
    }
  }
}

package enum ReferenceField: Hashable, Sendable {
  case integer(Int64?)
  case text(String?)
}

extension Statement where Failure == LedgerError {
  borrowing func bind(_ fields: [ReferenceField]) throws(LedgerError) {
    for (index, field) in fields.enumerated() {
      switch field {
      case .integer(let value): try bind(value, at: Int32(index + 1))
      case .text(let value): try bind(value, at: Int32(index + 1))
      }
    }
  }
}
