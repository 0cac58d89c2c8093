import Foundation
import SQLite
import System
import TestSupport
import Testing

/// What clients saw while the daemon was ended under them.
private struct Acknowledged: Sendable {
  var bodies: [[UInt8]] = []
  var next = 0
}

/// Posts bodies on several connections until the daemon is gone; returns those that were answered 200.
private func load(
  _ daemon: Daemon, _ bodies: [[UInt8]], threads: Int, until end: () -> Void
) throws -> [[UInt8]] {
  let state = Guarded(Acknowledged())
  let port = daemon.port
  let clients = try (0..<threads).map { _ in
    try Worker {
      guard let client = try? HTTPClient(port: port, seconds: 5) else { return }
      while true {
        let index = state.withLock { state in
          defer { state.next += 1 }
          return state.next
        }
        guard index < bodies.count,
          let answer = try? client.request("POST", skanPath, body: bodies[index]), answer.status == 200
        else { return }
        state.withLock { $0.bodies.append(bodies[index]) }
      }
    }
  }
  end()
  for client in clients { client.join() }
  return state.withLock { $0.bodies }
}

@Suite(.serialized) struct `An acknowledged postback` {
  @Test func `An acknowledged postback survives kill -9 in every round, once each`() throws {
    let folder = try TemporaryFolder()
    let keys = try TestKeys(in: folder)
    let database = folder.file("skan.db")
    var acknowledged: Set<[UInt8]> = []
    for round in 0..<8 {
      let daemon = try Daemon(database, ["--trust-test-keys", keys.publicFile])
      let bodies = try keys.postbacks(400, seed: UInt64(round))
      let seen = try load(daemon, bodies, threads: 4) {
        usleep(UInt32(20_000 + round * 7000))
        daemon.send(SIGKILL)
      }
      #expect(daemon.end(SIGKILL).exitCode == 128 + SIGKILL)
      acknowledged.formUnion(seen)
      let stored = try storedBodies(database)
      #expect(Set(stored).isSuperset(of: acknowledged), "round \(round)")
      #expect(Set(stored).count == stored.count, "round \(round)")
      #expect(try text(database, "PRAGMA integrity_check") == "ok")
    }
    #expect(acknowledged.count > 20)
    #expect(
      try number(database, "SELECT count(*) FROM postback")
        == number(database, "SELECT sum(postbacks) FROM v_campaign_days"))
    // What comes again after the last crash is recognised.
    let daemon = try Daemon(database, ["--trust-test-keys", keys.publicFile])
    let before = try number(database, "SELECT count(*) FROM postback")
    for body in acknowledged.prefix(50) { #expect(try daemon.post(body).status == 200) }
    #expect(daemon.end(SIGTERM).exitCode == 0)
    #expect(try number(database, "SELECT count(*) FROM postback") == before)
  }

  @Test func `An acknowledged postback survives SIGTERM under load, and the daemon ends with 0`() throws {
    let folder = try TemporaryFolder()
    let keys = try TestKeys(in: folder)
    let database = folder.file("skan.db")
    let daemon = try Daemon(database, ["--trust-test-keys", keys.publicFile, "--log-format", "json"])
    let bodies = try keys.postbacks(2000, seed: 99)
    let seen = try load(daemon, bodies, threads: 4) {
      usleep(200_000)
      daemon.send(SIGTERM)
    }
    let result = daemon.waitForEnd()
    #expect(result.exitCode == 0)
    #expect(result.errors.contains(#""event":"stopped""#))
    #expect(!seen.isEmpty)
    #expect(seen.count < bodies.count)
    #expect(Set(try storedBodies(database)).isSuperset(of: seen))
  }

  @Test func `No postback is acknowledged while another process holds the database, and all are after that`()
    throws
  {
    let folder = try TemporaryFolder()
    let database = folder.file("skan.db")
    let daemon = try Daemon(database)
    let body = try SharedVectors.body("apple-4.0-web-fine")
    do {
      let other = try Connection(path: database, mode: .readWrite)
      try other.execute("BEGIN IMMEDIATE")
      let answer = try daemon.post(body)
      #expect(answer.status == 503)
      #expect(answer.header("retry-after") == "5")
      #expect(answer.header("content-type") == "application/problem+json")
      #expect(try daemon.get("/readyz").status == 503)
      try other.execute("ROLLBACK")
    }
    #expect(try daemon.post(body).status == 200)
    #expect(try daemon.get("/readyz").status == 200)
    #expect(daemon.waitForLog("not-stored") != nil)
    _ = daemon.end(SIGTERM)
    #expect(try number(database, "SELECT count(*) FROM postback") == 1)
  }
}
