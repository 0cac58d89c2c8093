@testable import Ledger
import PostbackFixtures
import Postbacks
import SQLite
import Testing
import Values

struct `A limited reader` {
  private let scratch: ScratchDatabase

  init() throws {
    scratch = try ScratchDatabase()
    let writer = try LedgerWriter(path: scratch.path)
    for number in 0..<3 { _ = try writer.commit([valid("a\(number)", network: "a.skadnetwork", app: 1)]) }
    for number in 0..<5 { _ = try writer.commit([valid("b\(number)", network: "b.skadnetwork", app: 2)]) }
  }

  private func reader(apps: [Int64] = [], networks: [String] = []) throws -> LedgerReader {
    try LedgerReader(
      path: scratch.path,
      limit: ReadLimit(apps: apps.compactMap { AppID($0) }, networks: networks.compactMap { AdNetworkID($0) })
    )
  }

  private func counts(
    _ reader: LedgerReader, apps: [Int64] = [], networks: [String] = []
  ) throws -> [String: Int64] {
    let rows = try reader.campaigns(
      CampaignQuery(
        environment: .test, apps: apps.compactMap { AppID($0) },
        networks: networks.compactMap { AdNetworkID($0) }, dimensions: [.network]))
    return Dictionary(uniqueKeysWithValues: rows.map { ($0.network ?? "", $0.counts.postbacks) })
  }

  @Test func `Counts what is of its networks, whatever is asked`() throws {
    #expect(try counts(reader()) == ["a.skadnetwork": 3, "b.skadnetwork": 5])
    let limited = try reader(networks: ["A.skadnetwork"])
    #expect(try counts(limited) == ["a.skadnetwork": 3])
    #expect(try counts(limited, networks: ["b.skadnetwork"]).isEmpty)
    #expect(try limited.apps(in: .test).map(\.number) == [1])
    // A network that has sent nothing yet is no reason to show all.
    #expect(try counts(reader(networks: ["new.skadnetwork"])).isEmpty)
  }

  @Test func `Counts what is of its apps, whatever is asked`() throws {
    let limited = try reader(apps: [2])
    #expect(try counts(limited) == ["b.skadnetwork": 5])
    #expect(try counts(limited, apps: [1]).isEmpty)
    #expect(try counts(limited, apps: [1, 2]) == ["b.skadnetwork": 5])
  }

  @Test func `Finds postbacks of its apps alone, whatever is asked`() throws {
    func apps(_ asked: [Int64]) throws -> [Int64] {
      let query = PostbackQuery(environment: .test, apps: asked.compactMap { AppID($0) })
      return try reader(apps: [2]).newestPostbacks(PostbackSearch(query), atMost: .max).map(\.app.number)
    }
    #expect(try apps([]) == [2, 2, 2, 2, 2])
    #expect(try apps([1, 2]).count == 5)
    #expect(try apps([1]).isEmpty)
  }

  @Test func `Reads imports of its apps alone`() throws {
    let store = try ReferenceStore(path: scratch.path)
    let (day, apps) = (Day(number: 20_000), [1, 2].map { known(AppID($0)) })
    try store.put(apps.map { OwnInstallsRow(day: day, app: $0, installs: 5) })
    try store.put(apps.map { ProceedsRow(day: day, app: $0, currency: "USD", proceeds: 7) })
    for app in apps {
      try store.replaceWorth(
        of: app, effectiveFrom: day.start,
        with: [
          ValueWorthRow(
            app: app, effectiveFrom: day.start, horizon: .firstWindow, currency: "USD", value: 1, each: [1])
        ],
        windowUpdates: [
          WindowUpdateRow(
            app: app, effectiveFrom: day.start, window: .second, value: 1, users: 3, updated: 2)
        ])
    }
    let limited = try reader(apps: [2])
    #expect(try limited.ownInstalls(from: nil, to: nil).map(\.app) == [apps[1]])
    #expect(try limited.proceeds(from: nil, to: nil).map(\.app) == [apps[1]])
    #expect(try limited.valueWorth().map(\.app) == [apps[1]])
    #expect(try limited.windowUpdates().map(\.app) == [apps[1]])
    #expect(try reader().proceeds(from: nil, to: nil).count == 2)
  }

  @Test func `Has every table of the database, and only those that were decided on have rows`() throws {
    let writer = try Connection(path: scratch.path, mode: .readWrite)
    // What a later layout may add.
    try writer.execute(
      """
      CREATE TABLE later(secret TEXT); INSERT INTO later VALUES ('x'); CREATE VIEW v_later AS SELECT * FROM later;
      """)
    let limited = try reader(networks: ["a.skadnetwork"])
    var filled: Set<String> = []
    try limited.connection.prepare(
      "SELECT name FROM main.sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'"
    ).forEachRow { row in
      let name = row.text(0) ?? ""
      let count = try? limited.connection.integer("SELECT count(*) FROM \"\(name)\"")
      #expect(count != nil, "\(name)")
      if let count, count > 0 { filled.insert(name) }
    }
    #expect(filled.isSubset(of: ["network", "postback", "arrival_hour", "fact_source", "last_time"]))
    #expect(filled.contains("postback") && filled.contains("fact_source"))
    #expect(try limited.connection.integer("SELECT count(*) FROM postback") == 3)
    #expect(try limited.connection.integer("SELECT count(*) FROM network") == 1)
  }

  @Test(arguments: ["", "a.skadnetwork,", ","])
  func `A limit that cannot be read makes its token useless, not open`(text: String) throws {
    let store = try TokenStore(path: scratch.path)
    let limit = ReadLimit(
      apps: [1].compactMap { AppID($0) },
      networks: ["A.skadnetwork", "b.skadnetwork"].compactMap { AdNetworkID($0) })
    _ = try store.add(.read, name: "ann", token: "t", limit: limit, now: Instant(seconds: 1))
    #expect(try LedgerReader(path: scratch.path).tokens().map(\.limit) == [limit])
    let connection = try Connection(path: scratch.path, mode: .readWrite)
    try connection.execute("UPDATE token SET networks = '\(text)'")
    #expect(try LedgerReader(path: scratch.path).tokens().isEmpty)
    try connection.execute("UPDATE token SET networks = NULL, apps = '\(text)'")
    #expect(try LedgerReader(path: scratch.path).tokens().isEmpty)
  }
}
