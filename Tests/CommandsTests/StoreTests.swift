import Commands
import PostbackFixtures
import Serving
import SQLite
import System
import Testing
import TestSupport

struct `skan ingest, report and explain` {
  @Test func `skan ingest, report and explain store, count and explain the samples`() throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    let file = try folder.write(appleSamples(), to: "apple.ndjson")
    let ingest = skan("ingest", "--database", database, "--format", "json", file)
    #expect(ingest.code == .done)
    #expect(ingest.output.contains(#""stored": 10"#))
    #expect(ingest.output.contains(#""new": 7"#))
    for format in ["table", "json", "ndjson", "csv"] {
      let report = skan("report", "campaigns", "--database", database, "--format", format)
      #expect(report.code == .done)
      try expectGolden(report.output, "report.\(format)")
    }
    let id = "6aafb7a5-0170-41b5-bbe4-fe71dedf1e30"
    try expectGolden(skan("explain", "--database", database, id).output, "explain.txt")
    try expectGolden(skan("explain", "--database", database, id, "--format", "json").output, "explain.json")
    let forged = skan("explain", "--database", database, "3f50fe57-29ae-4861-8c0b-ac6adddff72c")
    try expectGolden(forged.output, "explain-rejected.txt")
    let unknown = skan("explain", "--database", database, "nobody")
    #expect(unknown.code == .failedCheck)
    #expect(unknown.errors.contains("the database has no postback with the identifier 'nobody'"))
  }

  @Test func `skan ingest takes the time and the route from the command line`() throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    let file = try folder.write(try SharedVectors.body("apple-4.0-web-fine"), to: "a.json")
    let words = skan(
      "ingest", "-d", database, "--received-at", "2026-03-04", "--route", "forwarded:acme", file)
    #expect(words.code == .done)
    let page = skan("explain", "-d", database, "6aafb7a5-0170-41b5-bbe4-fe71dedf1e30").output
    #expect(page.contains("first copy   2026-03-04T00:00:00Z, forwarded acme"))
    #expect(
      skan("report", "campaigns", "-d", database, "--from", "2026-03-05").output.contains(
        "no production postbacks"))
    #expect(skan("ingest", "-d", database, "--route", "pigeon", file).code == .usage)
  }

  @Test func `skan ingest, report and explain have an exit code for each obstacle`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(appleSamples(), to: "apple.ndjson")
    let missing = folder.file("none.db")
    #expect(skan("report", "campaigns", "--database", missing).code == .inputOutput)
    #expect(skan("explain", "--database", missing, "x").code == .inputOutput)
    // A question makes no database.
    #expect(throws: FileError.self) { try FileReader(missing) }
    let other = try folder.write("this is a text and not a database, whatever its name says", to: "text.db")
    let notOurs = skan("ingest", "--database", other, file)
    #expect(notOurs.code == .data)
    #expect(notOurs.errors.contains("not a skan database"))
    #expect(skan("report", "campaigns", "--database", other).code == .data)
    #expect(skan("ingest", "--database", folder.file("a/b/c.db"), file).code == .inputOutput)
    #expect(skan("ingest", "--database", folder.file("x.db"), folder.file("none")).code == .inputOutput)
    #expect(skan("ingest", file).code == .usage)
  }

  @Test func `skan ingest, report and explain report that another program holds the database`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(appleSamples(), to: "apple.ndjson")
    let database = folder.file("skan.db")
    #expect(skan("ingest", "--database", database, file).code == .done)
    let other = try Connection(path: database, mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    #expect(skan("ingest", "--database", database, file).code == .unavailable)
  }

  @Test(arguments: [
    ["--by", "moon"], ["--app", "x"], ["--from", "2026-11-21T12:00:00Z"], ["--digits", "5"],
    ["--from", "2026-11-21", "--to", "2026-11-21"],
  ])
  func `skan ingest, report and explain reject a question that makes no sense`(words: [String]) throws {
    let console = Console.captured()
    let world = CommandContext(console: console, clock: { noon }, answersSignals: false)
    #expect(run(["report", "campaigns", "--database", "x.db"] + words, in: world) == .usage)
    #expect(console.errors.captured.contains(words[words.count - 2]))
  }
}
