import Foundation
import PostgreSQL
import Postbacks
import SQLite
import Signing
import System
import TestSupport
import Testing

/// Several daemons on one journal, each with a file of its own.
@Suite(.enabled(if: PostgreSQLCluster.missing == nil), .serialized)
final class `Nodes of a journal in PostgreSQL` {
  private let folder: TemporaryFolder
  private let keys: TestKeys
  private let address: String
  private let cluster: PostgreSQLCluster

  init() throws {
    let folder = try TemporaryFolder()
    keys = try TestKeys(in: folder)
    cluster = try PostgreSQLCluster()
    let name = cluster.freshName()
    try PostgreSQLConnection(cluster.address(of: "postgres")).execute("CREATE DATABASE \(name)")
    address = cluster.address(of: name)
    self.folder = folder
  }

  private func start(_ node: String, _ more: [String] = []) throws -> Daemon {
    try Daemon(
      folder.file("\(node).db"),
      ["--journal", address, "--node", node, "--trust-test-keys", keys.publicFile] + more)
  }

  private func skan(_ arguments: String...) throws -> ProgramResult {
    try Subprocess("skan", arguments).finish()
  }

  private func position(_ node: String) throws -> Int64 {
    try number(folder.file("\(node).db"), "SELECT position FROM journal_place")
  }

  /// Waits until all nodes have what any of them has.
  private func waitUntilEqual(_ nodes: [String]) throws {
    // Claims go on, so that positions of two moments may differ for ever.
    let wanted = try nodes.map { try position($0) }.max() ?? 0
    for _ in 0..<1000 {
      if try nodes.allSatisfy({ try position($0) >= wanted }) { return }
      Thread.sleep(forTimeInterval: 0.01)
    }
    Issue.record("nodes stay behind one another")
  }

  private func report(_ node: String) throws -> String {
    let result = try skan(
      "report", "campaigns", "--database", folder.file("\(node).db"), "--environment", "test", "--format",
      "csv")
    #expect(result.exitCode == 0, "\(result.errors)")
    return result.output
  }

