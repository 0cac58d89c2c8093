import Foundation
import SQLite
import TestSupport
import Testing

struct `The database checks of doctor` {
  /// A database with Apple's samples in it, and what doctor reports after it was changed.
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

  @Test func `The database checks of doctor write a row and delete it`() throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    _ = skan("ingest", "--database", database, try folder.write(appleSamples(), to: "a.ndjson"))
    let before = try Connection(path: database, mode: .readOnly).text(
      "SELECT group_concat(route || name) FROM origin")
    let output = skan("doctor", "-d", database, "--listen", "127.0.0.1:0").output
    #expect(output.contains("OK    writing: wrote a row and rolled it back"))
    #expect(output.contains("OK    log: the write-ahead log has 0 MiB"))
    let after = try Connection(path: database, mode: .readOnly).text(
      "SELECT group_concat(route || name) FROM origin")
    #expect(before == after)
  }

  @Test func `The database checks of doctor report that another program holds the lock`() throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    _ = skan("ingest", "--database", database, try folder.write(appleSamples(), to: "a.ndjson"))
    let other = try Connection(path: database, mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    let outcome = skan("doctor", "-d", database, "--listen", "127.0.0.1:0")
    try other.execute("ROLLBACK")
    #expect(outcome.code == .failedCheck)
    #expect(
      outcome.output.contains("FAIL  writing: another program holds the database's lock\n      Try: Stop"))
  }

  @Test func `The database checks of doctor read a large file whole only on request`() throws {
    let quick = try findings(after: enlarge)
    #expect(
      quick.contains(
        "OK    integrity: skipped, because the file has 300 MiB; use --deep to read it completely"))
    #expect(!quick.contains("totals: "))
    let deep = try findings(["--deep"], after: enlarge)
    #expect(deep.contains(" totals: "))
  }

  @Test func `The database checks of doctor report a log that no process empties`() throws {
    let output = try findings { try enlarge($0 + "-wal") }
    #expect(output.contains("WARN  log: the write-ahead log has 300 MiB\n      Try: stop the program"))
  }

  @Test func `The database checks of doctor find totals that are not the sum of their rows`() throws {
    let output = try findings {
      try Connection(path: $0, mode: .readWrite).execute("UPDATE arrival_hour SET first = first + 1")
    }
    #expect(output.contains("FAIL  totals: "))
    #expect(
      output.contains(
        "differ from the sum of their postbacks\n      Try: list the differences with `skan rebuild --check`")
    )
  }

  @Test func `The database checks of doctor find a folder in which no file can be created`() throws {
    // No user, not even root, can create files there.
    let output = skan("doctor", "-d", "/proc/skan.db", "--listen", "127.0.0.1:0").output
    #expect(output.contains("FAIL  folder: "))
  }
}

struct `The check of mapping files by doctor` {
  private func good(_ name: String, from: String = "2026-11-01") -> String {
    #"{"name":"\#(name)","app":1,"currency":"USD","effective-from":"\#(from)","protocol":"skan4","#
      + #""grids":[{"first-value":1,"revenue":[0,20,40]}]}"#
  }

