@testable import Ledger
import PostbackFixtures
import Postbacks
import TestSupport
import Testing
import Values

struct `Own users` {
  /// Users who pay 1 in the first day, 2 more on the second, and 10 more on the fifth.
  private static let events =
    "user,time,event,revenue,currency\n"
    + (0..<20).map { user in
      """
      u\(user),2026-01-\(user + 1 < 10 ? "0" : "")\(user + 1)T00:00:00Z,install,,
      u\(user),2026-01-\(user + 1 < 10 ? "0" : "")\(user + 1)T10:00:00Z,pay,1,EUR
      u\(user),2026-01-\(user + 2 < 10 ? "0" : "")\(user + 2)T10:00:00Z,pay,2,EUR
      u\(user),2026-01-\(user + 5 < 10 ? "0" : "")\(user + 5)T10:00:00Z,pay,10,EUR

      """
    }.joined()

  private func database(_ folder: borrowing TemporaryFolder, windowHours: Int?) throws -> String {
    let database = folder.file("skan.db")
    #expect(
      skan("ingest", "-d", database, try folder.write(appleSamples(), to: "apple.ndjson")).code == .done)
    let window = windowHours.map { #""measurement-window-hours":\#($0),"# } ?? ""
    let mapping = try folder.write(
      #"{"name":"m","app":525463029,"currency":"EUR","effective-from":"2026-01-01","protocol":"skan4","#
        + window + #""grids":[{"first-value":0,"revenue":[0,1,2,4,8]}]}"#, to: "mapping.json")
    #expect(skan("mapping", "load", "-d", database, mapping).code == .done)
    return database
  }

  @Test func `Own users are counted up to the horizons that their history reaches`() throws {
    let folder = try TemporaryFolder()
    let database = try database(folder, windowHours: nil)
    let events = try folder.write(Self.events, to: "events.csv")
    let outcome = skan(
      "users", "import", "-d", database, "--app", "525463029", "--events", events, "--horizon", "7,30",
      "--format", "csv")
    #expect(outcome.code == .done)
    // The file ends on the 24th at 10:00, so that the users up to the 22nd have two days and those up to the 17th seven.
    #expect(
      outcome.output.replacing("\r\n", with: "\n") == """
        effective-from,horizon,value,users,currency,mean,largest
        2026-01-01T00:00:00Z,window-1,2,20,EUR,3,3
        2026-01-01T00:00:00Z,7d,2,17,EUR,13,13

        """)
    #expect(outcome.errors.contains("20 users of 20 imported"))
    #expect(outcome.errors.contains("left out of 7d: 3 users whose history is shorter"))
    #expect(outcome.errors.contains("left out of 30d: 20 users whose history is shorter"))
  }

