@testable import Ledger
import PostbackFixtures
import Postbacks
import SQLite
import Testing
import Values

/// The next layout, generated: it changes a table of the first one and fills a new one from its rows.
private let nextStep = """
  ALTER TABLE token ADD COLUMN note TEXT;
  CREATE TABLE app_total(app INTEGER PRIMARY KEY, postbacks INTEGER NOT NULL) STRICT;
  INSERT INTO app_total SELECT app, count(*) FROM postback GROUP BY app;
  """

private let nextSteps = Schema.steps + [nextStep]

struct `A database of an earlier layout` {
  private let scratch: ScratchDatabase

  init() throws {
    scratch = try ScratchDatabase()
    _ = try LedgerWriter(path: scratch.path).commit([valid("a"), valid("b"), valid("c", app: 7)])
  }

  private func connect() throws -> LedgerDatabase { try LedgerDatabase(path: scratch.path, mode: .readWrite) }

  private func userVersion() throws -> Int64 {
    try #require(try connect().integer("PRAGMA user_version"))
  }

  private func isThere(_ table: String) throws -> Bool {
    try connect().integer("SELECT count(*) FROM sqlite_schema WHERE name = '\(table)'") == 1
  }

  @Test func `A database of an earlier layout runs the missing steps, and keeps its rows and its number`()
    throws
  {
    let lineage = try userVersion() >> 10
    let connection = try connect()
    try Schema.admit(connection, steps: nextSteps)
    try Schema.migrate(connection, steps: nextSteps)
    #expect(try userVersion() == lineage << 10 | Int64(Schema.layout(after: nextSteps)))
    #expect(try connection.integer("SELECT postbacks FROM app_total WHERE app = 7") == 1)
    #expect(try connection.integer("SELECT sum(postbacks) FROM app_total") == 3)
    #expect(try connection.integer("SELECT count(*) FROM postback") == 3)
    try Schema.requireCurrent(connection, steps: nextSteps)
  }

  @Test func `A database of an earlier layout runs no step twice`() throws {
    let connection = try connect()
    try Schema.migrate(connection, steps: nextSteps)
    try Schema.migrate(connection, steps: nextSteps)
    #expect(try connection.integer("SELECT sum(postbacks) FROM app_total") == 3)
  }

  @Test func `A database of an earlier layout runs several steps at once`() throws {
    let steps = nextSteps + ["INSERT INTO app_total VALUES (1, 100)"]
    try Schema.migrate(connect(), steps: steps)
    #expect(try connect().integer("SELECT sum(postbacks) FROM app_total") == 103)
    #expect(try userVersion() & 1023 == Int64(Schema.layout(after: steps)))
  }

  @Test func `A database of an earlier layout is unchanged when a step fails`() throws {
    let version = try userVersion()
    #expect(throws: LedgerError.self) {
      try Schema.migrate(connect(), steps: nextSteps + ["INSERT INTO nowhere VALUES (1)"])
    }
    #expect(try userVersion() == version)
    #expect(try !isThere("app_total"))
    #expect(try LedgerWriter(path: scratch.path).commit([valid("a")])[0].effect == .copy)
  }

  @Test func `A database of an earlier layout is not read before the steps, because readers change nothing`()
    throws
  {
    #expect(throws: LedgerError.olderSchema(found: Schema.layout(), known: Schema.layout(after: nextSteps))) {
      try Schema.requireCurrent(connect(), steps: nextSteps)
    }
    #expect(try !isThere("app_total"))
  }

  @Test func `A database of an earlier layout is afterwards rejected by the program that made it`() throws {
    try Schema.migrate(connect(), steps: nextSteps)
    let newer = LedgerError.newerSchema(
      found: Schema.layout(after: nextSteps), known: Schema.layout())
    #expect(throws: newer) { try LedgerWriter(path: scratch.path) }
    #expect(throws: newer) { try LedgerReader(path: scratch.path) }
    #expect(throws: newer) { try Schema.migrate(connect()) }
  }

  @Test(arguments: [1, 11, Schema.firstLayout - 1])
  func `A database from before the first release is rejected with the cure, and left as it is`(
    layout: Int
  ) throws {
    let version = (try userVersion() >> 10) << 10 | Int64(layout)
    try connect().execute("PRAGMA user_version = \(version)")
    let unreleased = LedgerError.unreleasedSchema(found: layout)
    #expect(throws: unreleased) { try LedgerWriter(path: scratch.path) }
    #expect(throws: unreleased) { try LedgerReader(path: scratch.path) }
    #expect(throws: unreleased) { try Schema.migrate(connect()) }
    #expect(try userVersion() == version)
    #expect(unreleased.remedy?.contains("new database") == true)
  }
}
