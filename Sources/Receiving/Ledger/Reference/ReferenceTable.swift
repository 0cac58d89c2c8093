import SQLite
import Values

/// A row of an imported file, as a table keeps it.
package protocol ReferenceRow: Hashable, Sendable {
  static var table: ReferenceTable<Self> { get }
}

/// How a table keeps the rows of imported files.
package struct ReferenceTable<Row: Hashable & Sendable>: Sendable {
  package enum Field: Hashable, Sendable {
    case integer(Int64?)
    case text(String?)
  }

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
  /// The row of all columns; `nil` for one that this program does not understand.
  let read: @Sendable (borrowing SQLite.Row) -> Row?

  init(
    _ name: String, groupedBy group: [String], key: [String] = [], values: [String],
    merge: @escaping @Sendable (_ stored: [Row], _ imported: [Row]) -> [Row] = { $1 },
    fields: @escaping @Sendable (Row) -> [Field],
    read: @escaping @Sendable (borrowing SQLite.Row) -> Row?
  ) {
    self.name = name
    columns = group + key + values
    groupCount = group.count
    keyCount = group.count + key.count
    self.merge = merge
    self.fields = fields
    self.read = read
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

  var selection: String { "SELECT \(columns.joined(separator: ", ")) FROM \(name)" }
}

extension Statement {
  borrowing func bind<Row>(_ fields: [ReferenceTable<Row>.Field]) throws(SQLiteError) {
    for (index, field) in fields.enumerated() {
      switch field {
      case .integer(let value): try bind(value, at: Int32(index + 1))
      case .text(let value): try bind(value, at: Int32(index + 1))
      }
    }
  }
}

extension SQLite.Row {
  /// The UTC day that a column has the number of.
  borrowing func day(_ column: Int32) -> Day { Day(number: Int32(truncatingIfNeeded: count(column))) }
}
