import Foundation
import Gzip
import TestSupport
import Testing

struct `skan ingest as a process` {
  @Test func `skan ingest as a process adds nothing the second time`() throws {
    let folder = try TemporaryFolder()
    let keys = try TestKeys(in: folder)
    let database = folder.file("skan.db")
    let file = try folder.write(
      gzip(Array(keys.postbacks(1000, seed: 1).joined(separator: [10]))), to: "a.ndjson.gz")
    let words = ["ingest", "--database", database, "--trust-test-keys", keys.publicFile, file]
    #expect(try Subprocess.run("skan", words).output.contains("new        1000\n"))
    let before = try figures(database)
    let again = try Subprocess.run("skan", words)
    #expect(again.exitCode == 0)
    #expect(again.output.contains("new        0\n"))
    #expect(try figures(database) == before)
  }

  @Test func `skan ingest as a process can be interrupted and run again with the result of a single run`()
    throws
  {
    let folder = try TemporaryFolder()
    let keys = try TestKeys(in: folder)
    let lines = Array(try keys.postbacks(6000, seed: 2).joined(separator: [10]))
    let file = try folder.write(lines, to: "a.ndjson")
    let (database, clean) = (folder.file("skan.db"), folder.file("clean.db"))
    let trust = ["--trust-test-keys", keys.publicFile]
    let child = try Subprocess("skan", ["ingest", "--database", database] + trust + ["-"])
    child.write(Array(lines.prefix(lines.count / 2)))
    usleep(300_000)
    child.send(SIGINT)
    usleep(100_000)
    // The request is handled at the next bytes that arrive.
    child.write(Array(lines.dropFirst(lines.count / 2)))
    let result = child.finish()
    #expect(result.exitCode == 130)
    #expect(result.errors.contains("the same command again"))
    let stored = try number(database, "SELECT count(*) FROM postback")
    #expect(stored > 0)
    #expect(stored < 6000)
    #expect(try Subprocess.run("skan", ["ingest", "--database", database] + trust + [file]).exitCode == 0)
    #expect(try Subprocess.run("skan", ["ingest", "--database", clean] + trust + [file]).exitCode == 0)
    #expect(try figures(database) == figures(clean))
  }
}

struct `skan as a process` {
  @Test func `skan as a process reports in one line that a port is in use, and ends with 69`() throws {
    let folder = try TemporaryFolder()
    let daemon = try Daemon(folder.file("a.db"))
    let result = try Subprocess.run(
      "skan", ["serve", "--database", folder.file("b.db"), "--listen", "127.0.0.1:\(daemon.port)"])
    #expect(result.exitCode == 69)
    #expect(result.errors.contains("skan: cannot listen on 127.0.0.1:\(daemon.port)"))
    #expect(result.errors.contains("  Try: stop the program that listens on port \(daemon.port)"))
    let doctor = try Subprocess.run(
      "skan", ["doctor", "--database", folder.file("a.db"), "--listen", "127.0.0.1:\(daemon.port)"])
    #expect(doctor.output.contains("a running skan answers on"))
    #expect(doctor.exitCode == 0)
  }

  @Test func `skan as a process reloads after SIGHUP and reports it`() throws {
    let folder = try TemporaryFolder()
    let daemon = try Daemon(folder.file("a.db"))
    daemon.send(SIGHUP)
    #expect(daemon.waitForLog("hang-up") != nil)
    #expect(try daemon.get("/healthz").status == 200)
    #expect(daemon.end(SIGINT).exitCode == 0)
  }

  @Test func `skan as a process shows rows of a pipe as they arrive`() throws {
    let body = try SharedVectors.body("apple-4.0-web-fine")
    let child = try Subprocess("skan", ["verify", "--format", "ndjson", "-"])
    child.write(body + [10] + body + [10])
    #expect(child.waitForLine(containing: #""index":0"#) != nil)
    #expect(child.finish().exitCode == 0)
  }

