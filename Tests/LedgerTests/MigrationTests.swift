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

  private func connect() throws -> Connection { try Connection(path: scratch.path, mode: .readWrite) }

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
    #expect(try userVersion() == lineage << 10 | Int64(nextSteps.count))
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
    #expect(try userVersion() & 1023 == Int64(steps.count))
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
    #expect(throws: LedgerError.olderSchema(found: Schema.steps.count, known: nextSteps.count)) {
      try Schema.requireCurrent(connect(), steps: nextSteps)
    }
    #expect(try !isThere("app_total"))
  }

  @Test func `A database of an earlier layout is afterwards rejected by the program that made it`() throws {
    try Schema.migrate(connect(), steps: nextSteps)
    let newer = LedgerError.newerSchema(found: nextSteps.count, known: Schema.steps.count)
    #expect(throws: newer) { try LedgerWriter(path: scratch.path) }
    #expect(throws: newer) { try LedgerReader(path: scratch.path) }
    #expect(throws: newer) { try Schema.migrate(connect()) }
  }

  /// A database as the first layout had it, with what another one has.
  private func firstLayout(of path: String) throws -> ScratchDatabase {
    let scratch = try ScratchDatabase()
    let connection = try Connection(path: scratch.path, mode: .create)
    try Schema.migrate(connection, steps: [Schema.firstStep])
    try connection.execute("ATTACH '\(path)' AS old")
    var tables: [String] = []
    try connection.prepare(
      """
      SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name IN (SELECT name FROM old.sqlite_schema)
        AND name NOT LIKE 'sqlite_%' AND name <> 'postback_facts'
      """
    ).forEachRow { tables.append($0.text(0) ?? "") }
    for table in tables {
      // Later steps add columns.
      var columns: [String] = []
      try connection.prepare("SELECT name FROM pragma_table_info('\(table)', 'main')").forEachRow {
        columns.append($0.text(0) ?? "")
      }
      let names = columns.joined(separator: ", ")
      try connection.execute("INSERT INTO main.\(table)(\(names)) SELECT \(names) FROM old.\(table)")
    }
    let cell = "environment, app, network, version, campaign, window, outcome"
    try connection.execute(
      """
      INSERT INTO campaign_cell(day, \(cell)) SELECT \(daySQL("received_at")), \(cell) FROM postback
        UNION SELECT day, \(cell) FROM old.copy_total;
      INSERT INTO campaign_total SELECT c.id, 1, 0, 0, coalesce(t.repeats, 0), coalesce(t.conflicts, 0), 0, 0, 0, 0, 0, 0
        FROM campaign_cell c LEFT JOIN old.copy_total t USING (day, \(cell));
      INSERT INTO postback_facts VALUES (0, 0, 0, x'01');
      """)
    return scratch
  }

  @Test
  func `A database of the first layout counts afterwards what it counted before, as far as it was ended`()
    throws
  {
    let newer = try ScratchDatabase()
    try storeHistory(newer.path, seed: 3, receipts: 11_000)
    let query = CampaignQuery(
      environment: .test, dimensions: CampaignDimension.allCases.filter { !$0.isOfPostbacks })
    let expected = try LedgerReader(path: newer.path).campaigns(query)
    let older = try firstLayout(of: newer.path)
    #expect(throws: LedgerError.olderSchema(found: 1, known: Schema.steps.count)) {
      try LedgerReader(path: older.path)
    }
    // The steps alone, as if the rest had been ended: rows count that are in no block.
    try Schema.migrate(Connection(path: older.path, mode: .readWrite))
    #expect(try LedgerReader(path: older.path).campaigns(query) == expected)
    var done: [Int64] = []
    try LedgerUpgrade.run(path: older.path) { done.append($0 + $1) }
    #expect(done == [2 * FactBlocks.rows])
    try LedgerUpgrade.run(path: older.path) { done.append($0 + $1) }
    #expect(done.count == 1)
    #expect(try LedgerReader(path: older.path).campaigns(query) == expected)
    #expect(try LedgerReader(path: older.path).examine().contradictions == [])
  }
}
