import Foundation
import Platform
import SQLite
import TestSupport
import Testing

struct `The database checks of doctor` {
  /// A database with Apple's samples in it, and what doctor says after it was changed.
  private func findings(
    _ options: [String] = [], after change: (String) throws -> Void = { _ in }
  ) throws -> String {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    _ = skan("ingest", "--database", database, try folder.write(appleSamples(), to: "a.ndjson"))
    try change(database)
    return outcome(of: ["doctor", "-d", database, "--listen", "127.0.0.1:0"] + options).output
  }

  private func enlarge(_ path: String) throws {
    if !FileManager.default.fileExists(atPath: path) {
      _ = FileManager.default.createFile(atPath: path, contents: nil)
    }
    // Without a byte on the disk.
    #expect(truncate(path, 300 << 20) == 0)
  }

  @Test func `write a row and take it back`() throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    _ = skan("ingest", "--database", database, try folder.write(appleSamples(), to: "a.ndjson"))
    let before = try Connection(path: database, mode: .readOnly).text(
      "SELECT group_concat(route || name) FROM origin")
    let output = skan("doctor", "-d", database, "--listen", "127.0.0.1:0").output
    #expect(output.contains("OK    writing: a row can be written; it was taken back"))
    #expect(output.contains("OK    log: the write-ahead log has 0 MiB"))
    let after = try Connection(path: database, mode: .readOnly).text(
      "SELECT group_concat(route || name) FROM origin")
    #expect(before == after)
  }

  @Test func `tell that another program holds the lock`() throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    _ = skan("ingest", "--database", database, try folder.write(appleSamples(), to: "a.ndjson"))
    let other = try Connection(path: database, mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    let outcome = skan("doctor", "-d", database, "--listen", "127.0.0.1:0")
    try other.execute("ROLLBACK")
    #expect(outcome.code == .bad)
    #expect(
      outcome.output.contains("FAIL  writing: another program holds the database's lock\n      Try: Stop"))
  }

  @Test func `read a large file whole only when they are asked to`() throws {
    let quick = try findings(after: enlarge)
    #expect(
      quick.contains("OK    integrity: not examined, because the file has 300 MiB; --deep reads it whole"))
    #expect(!quick.contains("totals: "))
    let deep = try findings(["--deep"], after: enlarge)
    #expect(deep.contains(" totals: "))
  }

  @Test func `tell of a log that nobody empties`() throws {
    let output = try findings { try enlarge($0 + "-wal") }
    #expect(output.contains("WARN  log: the write-ahead log has 300 MiB\n      Try: end the program"))
  }

  @Test func `find totals that are not the sum of their rows`() throws {
    let output = try findings {
      try Connection(path: $0, mode: .readWrite).execute("UPDATE campaign_total SET installs = installs + 1")
    }
    #expect(output.contains("FAIL  totals: "))
    #expect(
      output.contains(
        "differ from the sum of their postbacks\n      Try: list them with `skan rebuild --check`"))
  }

  @Test func `find a folder in which no file can be made`() throws {
    // Nobody, not even root, makes files there.
    let output = skan("doctor", "-d", "/proc/skan.db", "--listen", "127.0.0.1:0").output
    #expect(output.contains("FAIL  folder: "))
  }
}
