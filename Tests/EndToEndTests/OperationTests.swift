import Foundation
import TestSupport
import Testing

final class `A running daemon` {
  private let folder: TemporaryFolder
  private let database: String

  init() throws {
    let folder = try TemporaryFolder()
    database = folder.file("skan.db")
    self.folder = folder
  }

  /// Asks until a second and some has passed, because a daemon looks at its tokens once a second.
  private func status(_ wanted: Int, _ ask: () throws -> Int) throws -> Int {
    var found = 0
    for _ in 0..<60 {
      found = try ask()
      if found == wanted { break }
      Thread.sleep(forTimeInterval: 0.05)
    }
    return found
  }

  @Test func `A running daemon accepts new tokens of networks and readers until they are revoked`() throws {
    let keys = try TestKeys(in: folder)
    let daemon = try Daemon(database, ["--trust-test-keys", keys.publicFile])
    let body = try keys.postbacks(1, seed: 1)[0]
    #expect(try daemon.get("/v1/reports/campaigns", token: "none").status == 403)

    let made = try Subprocess.run("skan", ["token", "create", "-d", database, "--network", "acme"])
    #expect(made.exitCode == 0)
    let token = made.output.trimmingCharacters(in: .newlines)
    #expect(token.count == 64)
    func forward(_ network: String, _ token: String) throws -> Int {
      try daemon.post(
        body, "/v1/networks/\(network)/postbacks",
        headers: [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")]
      ).status
    }
    #expect(try status(200) { try forward("acme", token) } == 200)
    #expect(try forward("other", token) == 403)
    #expect(try forward("acme", token + "x") == 401)

    let reader = try Subprocess.run("skan", ["token", "create", "-d", database, "--reader", "board"])
      .output.trimmingCharacters(in: .newlines)
    #expect(try status(200) { try daemon.get("/v1/reports/campaigns", token: reader).status } == 200)
    let wrongKind = try daemon.get("/v1/reports/campaigns", token: token)
    #expect(wrongKind.status == 403)
    #expect(String(decoding: wrongKind.body, as: UTF8.self).contains("network 'acme'"))
    #expect(try forward("acme", reader) == 403)
    #expect(try daemon.get("/v1/mappings", token: reader).status == 200)

    let listed = try Subprocess.run("skan", ["token", "list", "-d", database])
    #expect(listed.output.contains("acme"))
    #expect(!listed.output.contains(token))
    #expect(try Subprocess.run("skan", ["token", "revoke", "-d", database, "1"]).exitCode == 0)
    #expect(try status(401) { try forward("acme", token) } == 401)
    #expect(try Subprocess.run("skan", ["token", "revoke", "-d", database, "1"]).exitCode == 1)
    #expect(daemon.end(SIGTERM).exitCode == 0)
    // Nothing of a token's text is in the file.
    let bytes = try Data(contentsOf: URL(fileURLWithPath: database))
    #expect(bytes.range(of: Data(token.utf8)) == nil)
  }

  @Test func `A running daemon allows backups of its database`() throws {
    let keys = try TestKeys(in: folder)
    let daemon = try Daemon(database, ["--trust-test-keys", keys.publicFile])
    for body in try keys.postbacks(50, seed: 2) { #expect(try daemon.post(body).status == 200) }
    let copy = folder.file("copy.db")
    #expect(try Subprocess.run("skan", ["backup", "-d", database, copy]).exitCode == 0)
    for body in try keys.postbacks(5, seed: 3) { #expect(try daemon.post(body).status == 200) }
    #expect(try number(copy, "SELECT count(*) FROM postback") == 50)
    #expect(try number(database, "SELECT count(*) FROM postback") == 55)
    #expect(try Subprocess.run("skan", ["backup", "-d", database, copy]).exitCode == 74)
    #expect(daemon.end(SIGTERM).exitCode == 0)
    // The copy is a database that goes on from there.
    let restored = try Daemon(copy, ["--trust-test-keys", keys.publicFile])
    for body in try keys.postbacks(50, seed: 2) { #expect(try restored.post(body).status == 200) }
    #expect(restored.end(SIGTERM).exitCode == 0)
    #expect(try number(copy, "SELECT count(*) FROM postback") == 50)
  }

  @Test
  func `A running daemon shows the age of the last backup and of each network's last valid postback`()
    throws
  {
    let keys = try TestKeys(in: folder)
    let rules = try folder.write(#"{"rules":[{"kind":"backup-age","hours":1}]}"#, to: "alerts.json")
    let daemon = try Daemon(
      database, ["--trust-test-keys", keys.publicFile, "--alerts-interval", "1", "--alerts", rules])
    func metrics() throws -> String { String(decoding: try daemon.get("/metrics").body, as: UTF8.self) }
    #expect(try !metrics().contains("skan_backup_age_seconds"))
    #expect(try !metrics().contains("skan_network_last_valid_timestamp_seconds"))
    for body in try keys.postbacks(50, seed: 2) { #expect(try daemon.post(body).status == 200) }
    let shown = try metrics().split(separator: "\n").filter {
      $0.hasPrefix("skan_network_last_valid_timestamp_seconds{network=\"")
    }
    #expect(shown.count == Int(try number(database, "SELECT count(DISTINCT network) FROM postback")))
    #expect(shown.allSatisfy { $0.contains("environment=\"test\"") })
    #expect(try Subprocess.run("skan", ["backup", "-d", database, folder.file("copy.db")]).exitCode == 0)
    var found = false
    for _ in 0..<60 where !found {
      found = try metrics().contains("\nskan_backup_age_seconds ")
      Thread.sleep(forTimeInterval: 0.05)
    }
    #expect(found)
    let listed = try Subprocess.run(
      "skan", ["report", "alerts", "-d", database, "--alerts", rules, "--at", "2100-01-01"])
    #expect(listed.output.contains("backup-age"))
    #expect(daemon.end(SIGTERM).exitCode == 0)
  }
}