  @Test func `skan as a process prints no error when the reader of its rows exits`() throws {
    let folder = try TemporaryFolder()
    let lines = Array(repeating: try SharedVectors.body("apple-2.0"), count: 3000).joined(separator: [10])
    let file = try folder.write(Array(lines), to: "many.ndjson")
    let program = Subprocess.productsFolder.appending(path: "skan").path
    let result = try Subprocess.run(
      "/bin/sh", ["-c", "'\(program)' verify --quiet --format ndjson '\(file)' | head -1"])
    #expect(result.errors.isEmpty)
    #expect(result.output.split(separator: "\n").count == 1)
  }
}

struct `A simulation` {
  @Test func `A simulation that is interrupted while it writes postbacks ends and deletes them and the page`()
    throws
  {
    let folder = try TemporaryFolder()
    let keys = try TestKeys(in: folder)
    let mapping = try folder.write(
      """
      {"name": "m", "app": 1000000001, "currency": "USD", "effective-from": "2026-01-01", "protocol": "skan4",
       "grids": [{"first-value": 1, "events": ["buy"], "revenue": [0, 5, 10]}]}
      """, to: "mapping.json")
    let rows = (0..<20_000).map { "u\($0),\(1_790_000_000 + $0),buy,\($0 % 10),\($0 % 5)\n" }
    let events = try folder.write(
      "user,time,event,revenue,campaign\n" + rows.joined(), to: "events.csv")
    let (pipe, page) = (folder.file("pipe"), folder.file("page.html"))
    #expect(mkfifo(pipe, 0o600) == 0)
    let child = try Subprocess(
      "skan",
      [
        "simulate", "--mapping", mapping, "--events", events, "--postbacks", pipe, "--test-key",
        keys.secretFile, "--html", page,
      ])
    // Without waiting, so that a program that fails before ends the test.
    let descriptor = open(pipe, O_RDONLY | O_NONBLOCK)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let patience = Date() + 60
    while read(descriptor, &bytes, 1) != 1, Date() < patience { Thread.sleep(forTimeInterval: 0.01) }
    #expect(Date() < patience)
    #expect(fcntl(descriptor, F_SETFL, 0) == 0)
    // It cannot continue writing now; a signal in the meantime counts once the test reads.
    child.send(SIGINT)
    Thread.sleep(forTimeInterval: 0.3)
    while read(descriptor, &bytes, bytes.count) > 0 {}
    let result = child.finish()
    #expect(result.exitCode == 130)
    #expect(result.errors.contains("interrupted"))
    #expect(result.output.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: page))
  }

  @Test(.timeLimit(.minutes(1))) func `A simulation that waits for events ends at the first signal`() throws {
    let folder = try TemporaryFolder()
    let mapping = try folder.write(
      #"{"name": "m", "app": 1, "currency": "USD", "effective-from": "2026-01-01", "protocol": "skan4"}"#,
      to: "mapping.json")
    let child = try Subprocess("skan", ["simulate", "--mapping", mapping, "--events", "-"])
    child.write(Array("user,time,event,revenue,campaign\n".utf8))
    try waitUntilHeeded(SIGTERM, by: child)
    // A test that runs in the background may ignore SIGINT, and its children with it.
    child.send(SIGTERM)
    // Its end, before its input has one.
    #expect(child.waitForErrorLine(containing: "no such line") == nil)
    #expect(child.finish().exitCode == 130)
  }

  /// Waits until a program has taken over a signal, so that it does not end it at once.
  private func waitUntilHeeded(_ signal: Int32, by child: Subprocess) throws {
    let deadline = Date() + 30
    while Date() < deadline {
      let status = try String(contentsOfFile: "/proc/\(child.identifier)/status", encoding: .utf8)
      let masks = status.split(separator: "\n").filter { $0.hasPrefix("SigBlk:") || $0.hasPrefix("SigCgt:") }
      let isHeeded = masks.contains { line in
        let mask = line.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } ?? 0
        return mask >> (signal - 1) & 1 == 1
      }
      if isHeeded { return }
      Thread.sleep(forTimeInterval: 0.01)
    }
    Issue.record("the program never took over the signal")
  }
}
