import Intake
import Ledger
import Postbacks
import Testing
import Values

struct `A file of own installs` {
  @Test(arguments: [
    "Date,App,Installs,Note\n2026-11-01,525463029,1840,x\n",
    #"[{"date":"2026-11-01","app":525463029,"installs":"1840"}]"#,
  ])
  func `A file of own installs is CSV or JSON`(text: String) throws {
    let row = OwnInstallsRow(
      day: try #require(Day("2026-11-01")), app: try #require(AppID(525_463_029)), installs: 1840)
    #expect(try ReferenceFile.read(OwnInstallsRow.self, Array(text.utf8)) == [row])
  }

  @Test func `A file of own installs, or of proceeds, can have several rows of a day, which add up`() throws {
    let day = try #require(Day("2026-11-01"))
    let app = try #require(AppID(1))
    let installs = "date,app,installs\n2026-11-01,1,5\n2026-11-01,1,7\n2026-11-01,1,5\n"
    #expect(
      try ReferenceFile.read(OwnInstallsRow.self, Array(installs.utf8)) == [
        OwnInstallsRow(day: day, app: app, installs: 17)
      ])
    let proceeds =
      "date,app,proceeds,currency,refunds\n2026-11-01,1,-5,USD,1\n2026-11-01,1,7.5,USD,0\n2026-11-01,1,1,EUR,\n"
    #expect(
      try ReferenceFile.read(ProceedsRow.self, Array(proceeds.utf8)) == [
        ProceedsRow(day: day, app: app, currency: "USD", proceeds: 2_500_000, refunds: 1_000_000),
        ProceedsRow(day: day, app: app, currency: "EUR", proceeds: 1_000_000),
      ])
  }

  @Test(arguments: [
    ("date,app\n", "missing-column", 1), ("date,app,installs\n2026-11-31,1,1\n", "invalid-date", 2),
    ("date,app,installs\n,1,1\n", "missing-date", 2),
    ("date,app,installs\n2026-11-01,,1\n", "missing-app", 2),
    ("date,app,installs\n2026-11-01,com.example,1\n", "invalid-app", 2),
    ("date,app,installs\n2026-11-01,1,\n", "missing-installs", 2),
    ("date,app,installs\n2026-11-01,1,-1\n", "negative-installs", 2),
    ("date,app,installs\n2026-11-01,1,1000000000000\n2026-11-01,1,5\n", "installs-too-large", 3),
  ])
  func `A file of own installs with an error names its line and code`(text: String, code: String, line: Int) {
    do {
      _ = try ReferenceFile.read(OwnInstallsRow.self, Array(text.utf8))
      Issue.record("It was taken.")
    } catch {
      #expect(error.code == code)
      #expect(error.line == line)
      #expect(!error.sentence.english.isEmpty)
    }
  }
}
