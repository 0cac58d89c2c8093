import Foundation
import SQLite
import TestSupport
import Testing

/// Each fault: what clients are answered while it lasts, and that the daemon recovers once it is over.
@Suite(.serialized) final class `A daemon with failing storage` {
  private let folder: TemporaryFolder
  private let database: String
  private let keys: TestKeys
  private let bodies: [[UInt8]]

  init() throws {
    let folder = try TemporaryFolder()
    database = folder.file("skan.db")
    keys = try TestKeys(in: folder)
    bodies = try keys.postbacks(300, seed: 11)
    self.folder = folder
  }

  private func start() throws -> Daemon {
    try Daemon(database, ["--trust-test-keys", keys.publicFile])
  }

  /// Expects the one answer that a device tries again after.
  private func expectNotStored(_ answer: HTTPAnswer) {
    #expect(answer.status == 503)
    #expect(answer.header("retry-after") == "5")
    #expect(answer.header("content-type") == "application/problem+json")
    #expect(answer.text.contains("not-stored"))
  }

  /// Ends the daemon and holds the database to what was acknowledged.
  private func expectAll(_ acknowledged: [[UInt8]], after daemon: Daemon) throws {
    #expect(daemon.end(SIGTERM).exitCode == 0)
    let stored = try storedBodies(database)
    #expect(Set(stored).count == stored.count)
    #expect(Set(stored).isSuperset(of: acknowledged))
    #expect(try text(database, "PRAGMA integrity_check") == "ok")
    let health = try doctor(database)
    #expect(health.exitCode == 0, "\(health.output)")
  }

  /// Moves a database with its log.
  ///
  /// Back in its place the file comes last: a daemon that finds it without its log begins another one.
  private func move(from: String, to: String) throws {
    let parts = to == database ? ["-shm", "-wal", ""] : ["", "-wal", "-shm"]
    for part in parts where FileManager.default.fileExists(atPath: from + part) {
      try FileManager.default.moveItem(atPath: from + part, toPath: to + part)
    }
  }

  @Test func `A daemon answers 503 while the disk is full, and stores again once there is room`() throws {
    let daemon = try start()
    var acknowledged: [[UInt8]] = []
    for body in bodies[..<20] where try daemon.post(body).status == 200 { acknowledged.append(body) }
    #expect(acknowledged.count == 20)
    // No file may grow beyond what the log has by now.
    let size = try FileManager.default.attributesOfItem(atPath: database + "-wal")[.size] as? UInt64 ?? 0
    try limit("fsize", of: daemon, to: "\(size + 6000)")
    var rejected = 0
    for body in bodies[20..<120] {
      let answer = try daemon.post(body)
      if answer.status == 200 { acknowledged.append(body) } else { rejected += 1 }
      if answer.status != 200 { expectNotStored(answer) }
    }
    #expect(rejected > 50)
    #expect(try daemon.get("/readyz").status == 503)
    #expect(try daemon.get("/healthz").status == 200)
    #expect(daemon.waitForLog("not-stored")?.contains("cause") == true)
    try limit("fsize", of: daemon, to: "unlimited")
    for body in bodies[..<150] {
      #expect(try daemon.post(body).status == 200)
      acknowledged.append(body)
    }
    #expect(try daemon.get("/readyz").status == 200)
    try expectAll(acknowledged, after: daemon)
    #expect(try number(database, "SELECT count(*) FROM postback") == 150)
  }

  @Test func `A daemon answers a form 503 while the disk is full, and takes it once there is room`() throws {
    let document = """
      {"name":"a","app":1,"currency":"USD","effective-from":"2026-01-01","protocol":"skan4","fine":[{"value":0,"label":"a"}]}
      """
    let file = try folder.write(document, to: "first.json")
    let pages = try PagesFixture { database in
      let loaded = try Subprocess.run("skan", ["mapping", "load", "-d", database, file])
      #expect(loaded.exitCode == 0, "\(loaded.errors)")
    }
    let log = try? FileManager.default.attributesOfItem(atPath: pages.database + "-wal")[.size] as? UInt64
    try limit("fsize", of: pages.daemon, to: "\((log ?? 0) + 100)")
    let form = [("do", "begin"), ("version", "1")]
    let answer = try pages.send("/mappings", form)
    #expect(answer.status == 503)
    #expect(answer.header("retry-after") == "30")
    #expect(answer.text.contains("Nothing was stored"))
    #expect(pages.daemon.waitForLog("page-failed") != nil)
    try limit("fsize", of: pages.daemon, to: "unlimited")
    #expect(try pages.send("/mappings", form).status == 303)
  }

