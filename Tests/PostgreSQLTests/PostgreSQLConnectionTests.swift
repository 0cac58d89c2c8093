import PostgreSQL
import System
import TestSupport
import Testing

/// A connection to the database that every server has.
private func connection() throws -> PostgreSQLConnection {
  try PostgreSQLConnection(PostgreSQLCluster.shared().address(of: "postgres"))
}

@Suite(.enabled(if: PostgreSQLCluster.missing == nil, "PostgreSQL is not installed"))
struct `A connection to PostgreSQL` {
  @Test func `A connection to PostgreSQL returns parameters as they were sent`() throws {
    let values: [PostgreSQLValue] = [
      .null, .integer(.min), .integer(-1), .integer(.max), .boolean(true), .boolean(false), .text(""),
      .text("Größe '\\ \u{1F600}"), .bytes([]), .bytes(Array(0...255)),
      .uuid(high: 0x0123_4567_89ab_cdef, low: .max),
    ]
    let types = [
      "text", "int8", "int8", "int8", "bool", "bool", "text", "text", "bytea", "bytea", "uuid",
    ]
    let columns = types.enumerated().map { "$\($0 + 1)::\($1)" }.joined(separator: ", ")
    let answer = try connection().query("SELECT \(columns)", values)
    #expect(answer.rows == [PostgreSQLRow(values: values)])
    #expect(answer.notices.isEmpty)
  }

  @Test func `A connection to PostgreSQL sends and reads millions of bytes`() throws {
    let bytes = [[UInt8]](repeating: Array(0...250), count: 40_000).flatMap(\.self)
    let answer = try connection().query(
      "SELECT $1::bytea, octet_length($1::bytea)", [.bytes(bytes)], withinSeconds: 60)
    #expect(try answer.firstRow().integer(1) == bytes.count)
    #expect(try answer.firstRow().bytes(0) == bytes)
  }

  @Test func `A connection to PostgreSQL reads small numbers, names and rows of none`() throws {
    let connection = try connection()
    let answer = try connection.query(
      "SELECT 1::int2, -2::int4, 'a'::name, 'b'::varchar FROM generate_series(1, 2)")
    let row = PostgreSQLRow(values: [.integer(1), .integer(-2), .text("a"), .text("b")])
    #expect(answer.rows == [row, row])
    #expect(try connection.query("SELECT 1 WHERE false").rows.isEmpty)
    #expect(throws: PostgreSQLError.self) { try connection.query("SELECT 1 WHERE false").firstRow() }
    #expect(throws: PostgreSQLError.self) { try row.text(0) }
    #expect(throws: PostgreSQLError.self) { try row.integer(4) }
  }

  @Test func `A type that is not read is an error, and the connection is usable after it`() throws {
    let connection = try connection()
    let error = #expect(throws: PostgreSQLError.self) { try connection.query("SELECT now()") }
    #expect(error?.kind == .unexpectedAnswer)
    #expect(try connection.query("SELECT 5::int8").firstRow().integer(0) == 5)
  }

  @Test func `An error of the server has its state, and the outcome is known`() throws {
    let connection = try connection()
    let error = #expect(throws: PostgreSQLError.self) { try connection.query("SELECT * FROM nothing") }
    #expect(error?.kind == .rejected && error?.state == "42P01" && error?.isOutcomeUnknown == false)
    #expect(throws: PostgreSQLError.self) { try connection.execute("SELECT 1; SELECT 1 / 0") }
    #expect(try connection.query("SELECT 5::int8").firstRow().integer(0) == 5)
    #expect(!connection.isLost)
  }

  @Test func `Notices are those of one statement, and a warning is one`() throws {
    let connection = try connection()
    let raise = "DO $$ BEGIN RAISE %@ 'careful'; END $$"
    let warned = try connection.query(raise.replacing("%@", with: "WARNING"))
    #expect(warned.notices == [PostgreSQLNotice(severity: "WARNING", state: "01000", message: "careful")])
    #expect(warned.hasWarning)
    let noted = try connection.query(raise.replacing("%@", with: "NOTICE"))
    #expect(noted.notices.map(\.severity) == ["NOTICE"] && !noted.hasWarning)
    #expect(try connection.query("SELECT 1").notices.isEmpty)
  }

  @Test func `A server that does not answer in time is given up, and the outcome is unknown`() throws {
    let connection = try connection()
    var error: PostgreSQLError?
    let time = ContinuousClock().measure {
      error = #expect(throws: PostgreSQLError.self) {
        try connection.query("SELECT pg_sleep(5)", withinSeconds: 0.2)
      }
    }
    #expect(error?.kind == .timedOut && error?.isOutcomeUnknown == true && connection.isLost)
    #expect(time < .seconds(3))
    #expect(throws: PostgreSQLError.self) { try connection.query("SELECT 1") }
  }

  @Test func `A session that the server ends is lost, and the outcome is unknown`() throws {
    let connection = try connection()
    let number = try connection.query("SELECT pg_backend_pid()").firstRow().integer(0)
    let killer = try Worker {
      _ = try? PostgreSQLConnection(PostgreSQLCluster.shared().address(of: "postgres")).query(
        "SELECT pg_sleep(0.1), pg_terminate_backend($1::int8::int4)", [.integer(number)])
    }
    let error = #expect(throws: PostgreSQLError.self) { try connection.query("SELECT pg_sleep(5)") }
    killer.join()
    #expect(error?.state == "57P01" && error?.isOutcomeUnknown == true && connection.isLost)
  }

  @Test(
    arguments: [
      "host=/nowhere dbname=postgres", "postgres://127.0.0.1:1/postgres", "no=such word", "host=/\0",
      "service=no-such-service",
    ])
  func `An address without a server is an error that does not repeat it`(address: String) {
    let error = #expect(throws: PostgreSQLError.self) {
      _ = try PostgreSQLConnection(address + " password=secret")
    }
    #expect(error?.kind == .notConnected && error?.isOutcomeUnknown == false)
    #expect(error?.description.contains("secret") == false)
  }

  @Test func `The second host is used where the first has no server`() throws {
    let address = try PostgreSQLCluster.shared().address(of: "postgres")
    let two = address.replacing("host=", with: "host=/nowhere,")
    #expect(try PostgreSQLConnection(two).query("SELECT 1").firstRow().integer(0) == 1)
  }

  @Test func `A server that can't be written is not used where the caller wants to write`() throws {
    let address = try PostgreSQLCluster.shared().address(of: "postgres")
    // The address may not take back what the caller needs.
    let readOnly = address + " options='-c default_transaction_read_only=on' target_session_attrs=any"
    #expect(throws: PostgreSQLError.self) {
      _ = try PostgreSQLConnection(readOnly, settings: [("target_session_attrs", "read-write")])
    }
    #expect(try PostgreSQLConnection(readOnly).serverVersion >= 130_000)
  }
}
