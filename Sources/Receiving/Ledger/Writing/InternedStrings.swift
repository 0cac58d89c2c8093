import SQLite

enum NameTable: String, CaseIterable {
  case network, publisher, marketplace
}

/// Turns the words that come again and again into small row numbers.
final class InternedStrings {
  private let findOrigin: LedgerStatement
  private let addOrigin: LedgerStatement
  private var origins: [Origin: Int64] = [:]
  private let tables: [NameTable: InternedNames]

  init(_ connection: borrowing LedgerDatabase) throws(LedgerError) {
    findOrigin = try connection.prepare("SELECT id FROM origin WHERE route = ?1 AND name = ?2")
    addOrigin = try connection.prepare("INSERT INTO origin(route, name) VALUES (?1, ?2)")
    var tables: [NameTable: InternedNames] = [:]
    for table in NameTable.allCases { tables[table] = try InternedNames(table, connection) }
    self.tables = tables
  }

  /// Forgets the numbers, because a rollback may have taken some of their rows.
  func reset() {
    origins.removeAll()
    for names in tables.values { names.reset() }
  }

  func row(of origin: Origin, on connection: borrowing LedgerDatabase) throws(LedgerError) -> Int64 {
    if let known = origins[origin] { return known }
    try findOrigin.bind(origin.route.rawValue, origin.name)
    if let row = try findOrigin.firstRow({ $0.count(0) }) {
      origins[origin] = row
      return row
    }
    try addOrigin.run(origin.route.rawValue, origin.name)
    origins[origin] = connection.lastInsertedID
    return connection.lastInsertedID
  }

  /// The row of a name, made when it is missing; networks are in lower case.
  func row(
    of name: String, in table: NameTable, on connection: borrowing LedgerDatabase
  ) throws(LedgerError) -> Int64 {
    guard let names = tables[table] else { return 0 }
    return try names.row(of: name, on: connection)
  }
}

private final class InternedNames {
  /// Names whose rows are remembered; others are looked up.
  private static let capacity = 1 << 16

  private let find: LedgerStatement
  private let add: LedgerStatement
  private var rows: [String: Int64] = [:]

  init(_ table: NameTable, _ connection: borrowing LedgerDatabase) throws(LedgerError) {
    find = try connection.prepare("SELECT id FROM \(table.rawValue) WHERE identifier = ?1")
    add = try connection.prepare("INSERT INTO \(table.rawValue)(identifier) VALUES (?1)")
  }

  func reset() { rows.removeAll() }

  func row(of name: String, on connection: borrowing LedgerDatabase) throws(LedgerError) -> Int64 {
    if let known = rows[name] { return known }
    if rows.count >= Self.capacity { rows.removeAll() }
    try find.bind(name)
    if let row = try find.firstRow({ $0.count(0) }) {
      rows[name] = row
      return row
    }
    try add.run(name)
    rows[name] = connection.lastInsertedID
    return connection.lastInsertedID
  }
}
