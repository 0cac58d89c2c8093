import Foundation
import SQLite
import TestSupport
import Testing

/// Runs a line of the shell, in which `$skan` is the program.
private func shell(_ line: String) throws -> ProgramResult {
  try Subprocess.run(
    "/bin/sh", ["-c", line],
    environment: ["skan": Subprocess.productsFolder.appending(path: "skan").path])
}

struct `A signal to a command` {
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `ends an ingest that waits for input which never comes`(signal: Int32) throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    let child = try Subprocess("skan", ["ingest", "--database", database, "-"])
    child.write(try SharedVectors.body("apple-4.0-web-fine") + [10])
    while (try? number(database, "SELECT count(*) FROM origin")) == nil { usleep(10_000) }
    usleep(100_000)
    child.send(signal)
    // The pipe stays open, so that only the signal can be what ends it.
    #expect(child.waitForErrorLine(containing: "interrupted: everything counted above is stored") != nil)
    let result = child.finish()
    #expect(result.exitCode == 130)
    #expect(result.output.contains("new        1\n"))
  }

  @Test func `ends an ingest that reads a document without an end`() throws {
    let folder = try TemporaryFolder()
    let pipe = folder.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let child = try Subprocess(
      "/bin/sh",
      [
        "-c",
        "tr '\\0' '[' < /dev/zero > '\(pipe)' & exec \"$skan\" ingest -d '\(folder.file("skan.db"))' - < '\(pipe)'",
      ], environment: ["skan": Subprocess.productsFolder.appending(path: "skan").path])
    usleep(700_000)
    child.send(SIGTERM)
    #expect(child.waitForErrorLine(containing: "interrupted") != nil)
    #expect(child.finish().exitCode == 130)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `ends an ingest at once when it comes a second time`(signal: Int32) throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    let file = try folder.write(SharedVectors.body("apple-4.0-web-fine"), to: "a.json")
    #expect(try Subprocess.run("skan", ["ingest", "--database", database, file]).exitCode == 0)
    // The writer waits for this lock, for longer than the test takes.
    let other = try Connection(path: database, mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    let child = try Subprocess("skan", ["ingest", "--database", database, file])
    usleep(500_000)
    child.send(signal)
    usleep(200_000)
    child.send(signal)
    let result = child.finish()
    #expect(result.exitCode == 130)
    #expect(result.output.isEmpty)
  }

  @Test func `ends the others as if nobody answered it, and their temporary files with them`() throws {
    let folder = try TemporaryFolder()
    let child = try Subprocess("skan", ["verify", "-"])
    child.write(try SharedVectors.body("apple-2.0") + [10])
    #expect(child.waitForLine(containing: "valid") != nil)
    child.send(SIGTERM)
    // Its end, before its input has one: that would be an orderly end.
    #expect(child.waitForLine(containing: "no such line") == nil)
    #expect(child.finish().exitCode == 128 + SIGTERM)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func `is left alone where the program was started to ignore it`() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("pid")
    let result = try shell(
      "trap '' HUP; (sleep 0.5; kill -HUP $(cat '\(file)'); sleep 0.3; echo '{') "
        + "| sh -c 'echo $$ > \(file); exec \"$skan\" verify -'")
    #expect(result.exitCode == 1)
    #expect(result.output.contains("malformed"))
  }
}

struct `A thread that can't start` {
  @Test(arguments: [
    "verify '$file'", "ingest -d '$folder/a.db' '$file'", "serve -d '$folder/b.db' --listen 127.0.0.1:0",
    "sign --new-key '$folder/key.json' && \"$skan\" sign --test-key '$folder/key.json' '$file'",
  ])
  func `is an error with exit code 69`(words: String) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(SharedVectors.body("apple-4.0-web-fine"), to: "a.json")
    let line = words.replacing("$file", with: file).replacing("$folder", with: folder.path)
    // No address space has room for a stack of that size.
    let result = try shell("ulimit -s 274877906944 && \"$skan\" \(line)")
    #expect(result.exitCode == 69, "\(result.errors)")
    #expect(result.errors.contains("start"), "\(result.errors)")
  }
}

struct `A token` {
  private func create(_ database: String, _ redirection: String) throws -> ProgramResult {
    try shell("\"$skan\" token create -d '\(database)' --reader a \(redirection)")
  }

  @Test(arguments: ["> /dev/full", ">&-", "--quiet > /dev/full", "--quiet >&-"])
  func `that could not be printed is not made`(redirection: String) throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    let result = try create(database, redirection)
    #expect(result.exitCode == 74)
    #expect(result.errors.contains("cannot write to standard output"))
    #expect(try number(database, "SELECT count(*) FROM token") == 0)
    #expect(try text(database, "PRAGMA integrity_check") == "ok")
  }

  @Test func `that nobody reads is not made`() throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    let result = try shell(
      "(sleep 0.5; \"$skan\" token create -d '\(database)' --reader a; echo code $? >&2) | true")
    #expect(result.errors.contains("standard output is closed; no token was created"))
    #expect(result.errors.contains("code 74"))
    #expect(try number(database, "SELECT count(*) FROM token") == 0)
  }

  @Test func `that the database does not take is said to be worth nothing`() throws {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    #expect(try create(database, "").exitCode == 0)
    let other = try Connection(path: database, mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    let result = try create(database, "")
    #expect(result.exitCode == 69)
    #expect(result.errors.contains("the token above is not valid: another program holds"))
    try other.execute("ROLLBACK")
    #expect(try number(database, "SELECT count(*) FROM token") == 1)
  }
}

struct `A path with an encoded zero` {
  @Test(arguments: [
    "/healthz%00", "/healthz%00x", "/metrics%00", "/v1/networks/acme%00/postbacks",
    "/v1/reports/campaigns%00",
    skanPath + "%00",
  ])
  func `is nobody's`(path: String) throws {
    let folder = try TemporaryFolder()
    let daemon = try Daemon(folder.file("a.db"))
    let method = path.hasPrefix("/v1/networks") || path.hasPrefix("/.well") ? "POST" : "GET"
    let answer = try daemon.client().request(method, path, body: method == "POST" ? Array("{}".utf8) : nil)
    #expect([400, 401, 404].contains(answer.status), "\(answer.status)")
    #expect(!path.contains("healthz") || answer.status == 404)
  }
}