  @Test func `Campaigns of the file show how far users of a value differ, for horizons of days`() throws {
    let folder = try TemporaryFolder()
    let database = try database(folder, windowHours: nil)
    var random = SplitMix64(seed: 4)
    var events = "user,time,event,revenue,currency,campaign\n"
    for user in 0..<400 {
      let (day, campaign) = (1 + user % 9, "c\(user % 3)")
      events += "u\(user),2026-01-0\(day)T00:00:00Z,install,,,\(user % 4 == 3 ? "" : campaign)\n"
      events += "u\(user),2026-01-0\(day)T10:00:00Z,pay,\(1 + random.number(below: 3)),EUR,\n"
      events += "u\(user),2026-01-1\(day)T10:00:00Z,pay,\(random.number(below: 9)),EUR,\n"
    }
    events += "last,2026-03-01T00:00:00Z,open,,,\n"
    let file = try folder.write(events, to: "events.csv")
    let outcome = skan(
      "users", "import", "-d", database, "--app", "525463029", "--events", file, "--horizon", "14")
    #expect(outcome.code == .done)
    #expect(outcome.errors.contains("3 campaigns of the file show how far users of a value differ"))
    let rows = try LedgerReader(path: database).withinValues()
    #expect(Set(rows.map(\.horizon)) == [.days(14)] && Set(rows.map(\.groups)) == [3])
    #expect(abs(rows.reduce(0) { $0 + $1.weight } - 1_000_000) < 30)
    // The same users without campaigns take its place.
    let plain = try folder.write(events.replacing(/c[012]\n/, with: "\n"), to: "plain.csv")
    #expect(
      skan("users", "import", "-d", database, "--app", "525463029", "--events", plain, "--horizon", "14").code
        == .done)
    #expect(try LedgerReader(path: database).withinValues().isEmpty)
  }

  @Test
  func `Organic users of a file with campaigns do not show how often users of ads update later windows`()
    throws
  {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    #expect(
      skan("ingest", "-d", database, try folder.write(appleSamples(), to: "apple.ndjson")).code == .done)
    let mapping = try folder.write(
      #"{"name":"m","app":525463029,"currency":"EUR","effective-from":"2026-01-01","protocol":"skan4","#
        + #""coarse":[{"window":2,"totals":"window","low":{"events":["open"]}}],"#
        + #""fine":[{"value":0,"label":"installed"},{"value":1,"events":["buy"]}]}"#, to: "mapping.json")
    #expect(skan("mapping", "load", "-d", database, mapping).code == .done)
    var events = "user,time,event,campaign\n"
    for user in 0..<60 {
      let isOrganic = user % 3 == 0
      events += "u\(user),2026-01-02T00:00:00Z,install,\(isOrganic ? "" : "c1")\n"
      // Half of the users of ads come back in window 2, and no organic one.
      if !isOrganic, user % 2 == 0 { events += "u\(user),2026-01-06T00:00:00Z,open,\n" }
    }
    events += "last,2026-03-01T00:00:00Z,open,\n"
    func updates(_ events: String) throws -> [[Int64]] {
      let file = try folder.write(events, to: "events.csv")
      #expect(skan("users", "import", "-d", database, "--app", "525463029", "--events", file).code == .done)
      return try LedgerReader(path: database).windowUpdates().filter { $0.window == .second }.map {
        [$0.users, $0.updated]
      }
    }
    #expect(try updates(events) == [[40, 20]])
    // Without campaigns all users count.
    #expect(try updates(events.replacing(",c1\n", with: ",\n")) == [[60, 20]])
  }

  @Test func `What users paid by the App Store's notifications counts for days, and events alone for values`()
    throws
  {
    let folder = try TemporaryFolder()
    let database = try database(folder, windowHours: nil)
    let events = try folder.write(Self.events, to: "events.csv")
    let accounts = try folder.write(
      "user;original_transaction_id\nu0;1001\nu1;1002\nu1;1003\nnobody;1004\n", to: "accounts.csv")
    func imported(_ options: String...) -> Outcome {
      CommandsTests.outcome(
        of: ["users", "import", "-d", database, "--app", "525463029", "--events", events, "--format", "csv"]
          + options)
    }
    #expect(
      imported("--horizon", "7", "--accounts", accounts).errors.contains("found no purchase of app 525463029")
    )
    let ledger = try LedgerFile(path: database)
    let key = try ledger.write(PurchaseKeyStoring(key: [7]))
    let app = known(AppID(525_463_029))
    let digest = PurchaseDigest(key: key, app: app, environment: .production)
    func pay(
      _ type: PurchaseType, _ account: String, _ moment: String, _ micros: Int64, _ transaction: String,
      currency: String = "EUR"
    ) throws {
      let outcome = try ledger.write(
        PurchaseStoring(
          environment: .production, app: app, type: type,
          at: try #require(Instant("2026-01-\(moment):00:00Z")),
          product: "gold", currency: currency, micros: micros,
          digests: .init(
            account: try digest.account(account), transaction: try digest.transaction(transaction)),
          notification: Array("\(transaction) \(type)".utf8)))
      #expect(outcome == .counted(type))
    }
    try pay(.purchase, "9", "01T00", 1_000_000, "1")
    try pay(.purchase, "1001", "03T05", 5_000_000, "2")
    try pay(.refund, "1001", "04T05", 2_000_000, "2")
    try pay(.renewal, "1001", "20T05", 7_000_000, "3")
    try pay(.purchase, "1002", "05T05", 1_000_000, "4")
    try pay(.purchase, "1003", "06T05", 2_000_000, "5")
    try pay(.purchase, "1003", "07T05", 9_000_000, "6", currency: "USD")
    try pay(.purchase, "9", "27T00", 1_000_000, "7")
    let outcome = imported("--horizon", "7", "--accounts", accounts)
    #expect(
      outcome.output.replacing("\r\n", with: "\n") == """
        effective-from,horizon,value,users,currency,mean,largest
        2026-01-01T00:00:00Z,window-1,2,20,EUR,3,3
        2026-01-01T00:00:00Z,7d,2,20,EUR,0.3,3

        """)
    #expect(outcome.errors.contains("notifications have of 3 of 4 accounts; other users paid nothing there"))
    #expect(outcome.errors.contains("amounts in USD are not counted"))
    // Longer than the notifications reach for all but some.
    #expect(
      imported("--horizon", "21", "--accounts", accounts).errors.contains(
        "left out of 21d: 14 users whose history is shorter, because purchases are known from 2026-01-01T00:00:00Z"
      ))
    #expect(imported("--accounts", accounts).code == .usage)
    let wrong = try folder.write("user,original-transaction-id\nu0,1.0E+15\n", to: "wrong.csv")
    let rejected = imported("--horizon", "7", "--accounts", wrong)
    #expect(
      rejected.code == .data && rejected.errors.contains("wrong.csv:2: ")
        && rejected.errors.contains("export it as text"))
    let two = try folder.write("user,original-transaction-id\nu0,5\nu1,5\n", to: "two.csv")
    #expect(imported("--horizon", "7", "--accounts", two).errors.contains("[two-users]"))
  }

  @Test func `Own users are listed and removed with the hours in which their values rose last`() throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    #expect(
      skan("ingest", "-d", database, try folder.write(appleSamples(), to: "apple.ndjson")).code == .done)
    let mapping = try folder.write(
      #"{"name":"m","app":525463029,"currency":"EUR","effective-from":"2026-01-01","protocol":"skan3","#
        + #""grids":[{"first-value":0,"revenue":[0,1,2,4,8]}]}"#, to: "mapping.json")
    #expect(skan("mapping", "load", "-d", database, mapping).code == .done)
    let events = try folder.write(Self.events, to: "events.csv")
    let outcome = skan("users", "import", "-d", database, "--app", "525463029", "--events", events)
    #expect(outcome.code == .done)
    // The file ends on the 24th at 10:00: users up to the 16th have eight days. A user pays 1 after 10 hours, and 2 more
    // when the timer of that rise has just run out.
    #expect(
      outcome.errors.contains(
        "hour of the last rise known of 16 users; reports date postbacks of SKAdNetwork 3 by it"))
    func rows() -> String {
      skan("users", "list", "-d", database, "--format", "csv").output.replacing("\r\n", with: "\n")
    }
    #expect(
      rows() == """
        app,effective-from,value,coarse,horizon-days,users,currency,mean,largest,saturated,hours-to-last-rise
        525463029,2026-01-01T00:00:00Z,1,,,20,EUR,1,1,,10

        """)
    #expect(try stored(database) == 1)
    #expect(skan("users", "remove", "-d", database, "--app", "525463029", "--yes").code == .done)
    #expect(try stored(database) == 0)
  }

  /// Rows of hours that the database has.
  private func stored(_ database: String) throws -> Int {
    try LedgerReader(path: database).finalHours().count
  }

  @Test func `Own users are worth what they paid in the hours that the mapping measures`() throws {
    let folder = try TemporaryFolder()
    let database = try database(folder, windowHours: 24)
    let events = try folder.write(Self.events, to: "events.csv")
    let outcome = skan(
      "users", "import", "-d", database, "--app", "525463029", "--events", events, "--format", "csv")
    #expect(outcome.output.contains("window-1,1,20,EUR,1,1\r\n"))
    #expect(
      skan("users", "import", "-d", database, "--app", "525463029", "--events", events, "--horizon", "x").code
        == .usage)
  }
}
