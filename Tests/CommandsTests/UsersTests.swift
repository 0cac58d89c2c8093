import Ledger
import TestSupport
import Testing

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
        app,effective-from,value,coarse,horizon-days,users,currency,mean,largest,hours-to-last-rise
        525463029,2026-01-01T00:00:00Z,1,,,20,EUR,1,1,10

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