  @Test func `Two nodes count every postback once, whichever of them gets it, and commands reach both`()
    throws
  {
    defer { cluster.end() }
    #expect(try skan("journal", "init", "--journal", address).exitCode == 0)
    let (a, b) = (try start("a"), try start("b"))
    let bodies = try keys.postbacks(60, seed: 5)
    for (index, body) in bodies.enumerated() {
      #expect(try (index % 2 == 0 ? a : b).post(body).status == 200)
      if index % 3 == 0 { #expect(try (index % 2 == 0 ? b : a).post(body).status == 200) }
    }
    let token = try skan(
      "token", "create", "--database", folder.file("a.db"), "--journal", address, "--reader", "anna")
    #expect(token.exitCode == 0, "\(token.errors)")
    let refused = try skan("token", "create", "--database", folder.file("a.db"), "--reader", "bob")
    #expect(refused.exitCode != 0 && refused.errors.contains("--journal"))
    try waitUntilEqual(["a", "b"])
    let text = token.output.trimmingCharacters(in: .whitespacesAndNewlines)
    // A daemon looks at its tokens once a second.
    var answer = try b.get("/v1/reports/campaigns?environment=test", token: text).status
    for _ in 0..<500 where answer != 200 {
      Thread.sleep(forTimeInterval: 0.01)
      answer = try b.get("/v1/reports/campaigns?environment=test", token: text).status
    }
    #expect(answer == 200)
    #expect(try report("a") == report("b"))
    #expect(try number(folder.file("b.db"), "SELECT count(*) FROM postback") == 60)
    let status = try skan("journal", "status", "--journal", address, "--database", folder.file("a.db"))
    #expect(status.exitCode == 0 && status.output.contains("behind"))
    #expect(a.end(SIGTERM).exitCode == 0)
    #expect(b.end(SIGTERM).exitCode == 0)
  }

  @Test func `A node that is killed comes back with everything, and another one takes its jobs`() throws {
    defer { cluster.end() }
    #expect(try skan("journal", "init", "--journal", address).exitCode == 0)
    var a = try start("a")
    _ = a.waitForLog("watches-begun")
    let b = try start("b")
    var acknowledged: [[UInt8]] = []
    for (round, body) in try keys.postbacks(40, seed: 9).enumerated() {
      if round == 20 {
        _ = a.end(SIGKILL)
        #expect(b.waitForLog("watches-begun") != nil)
        a = try start("a")
      }
      #expect(try (round % 2 == 0 ? a : b).post(body).status == 200)
      acknowledged.append(body)
    }
    try waitUntilEqual(["a", "b"])
    for node in ["a", "b"] {
      let stored = Set(try storedBodies(folder.file("\(node).db")))
      #expect(acknowledged.count { !stored.contains($0) } == 0, "\(node)")
    }
    #expect(try report("a") == report("b"))
    _ = (a.end(SIGTERM), b.end(SIGTERM))
  }

  @Test func `While the server is away devices get 503, and nothing is lost or counted twice after it`()
    throws
  {
    defer { cluster.end() }
    let database = folder.file("a.db")
    let file = try folder.write(
      Array(
        keys.postbacks(20, seed: 3).map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n").utf8),
      to: "old.ndjson")
    #expect(
      try skan("ingest", "--database", database, "--trust-test-keys", keys.publicFile, file).exitCode == 0)
    let begun = try skan("journal", "init", "--journal", address, "--database", database)
    #expect(begun.exitCode == 0 && begun.errors.contains("20 postbacks"), "\(begun.errors)")
    #expect(
      try skan("backup", "--database", database, "--journal", address, folder.file("b.db")).exitCode == 0)
    let (a, b) = (try start("a"), try start("b"))
    let bodies = try keys.postbacks(30, seed: 8)
    for body in bodies.prefix(10) { #expect(try a.post(body).status == 200) }
    cluster.crash()
    #expect(try a.post(bodies[10]).status == 503)
    let backup = try skan("backup", "--database", database, folder.file("away.db"))
    #expect(backup.exitCode == 0 && backup.errors.contains("was not recorded"), "\(backup.errors)")
    cluster.start()
    for body in bodies.dropFirst(10) {
      var status = try b.post(body).status
      for _ in 0..<20 where status == 503 { status = try b.post(body).status }
      #expect(status == 200)
    }
    try waitUntilEqual(["a", "b"])
    #expect(try number(database, "SELECT count(*) FROM postback") == 50)
    #expect(try report("a") == report("b"))
    let copy = folder.file("copy.db")
    #expect(try skan("journal", "copy", "--database", folder.file("b.db"), copy).exitCode == 0)
    #expect(try skan("token", "create", "--database", copy, "--reader", "anna").exitCode == 0)
    let trimmed = try skan("journal", "trim", "--journal", address, "--backup", folder.file("b.db"))
    #expect(trimmed.exitCode == 0, "\(trimmed.errors)")
    _ = (a.end(SIGTERM), b.end(SIGTERM))
  }

  @Test func `A file is imported through the journal, and a node that only receives counts it too`() throws {
    defer { cluster.end() }
    #expect(try skan("journal", "init", "--journal", address).exitCode == 0)
    let a = try start("a", ["--metrics", "same"])
    _ = a.waitForLog("watches-begun")
    let b = try start("b", ["--role", "receive"])
    let bodies = try keys.postbacks(40, seed: 4)
    let lines = bodies[..<25].map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    let file = try folder.write(Array(lines.utf8), to: "export.ndjson")
    let arguments = ["ingest", "--database", folder.file("a.db"), "--trust-test-keys", keys.publicFile, file]
    let refused = try Subprocess("skan", arguments).finish()
    #expect(refused.exitCode == 64 && refused.errors.contains("--journal"), "\(refused.errors)")
    let imported = try Subprocess("skan", arguments + ["--journal", address]).finish()
    #expect(imported.exitCode == 0 && imported.output.contains("--undo 1"), "\(imported.errors)")
    for body in bodies { #expect(try b.post(body).status == 200) }
    // Nodes are compared once at the start, and then after many postbacks.
    for _ in 0..<1000 where try number(folder.file("a.db"), "SELECT count(*) FROM checkpoint") == 0 {
      Thread.sleep(forTimeInterval: 0.01)
    }
    try waitUntilEqual(["a", "b"])
    for node in ["a", "b"] {
      #expect(try number(folder.file("\(node).db"), "SELECT count(*) FROM postback") == 40)
      #expect(try number(folder.file("\(node).db"), "SELECT conversions FROM import_run WHERE id = 1") == 25)
    }
    #expect(try report("a") == report("b"))
    let undone = try skan("ingest", "--database", folder.file("a.db"), "--undo", "1")
    #expect(undone.exitCode == 64 && undone.errors.contains("follows a journal"), "\(undone.errors)")
    #expect(try Set(storedBodies(folder.file("a.db"))) == Set(bodies))
    #expect(try number(folder.file("b.db"), "SELECT max(length(body)) FROM postback") == 33)
    let explained = try skan("explain", "--database", folder.file("b.db"), "x")
    #expect(explained.exitCode == 65 && explained.errors.contains("only receives"), "\(explained.errors)")
    let trimmed = try skan("journal", "trim", "--journal", address, "--backup", folder.file("b.db"))
    #expect(trimmed.exitCode == 65 && trimmed.errors.contains("only receives"), "\(trimmed.errors)")
    let metrics = String(decoding: try a.get("/metrics").body, as: UTF8.self)
    for line in ["skan_journal_jobs 1", "skan_journal_differences 0", "skan_journal_behind 0"] {
      #expect(metrics.contains(line + "\n"), "\(line)")
    }
    #expect(
      metrics.contains("skan_journal_append_seconds_count") && metrics.contains("skan_journal_age_seconds 0.")
    )
    #expect(try number(folder.file("b.db"), "SELECT count(*) FROM checkpoint") == 1)
    _ = (a.end(SIGTERM), b.end(SIGTERM))
    let paged = try skan(
      "serve", "--database", folder.file("b.db"), "--journal", address, "--role", "receive", "--pages",
      "127.0.0.1:0")
    #expect(paged.exitCode == 64 && paged.errors.contains("has no pages"), "\(paged.errors)")
    let full = try skan(
      "serve", "--database", folder.file("b.db"), "--journal", address, "--node", "b", "--listen",
      "127.0.0.1:0")
    #expect(full.exitCode == 65 && full.errors.contains("only receives"), "\(full.errors)")
  }

  @Test func `Nodes that differ state it, each by itself`() throws {
    defer { cluster.end() }
    #expect(try skan("journal", "init", "--journal", address).exitCode == 0)
    let (a, b) = (try start("a"), try start("b"))
    for body in try keys.postbacks(10, seed: 6) { #expect(try a.post(body).status == 200) }
    try waitUntilEqual(["a", "b"])
    _ = b.end(SIGTERM)
    _ = a.end(SIGTERM)
    try Connection(path: folder.file("b.db"), mode: .readWrite).execute(
      "UPDATE postback SET app = app + 1 WHERE id = 4")
    // As if an hour had passed, so that the next holder of the jobs has the nodes compared.
    for node in ["a", "b"] {
      try Connection(path: folder.file("\(node).db"), mode: .readWrite).execute("DELETE FROM checkpoint")
    }
    let again = try start("a")
    _ = again.waitForLog("watches-begun")
    let other = try start("b")
    #expect(other.waitForLog("nodes-differ")?.contains("this node had postbacks") == true)
    let status = try skan("journal", "status", "--journal", address, "--database", folder.file("b.db"))
    #expect(status.exitCode == 1 && status.errors.contains("and node 'a' had"), "\(status.errors)")
    let doctor = try skan(
      "doctor", "--database", folder.file("b.db"), "--journal", address, "--listen", "127.0.0.1:0")
    #expect(doctor.output.contains("this node had postbacks"), "\(doctor.output)")
    #expect(doctor.output.contains("this machine and the server agree"))
    _ = (again.end(SIGTERM), other.end(SIGTERM))
  }
}
