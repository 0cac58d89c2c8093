import SQLite

/// Turns the words that come again and again into small row numbers.
final class InternedStrings {
  private let findOrigin: Statement
  private let addOrigin: Statement
  private let findNetwork: Statement
  private let addNetwork: Statement
  private var origins: [Origin: Int64] = [:]
  private var networks: [String: Int64] = [:]

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    findOrigin = try connection.prepare("SELECT id FROM origin WHERE route = ?1 AND name = ?2")
    addOrigin = try connection.prepare("INSERT INTO origin(route, name) VALUES (?1, ?2)")
    findNetwork = try connection.prepare("SELECT id FROM network WHERE identifier = ?1")
    addNetwork = try connection.prepare("INSERT INTO network(identifier) VALUES (?1)")
  }

  /// Forgets the numbers, because a rollback may have taken some of their rows.
  func reset() {
    origins.removeAll()
    networks.removeAll()
  }

  /// The row of an origin, made when it is missing.
  func row(of origin: Origin, on connection: borrowing Connection) throws(SQLiteError) -> Int64 {
    if let known = origins[origin] { return known }
    try findOrigin.bind(origin.route.rawValue, at: 1)
    try findOrigin.bind(origin.name, at: 2)
    if let row = try findOrigin.firstRow({ $0.count(0) }) {
      origins[origin] = row
      return row
    }
    try addOrigin.bind(origin.route.rawValue, at: 1)
    try addOrigin.bind(origin.name, at: 2)
    try addOrigin.run()
    origins[origin] = connection.lastInsertedID
    return connection.lastInsertedID
  }

  /// The row of a network, made when it is missing; the identifier is in lower case.
  func row(ofNetwork identifier: String, on connection: borrowing Connection) throws(SQLiteError) -> Int64 {
    if let known = networks[identifier] { return known }
    try findNetwork.bind(identifier, at: 1)
    if let row = try findNetwork.firstRow({ $0.count(0) }) {
      networks[identifier] = row
      return row
    }
    try addNetwork.bind(identifier, at: 1)
    try addNetwork.run()
    networks[identifier] = connection.lastInsertedID
    return connection.lastInsertedID
  }
}
