import Foundation
import SQLite
import System
import TestSupport
import Testing

struct `skan rebuild` {
  private func database(in folder: borrowing TemporaryFolder) throws -> String {
    let database = folder.file("skan.db")
    _ = skan("ingest", "--database", database, try folder.write(appleSamples(), to: "a.ndjson"))
    return database
  }

  @Test func `skan rebuild lists differences, repairs them, and then finds none`() throws {
    let folder = try TemporaryFolder()
    let database = try database(in: folder)
    let good = skan("rebuild", "--check", "-d", database)
    #expect(good.code == .done)
    #expect(
      good.output == """
        all rows agree with their postbacks, and all totals with their rows
        10 digests of stored bodies agree, and 9 signatures are valid

        """)
    try Connection(path: database, mode: .readWrite).execute(
      """
      UPDATE arrival_hour SET first = first + 68 WHERE network = 1;
      DELETE FROM copy_total
      """)
    let bad = skan("rebuild", "--check", "-d", database)
    #expect(bad.code == .failedCheck)
    try expectGolden(bad.output, "rebuild.txt")
    let json = skan("rebuild", "--check", "-d", database, "--format", "json")
    #expect(json.code == .failedCheck)
    try expectGolden(json.output, "rebuild.json")
    let doctor = skan("doctor", "-d", database, "--listen", "127.0.0.1:0")
    #expect(doctor.output.contains("Try: list the differences with `skan rebuild --check`"))
    let repaired = skan("rebuild", "--repair", "-d", database)
    #expect(repaired.code == .done)
    #expect(repaired.output.contains("figures repaired\n"))
    #expect(skan("rebuild", "--check", "-d", database).code == .done)
    let again = skan("rebuild", "--repair", "-d", database, "--format", "json")
    #expect(again.output.contains("\"repaired\": false"))
  }

  @Test func `skan rebuild lists columns that differ from the postback, and postbacks that cannot be read`()
    throws
  {
    let folder = try TemporaryFolder()
    let database = try database(in: folder)
    let before = skan("report", "campaigns", "-d", database).output
    try Connection(path: database, mode: .readWrite).execute(
      "UPDATE postback SET campaign = '77', value = 5 WHERE id = 2; UPDATE postback SET body = x'7B7D' WHERE id = 3"
    )
    let bad = skan("rebuild", "--check", "-d", database)
    #expect(bad.code == .failedCheck)
    try expectGolden(bad.output, "rebuild-rows.txt")
    let json = skan("rebuild", "--check", "-d", database, "--format", "json")
    #expect(json.code == .failedCheck)
    try expectGolden(json.output, "rebuild-rows.json")
    // What can't be read can't be mended either.
    let repaired = skan("rebuild", "--repair", "-d", database)
    #expect(repaired.code == .failedCheck)
    #expect(repaired.output.contains("1 row repaired\n"))
    #expect(skan("rebuild", "--check", "-d", database).output.hasPrefix("row  unreadable"))
    #expect(skan("report", "campaigns", "-d", database).output == before)
  }

  @Test func `skan rebuild rejects what it cannot do`() throws {
    let folder = try TemporaryFolder()
    let database = try database(in: folder)
    #expect(skan("rebuild", "-d", database).code == .usage)
    #expect(skan("rebuild", "--check", "--repair", "-d", database).code == .usage)
    #expect(skan("rebuild", "--check", "-d", folder.file("none.db")).code == .inputOutput)
    guard let other = FileLock(path: database + "-maintenance") else {
      Issue.record("nobody else has the lock")
      return
    }
    let busy = skan("rebuild", "--repair", "-d", database)
    #expect(busy.code == .unavailable)
    #expect(busy.errors.contains("another program has the database open\n  Try: stop the daemon"))
    #expect(skan("rebuild", "--check", "-d", database).code == .done)
    extendLifetime(other)
  }
}

struct `A database's name` {
  @Test(arguments: [":memory:", "file:a.db?mode=memory", "file:a.db"])
  func `A database's name is a plain path in every command`(name: String) throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    _ = skan("ingest", "--database", database, try folder.write(appleSamples(), to: "a.ndjson"))
    for words in [
      ["backup", "-d", database, name], ["backup", "-d", name, folder.file("b.db")], ["serve", "-d", name],
      ["ingest", "-d", name, folder.file("a.ndjson")], ["report", "campaigns", "-d", name],
      ["token", "create", "-d", name, "--reader", "a"], ["rebuild", "--check", "-d", name],
      ["prune", "-d", name, "--older-than", "1d"], ["explain", "-d", name, "x"],
    ] {
      let outcome = outcome(of: words)
      #expect(outcome.code == .usage, "\(words)")
      #expect(outcome.errors.contains("./"), "\(words): \(outcome.errors)")
    }
    #expect(skan("doctor", "-d", name, "--listen", "127.0.0.1:0").output.contains("FAIL  database: "))
  }

  @Test func `A database's name may begin like a URI behind a folder`() throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    _ = skan("ingest", "--database", database, try folder.write(appleSamples(), to: "a.ndjson"))
    let copy = folder.file("file:b.db?mode=memory")
    #expect(skan("backup", "-d", database, copy).code == .done)
    #expect(
      skan("report", "campaigns", "-d", copy).output == skan("report", "campaigns", "-d", database).output)
    let taken = skan("backup", "-d", database, copy)
    #expect(taken.code == .inputOutput)
    #expect(taken.errors.contains("the file exists"))
    for words in [
      ["report", "campaigns", "-d", copy], ["explain", "-d", copy, "x"], ["doctor", "-d", copy, "--deep"],
      ["backup", "-d", copy, folder.file("c.db")], ["rebuild", "--check", "-d", copy],
      ["token", "list", "-d", copy],
    ] {
      _ = outcome(of: words)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(!names.contains { $0.hasPrefix("file:") && $0 != "file:b.db?mode=memory" }, "\(words)")
    }
  }
}
