internal import PostgreSQL

/// Makes the tables and functions of a journal in a database, which is the only time that skan changes its layout.
package enum JournalSetup {
  /// The layout of `journal.sql`.
  static let layout: Int64 = 1
  /// The oldest server that has all functions; tested is 15.
  static let oldestServer = 130_000

  /// Sets a journal up, or finds the one that was.
  ///
  /// - Parameter address: A URI or words of libpq; the user must be allowed to make a schema.
  /// - Throws: ``JournalError/foreignSchema`` where the schema's name belongs to something else.
  package static func run(_ address: String) throws(JournalError) -> JournalIdentity {
    let fresh = try JournalIdentity.random()
    do throws(PostgreSQLError) {
      let connection = try PostgreSQLConnection(
        address, settings: [("target_session_attrs", "read-write")])
      guard connection.serverVersion >= oldestServer else {
        throw PostgreSQLError(
          kind: .rejected, state: oldServer, message: "\(connection.serverVersion)", isOutcomeUnknown: false)
      }
      if let found = try existing(connection) { return found }
      do throws(PostgreSQLError) {
        try connection.execute("BEGIN; " + String(decoding: PackageResources.journal_sql, as: UTF8.self))
        _ = try connection.query(
          "INSERT INTO skan_journal.about VALUES (1, $1::bigint, 1)", [.integer(layout)])
        _ = try connection.query(
          "INSERT INTO skan_journal.head VALUES ($1, 0, $2)",
          [fresh.value, .bytes(ChainDigest(start: fresh).bytes)])
        try connection.execute("COMMIT")
        return fresh
      } catch {
        try? connection.execute("ROLLBACK")
        // Another program may have made the same schema meanwhile.
        if error.state == "42P06" || error.state == "23505", let found = try existing(connection) {
          return found
        }
        throw error
      }
    } catch {
      throw meaning(of: error)
    }
  }

  /// The journal of a database; `nil` where it has none.
  private static func existing(_ connection: PostgreSQLConnection) throws(PostgreSQLError) -> JournalIdentity?
  {
    let sql = "SELECT to_regnamespace('skan_journal') IS NOT NULL"
    guard try connection.query(sql).firstRow()[0] == .boolean(true) else { return nil }
    guard let found = try identity(over: connection) else {
      throw PostgreSQLError(
        kind: .rejected, state: foreignSchema, message: "no journal", isOutcomeUnknown: false)
    }
    return found
  }

  /// The identity of the journal that a connection leads to; `nil` where it has none.
  ///
  /// - Throws: An error with state ``JournalState/newerLayout`` for a layout that this program does not know.
  static func identity(over connection: PostgreSQLConnection) throws(PostgreSQLError) -> JournalIdentity? {
    let answer: PostgreSQLAnswer
    do throws(PostgreSQLError) {
      answer = try connection.query(
        "SELECT a.layout, h.identity FROM skan_journal.about a CROSS JOIN skan_journal.head h")
    } catch {
      // No such schema, table or column.
      if ["3F000", "42P01", "42703"].contains(error.state) { return nil }
      throw error
    }
    guard let row = answer.rows.first else { return nil }
    let found = try row.integer(0)
    guard found <= layout else {
      throw PostgreSQLError(
        kind: .rejected, state: JournalState.newerLayout, message: "a newer layout", detail: "\(found)",
        isOutcomeUnknown: false)
    }
    let (high, low) = try row.uuid(1)
    return JournalIdentity(high: high, low: low)
  }

  private static let foreignSchema = "SJ004"
  private static let oldServer = "SJ005"

  private static func meaning(of error: PostgreSQLError) -> JournalError {
    switch error.state {
    case foreignSchema: .foreignSchema
    case oldServer: .oldServer(version: Int(error.message) ?? 0)
    default: JournalError(definite: error) ?? .unavailable(reason: error.description)
    }
  }
}