  @Test func `A daemon that is killed with a full disk keeps what it acknowledged`() throws {
    let daemon = try start()
    var acknowledged: [[UInt8]] = []
    for body in bodies[..<20] where try daemon.post(body).status == 200 { acknowledged.append(body) }
    try limit("fsize", of: daemon, to: "120000")
    for body in bodies[20...] where try daemon.post(body).status == 200 { acknowledged.append(body) }
    #expect(acknowledged.count < 300)
    #expect(daemon.end(SIGKILL).exitCode == 128 + SIGKILL)
    try expectAll(acknowledged, after: start())
  }

  @Test func `A daemon answers 503 within ten seconds while another program holds the lock`() throws {
    let daemon = try start()
    #expect(try daemon.post(bodies[0]).status == 200)
    let other = try Subprocess(
      "/usr/bin/python3",
      [
        "-c",
        """
        import sqlite3, sys
        connection = sqlite3.connect(sys.argv[1], isolation_level=None)
        connection.execute("BEGIN EXCLUSIVE")
        print("held", flush=True)
        sys.stdin.read()
        """, database,
      ])
    #expect(other.waitForLine(containing: "held") != nil)
    let began = Date()
    expectNotStored(try daemon.post(bodies[1]))
    #expect(Date().timeIntervalSince(began) < 10)
    #expect(try doctor(database).output.contains("FAIL  writing: another program holds the database's lock"))
    _ = other.finish()
    #expect(try daemon.post(bodies[1]).status == 200)
    try expectAll(Array(bodies[..<2]), after: daemon)
  }

