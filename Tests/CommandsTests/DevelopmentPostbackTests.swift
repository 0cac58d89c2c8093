import TestSupport
import Testing

/// Apple's own sample of Developer Settings: app 10738027756, value 24.
struct `A development postback that came just now` {
  private let id = "85546EB7-FD39-44BC-8990-C98A4AC36A49"

  private func mapping(_ name: String, from date: String) -> String {
    #"{"name":"\#(name)","app":10738027756,"currency":"USD","effective-from":"\#(date)","protocol":"aak","#
      + #""fine":[{"value":24,"events":["buy"],"revenue":{"from":10,"to":20}}]}"#
  }

  private func database(in folder: borrowing TemporaryFolder, _ mappings: [(String, String)]) throws -> String
  {
    let database = folder.file("skan.db")
    let sample = try folder.write(try SharedVectors.body("apple-aak-dev1-reengagement"), to: "sample.json")
    #expect(skan("ingest", "-d", database, sample).code == .done)
    for (name, date) in mappings {
      let file = try folder.write(mapping(name, from: date), to: "\(name).json")
      #expect(skan("mapping", "load", "-d", database, file).code == .done)
    }
    return database
  }

  @Test func `A development postback that arrived just now is decoded by the mapping that begins today`()
    throws
  {
    let folder = try TemporaryFolder()
    let database = try database(in: folder, [("today", "2026-11-21")])
    let page = skan("explain", "-d", database, id).output
    #expect(page.contains("decoded by the newest mapping that this test device can have followed"))
    #expect(page.contains("mid 15 USD (10 to 20)"))
    #expect(page.contains("and 2026-11-21T12:00:00Z, by Apple's timers"))
    let rows = skan(
      "report", "postbacks", "-d", database, "--environment", "development", "--format", "csv")
    #expect(rows.output.contains(",decoded,newest,today (2026-11-21T00:00:00Z),"))
    let report = skan("report", "campaigns", "-d", database, "--environment", "development")
    #expect(report.output.contains("15.00"))
    #expect(report.output.contains("1 are decoded by the newest mapping"))
    let events = skan(
      "report", "events", "-d", database, "--environment", "development", "--format", "csv")
    #expect(events.output.contains(",buy,1,"))
  }

  @Test
  func `A development postback is certain if one mapping covers all timers, and uses the newest of two`()
    throws
  {
    let folder = try TemporaryFolder()
    let database = try database(in: folder, [("old", "2026-01-01")])
    #expect(skan("explain", "-d", database, id, "--format", "json").output.contains(#""certain""#))
    let today = try folder.write(mapping("today", from: "2026-11-21"), to: "today.json")
    #expect(skan("mapping", "load", "-d", database, today).code == .done)
    let page = skan("explain", "-d", database, id, "--format", "json").output
    #expect(page.contains(#""newest""#) && page.contains(#""name": "today""#))
    #expect(!page.contains(#""name": "old""#))
  }
}