  private func findings(_ files: [(String, String)], database: String? = nil) throws -> Outcome {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("mappings"), withIntermediateDirectories: true)
    for (name, text) in files { _ = try folder.write(text, to: "mappings/\(name)") }
    return skan(
      "doctor", "-d", database ?? folder.file("skan.db"), "--listen", "127.0.0.1:0", "--mappings",
      folder.file("mappings"))
  }

  @Test func `The check of mapping files by doctor counts the correct ones`() throws {
    let outcome = try findings([("a.json", good("a")), ("b.json", good("b", from: "2026-12-01"))])
    #expect(outcome.output.contains("OK    mappings: "))
    #expect(outcome.output.contains("2 mapping files"))
    #expect(!outcome.output.contains("does not decode"))
  }

  @Test func `The check of mapping files by doctor names a broken file, the place and the cure`() throws {
    let outcome = try findings([("a.json", good("a")), ("b.json", "{\n  \"name\": \"half\n")])
    #expect(outcome.code == .failedCheck)
    #expect(outcome.output.contains("FAIL  mappings: "))
    #expect(outcome.output.contains("b.json:2:"))
    #expect(outcome.output.contains("skan mapping check"))
  }

  @Test func `The check of mapping files by doctor names both files of a clash, and the one in force`() throws
  {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    _ = skan("mapping", "load", "-d", database, try folder.write(good("a"), to: "shop.json"))
    let outcome = try findings([("a-copy.json", good("copy")), ("shop.json", good("a"))], database: database)
    #expect(outcome.code == .failedCheck)
    let line = outcome.output.split(separator: "\n").first { $0.hasPrefix("FAIL  mappings: ") } ?? ""
    #expect(line.contains("a-copy.json"))
    #expect(line.contains("shop.json"))
    #expect(outcome.output.contains("effective-from"))
  }
}

struct `The check of backups by doctor` {
  @Test func `The check of backups by doctor reports when the last one was made`() throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    _ = skan("ingest", "--database", database, try folder.write(appleSamples(), to: "a.ndjson"))
    func output() -> String { skan("doctor", "-d", database, "--listen", "127.0.0.1:0").output }
    #expect(output().contains("WARN  backup: no backup has been made yet"))
    #expect(skan("backup", "-d", database, folder.file("copy.db")).code == .done)
    #expect(output().contains("OK    backup: the last copy by `skan backup` is from 2026-11-21T12:00:00Z"))
  }
}

struct `The check of file modes by doctor` {
  @Test func `The check of file modes by doctor warns of a database that others can read, with the cure`()
    throws
  {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    _ = skan("ingest", "--database", database, try folder.write(appleSamples(), to: "a.ndjson"))
    func output() -> String { skan("doctor", "-d", database, "--listen", "127.0.0.1:0").output }
    #expect(output().contains("OK    modes: "))
    for mode in [0o640, 0o604] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: database)
      #expect(output().contains("WARN  modes: "))
      #expect(output().contains("chmod 600 '\(database)'"))
    }
  }
}

struct `The check of the metrics address by doctor` {
  @Test func `The check of the metrics address by doctor warns if every client can reach it`() {
    #expect(skan("doctor", "--listen", "*:0").output.contains("WARN  metrics: "))
    #expect(!skan("doctor", "--listen", "127.0.0.1:0").output.contains("WARN  metrics: "))
    let closed = skan("doctor", "--listen", "*:0", "--metrics", "none")
    #expect(closed.output.contains("OK    metrics: "))
    let elsewhere = skan("doctor", "--listen", "*:0", "--metrics", "127.0.0.1:0")
    #expect(elsewhere.output.contains("OK    metrics: "))
    #expect(skan("doctor", "--metrics", "nonsense").errors.contains("--metrics"))
  }
}

struct `The check of the configuration by doctor` {
  @Test(arguments: [[], ["--domain", "127.0.0.1:1"]])
  func
    `The check of a configuration that cannot be used says that the other checks are of defaults, and fails`(
      options: [String]
    ) throws
  {
    let folder = try TemporaryFolder()
    try folder.write(#"{"databse": "skan.db"}"#, to: "skan.json")
    let words = ["doctor", "--config", folder.file("skan.json"), "--listen", "127.0.0.1:0"]
    let outcome = outcome(of: words + options)
    #expect(outcome.code == .failedCheck)
    #expect(outcome.output.hasPrefix("FAIL  configuration: "), "\(outcome.output)")
    #expect(
      outcome.output.contains("did you mean \"database\"?; the other checks are of the options"),
      "\(outcome.output)")
    try folder.write(#"{"database": "\#(folder.file("skan.db"))"}"#, to: "skan.json")
    #expect(
      !skan("doctor", "--config", folder.file("skan.json"), "--listen", "127.0.0.1:0").output.contains(
        "defaults"))
  }
}