  @Test func `A daemon answers 503 while its files are missing, and continues when they are back`() throws {
    let daemon = try start()
    for body in bodies[..<10] { #expect(try daemon.post(body).status == 200) }
    try move(from: database, to: folder.file("away.db"))
    for body in bodies[10..<13] { expectNotStored(try daemon.post(body)) }
    #expect(!FileManager.default.fileExists(atPath: database))
    #expect(daemon.waitForLog("removed or replaced") != nil)
    try move(from: folder.file("away.db"), to: database)
    for body in bodies[..<20] { #expect(try daemon.post(body).status == 200) }
    try expectAll(Array(bodies[..<20]), after: daemon)
    #expect(try number(database, "SELECT count(*) FROM postback") == 20)
  }

  @Test func `A daemon continues with a backup that replaces its file`() throws {
    let daemon = try start()
    for body in bodies[..<10] { #expect(try daemon.post(body).status == 200) }
    let copy = folder.file("copy.db")
    #expect(try Subprocess.run("skan", ["backup", "-d", database, copy]).exitCode == 0)
    for part in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: database + part) }
    #expect(rename(copy, database) == 0)
    expectNotStored(try daemon.post(bodies[10]))
    for body in bodies[..<20] { #expect(try daemon.post(body).status == 200) }
    try expectAll(Array(bodies[..<20]), after: daemon)
    #expect(try number(database, "SELECT count(*) FROM postback") == 20)
  }

  @Test func `A daemon loses nothing when its log is deleted and it is killed after the next postback`()
    throws
  {
    let daemon = try start()
    for body in bodies[..<30] { #expect(try daemon.post(body).status == 200) }
    try FileManager.default.removeItem(atPath: database + "-wal")
    expectNotStored(try daemon.post(bodies[30]))
    #expect(try daemon.post(bodies[31]).status == 200)
    #expect(daemon.end(SIGKILL).exitCode == 128 + SIGKILL)
    try expectAll(Array(bodies[..<30]) + [bodies[31]], after: start())
  }

  @Test func `A daemon survives a damaged file, and doctor finds it and names the cure`() throws {
    let first = try start()
    for body in bodies { #expect(try first.post(body).status == 200) }
    #expect(first.end(SIGTERM).exitCode == 0)
    let backup = folder.file("backup.db")
    #expect(try Subprocess.run("skan", ["backup", "-d", database, backup]).exitCode == 0)
    var bytes = try folder.read("skan.db")
    // Whole pages in the middle, so that trees are hit.
    for index in stride(from: bytes.count / 3, to: bytes.count / 3 * 2, by: 3) { bytes[index] ^= 0xFF }
    try folder.write(bytes, to: "skan.db")
    let health = try doctor(database)
    #expect(health.exitCode == 1)
    #expect(health.output.contains("FAIL  integrity: "))
    #expect(
      health.output.contains("Try: stop the service, delete the -wal and -shm files, and replace"))
    let more = try keys.postbacks(20, seed: 12)
    // It may start or reject to; it must not crash, and a 200 is kept to.
    if let second = try? start() {
      for body in more { #expect([200, 503].contains(try second.post(body).status)) }
      _ = try second.get("/metrics")
      #expect(second.end(SIGTERM).exitCode == 0)
    }
    for part in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database + part) }
    #expect(rename(backup, database) == 0)
    let third = try start()
    for body in more { #expect(try third.post(body).status == 200) }
    try expectAll(bodies + more, after: third)
  }

  @Test func `A daemon survives a lack of file descriptors`() throws {
    let daemon = try start()
    #expect(try daemon.post(bodies[0]).status == 200)
    let kept = try daemon.client()
    #expect(try kept.request("POST", skanPath, body: bodies[1]).status == 200)
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(daemon.identifier)/fd").count
    try limit("nofile", of: daemon, to: "\(open)")
    // Connections that are open go on; new ones may have to wait or are closed.
    #expect(try kept.request("POST", skanPath, body: bodies[2]).status == 200)
    for body in bodies[3..<8] {
      let client = try? HTTPClient(port: daemon.port, seconds: 1)
      if let answer = try? client?.request("POST", skanPath, body: body) {
        #expect([200, 503].contains(answer.status))
      }
    }
    #expect(try kept.request("POST", skanPath, body: bodies[8]).status == 200)
    try limit("nofile", of: daemon, to: "1024")
    for body in bodies[..<20] { #expect(try daemon.post(body).status == 200) }
    try expectAll(Array(bodies[..<20]), after: daemon)
  }

  @Test func `A daemon does not start on a file or in a folder that cannot be written, and reports it`()
    throws
  {
    let daemon = try start()
    #expect(try daemon.post(bodies[0]).status == 200)
    #expect(daemon.end(SIGTERM).exitCode == 0)
    // For root no permission is missing; a folder in place of the file and one under a file are hindrances for all.
    let hindered = try Subprocess.run(
      "skan", ["serve", "--database", folder.path, "--listen", "127.0.0.1:0"])
    #expect(hindered.exitCode == 74)
    #expect(hindered.errors.contains("cannot open the database"))
    let under = try Subprocess.run(
      "skan", ["serve", "--database", database + "/x.db", "--listen", "127.0.0.1:0"])
    #expect(under.exitCode == 74)
    // A file of the kernel that no user can write.
    let health = try doctor("/proc/version")
    #expect(health.exitCode == 1)
    #expect(health.output.contains("FAIL  folder: "))
  }

  /// Tries to start, and returns the output.
  private func hindrance() throws -> ProgramResult {
    try Subprocess.run("skan", ["serve", "--database", database, "--listen", "127.0.0.1:0"])
  }

  @Test func `A daemon does not start beside the log of another database, which harms nothing`() throws {
    let first = try start()
    for body in bodies[..<20] { #expect(try first.post(body).status == 200) }
    #expect(first.end(SIGTERM).exitCode == 0)
    let other = try Daemon(folder.file("other.db"), ["--trust-test-keys", keys.publicFile])
    for body in bodies[20..<40] { #expect(try other.post(body).status == 200) }
    #expect(other.end(SIGKILL).exitCode == 128 + SIGKILL)
    try FileManager.default.copyItem(atPath: folder.file("other.db-wal"), toPath: database + "-wal")
    for _ in 0..<2 {
      let rejection = try hindrance()
      #expect(rejection.exitCode == 74)
      #expect(rejection.errors.contains("the -wal file beside the database belongs to another database"))
      #expect(rejection.errors.contains("Move the -wal and -shm files away"))
      #expect(try doctor(database).output.contains("FAIL  database: "))
    }
    for part in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database + part) }
    let second = try start()
    #expect(try second.post(bodies[20]).status == 200)
    try expectAll(Array(bodies[..<21]), after: second)
    #expect(try number(database, "SELECT count(*) FROM postback") == 21)
  }

  @Test func `A daemon does not start on a truncated file, and names the cure`() throws {
    let daemon = try start()
    for body in bodies { #expect(try daemon.post(body).status == 200) }
    #expect(daemon.end(SIGTERM).exitCode == 0)
    try folder.write(Array(folder.read("skan.db").prefix(100_000)), to: "skan.db")
    let rejection = try hindrance()
    #expect(rejection.exitCode == 74)
    #expect(rejection.errors.contains("restore the last copy of `skan backup`"))
  }

  @Test func `A daemon survives kill -9 at random moments`() throws {
    let tool = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "tools/stress/kill").path
    let skan = Subprocess.productsFolder.appending(path: "skan").path
    let result = try Subprocess.run(
      "/usr/bin/python3", [tool, "--rounds", "8", "--seed", "5", "--skan", skan, "--minutes", "2"])
    #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("OK: "))
  }
}
