import TestSupport
import Testing

struct `Imported rows on the command line` {
  private static let spend =
    "date,network,campaign,amount,currency,app,impressions,clicks\n2026-11-20,com.example,5239,10.25,USD,,1000,20\n"
    + "2026-11-21,com.example,5239,2,USD,525463029,500,5\n2026-11-21,Com.exampel,1,3,EUR,,,\n"
    + "2026-11-22,com.example,5238,4,USD,,,\n2026-11-22,com.example,Wintr,5,USD,,,\n"
  private static let names =
    "network,campaign,from,name\ncom.example,5239,2026-01-01,Summer\ncom.example,42,2026-01-01,Winter\n"
    + "com.exampel,7,2026-01-01,Slip\ncom.example,,2026-01-01,The Example\n"

  private func database(in folder: borrowing TemporaryFolder) throws -> String {
    let database = folder.file("skan.db")
    let samples = try folder.write(appleSamples(), to: "apple.ndjson")
    #expect(skan("ingest", "-d", database, samples).code == .done)
    return database
  }

  @Test
  func `Imported rows on the command line are compared with what came, row by row with the nearest match`()
    throws
  {
    let folder = try TemporaryFolder()
    let database = try database(in: folder)
    let names = try folder.write(Self.names, to: "names.csv")
    let spend = try folder.write(Self.spend, to: "spend.csv")
    var text = "names import\n" + skan("names", "import", "-d", database, names).errors
    text += "spend import\n" + skan("spend", "import", "-d", database, spend).errors
    let later = try folder.write(
      "network,campaign,from,name\ncom.example,5239,2026-11-21,Autumn\n", to: "later.csv")
    text += "later names\n" + skan("names", "import", "-d", database, later).errors
    text +=
      "spend import --format json\n"
      + skan("spend", "import", "-d", database, spend, "--format", "json").output
    text +=
      "report campaigns\n" + skan("report", "campaigns", "-d", database, "--network", "com.example").output
    text +=
      "unmatched-spend\n"
      + skan("report", "campaigns", "-d", database, "--format", "csv", "--table", "unmatched-spend").output
    try expectGolden(text, "import-check.txt")
  }

  @Test func `Imported rows on the command line are cut after twenty sentences, and whole for programs`()
    throws
  {
    let folder = try TemporaryFolder()
    let database = try database(in: folder)
    let rows = (0..<25).map { "2026-11-20,com.example,\(1000 + $0),1,USD\n" }.joined()
    let spend = try folder.write("date,network,campaign,amount,currency\n" + rows, to: "spend.csv")
    let errors = skan("spend", "import", "-d", database, spend).errors
    #expect(errors.split(separator: "\n").count { $0.hasPrefix("warning: campaign") } == 20)
    #expect(errors.contains("\nand 5 more\n"))
    let lines = skan("spend", "import", "-d", database, spend, "--format", "ndjson").output
    #expect(lines.split(separator: "\n").count == 25)
    let report = skan("report", "campaigns", "-d", database).output
    #expect(report.contains("and 5 more; --format json has all"))
  }

  @Test func `Imported rows on the command line are listed in every format, with filters`() throws {
    let folder = try TemporaryFolder()
    let database = try database(in: folder)
    #expect(
      skan("spend", "import", "-d", database, try folder.write(Self.spend, to: "spend.csv")).code == .done)
    #expect(
      skan("names", "import", "-d", database, try folder.write(Self.names, to: "names.csv")).code == .done)
    let rates = try folder.write("date,currency,quote,rate\n2026-01-01,EUR,USD,1.10\n", to: "rates.csv")
    let totals = try folder.write("date,network,installs\n2026-11-20,com.example,12\n", to: "totals.csv")
    #expect(skan("rates", "import", "-d", database, rates).code == .done)
    #expect(skan("totals", "import", "-d", database, totals).code == .done)
    var text = ""
    for words in [
      ["spend", "list"], ["spend", "list", "--format", "csv"],
      ["spend", "list", "--network", "com.example", "--from", "2026-11-21", "--to", "2026-11-22"],
      ["spend", "list", "--app", "525463029", "--format", "ndjson"],
      ["spend", "list", "--campaign", "Wintr"],
      ["names", "list"], ["rates", "list"], ["totals", "list"], ["users", "list"],
      ["names", "list", "--built-in", "--network", "com.apple.ads"],
    ] {
      text +=
        "$ skan \(words.joined(separator: " "))\n"
        + outcome(of: Array(words.prefix(2)) + ["-d", database] + words.dropFirst(2)).output
    }
    try expectGolden(text, "imported-rows.txt")
  }

  @Test func `Own installs on the command line are imported, listed, subtracted from, and removed`() throws {
    let folder = try TemporaryFolder()
    let database = try database(in: folder)
    let file = try folder.write(
      "date;app;installs\n2026-11-20;525463029;1200\n2026-11-20;7;5\n", to: "installs.csv")
    let imported = skan("installs", "import", "-d", database, file)
    #expect(imported.code == .done)
    #expect(imported.errors == "warning: app 7 has no postbacks\n2 days and apps of installs stored: 2 new\n")
    #expect(
      skan("installs", "list", "-d", database, "--app", "7", "--format", "csv").output
        == "date,app,installs\r\n2026-11-20,7,5\r\n")
    let report = skan("report", "organic", "-d", database, "--format", "csv")
    #expect(report.output.hasPrefix("app,days,own-installs,attributed-installs,organic-installs,"))
    let removed = skan("installs", "remove", "-d", database, "--app", "7", "--yes")
    #expect(removed.errors == "1 day and app of installs removed\n")
  }

  @Test
  func `Imported rows on the command line are removed as they are listed, after a question or with --yes`()
    throws
  {
    let folder = try TemporaryFolder()
    let database = try database(in: folder)
    let spend = try folder.write(Self.spend, to: "spend.csv")
    func rows() -> Int {
      skan("spend", "list", "-d", database, "--format", "ndjson").output.split(separator: "\n").count
    }
    #expect(skan("spend", "import", "-d", database, spend).code == .done)
    #expect(rows() == 5)
    let filter = ["spend", "remove", "-d", database, "--network", "com.exampel"]
    #expect(skan("spend", "remove", "-d", database).code == .usage)
    #expect(outcome(of: filter).code == .usage && rows() == 5)
    let no = skan("spend", "remove", "-d", database, "--network", "com.exampel", answer: "n")
    #expect(no.code == .done && no.errors.contains("nothing was removed") && rows() == 5)
    let yes = skan("spend", "remove", "-d", database, "--network", "com.exampel", answer: "Yes")
    #expect(
      yes.errors.contains("Remove 1 row of spend? [y/N]") && yes.errors.contains("1 row of spend removed"))
    #expect(yes.output.contains("com.exampel") && rows() == 4)
    #expect(outcome(of: filter + ["--yes"]).errors == "no rows of spend to remove\n")
    #expect(skan("spend", "remove", "-d", database, "--all", "--yes").errors == "4 rows of spend removed\n")
    #expect(rows() == 0)
    #expect(skan("spend", "import", "-d", database, spend).errors.hasSuffix("stored: 5 new\n"))
  }
}
