import Foundation
import JSONText
import TestSupport
import Testing

final class `A daemon with a webhook` {
  private let folder: TemporaryFolder
  private let database: String

  init() throws {
    let folder = try TemporaryFolder()
    database = folder.file("skan.db")
    self.folder = folder
  }

  /// A configuration that fires at once, at the size of the database, and posts it to a port.
  private func configuration(hook port: UInt16) throws -> String {
    let rules = try folder.write(
      #"{"rules":[{"kind":"database-size","gigabytes":0},{"kind":"disk-space","enabled":false}]}"#,
      to: "alerts.json")
    return try folder.write(
      """
      {"alerts": "\(rules)", "alerts-interval": 1, "read-tokens": ["0123456789abcdef"],
       "alert-webhooks": [{"url": "http://127.0.0.1:\(port)/hook", "hmac-secret": "0123456789abcdef0123456789abcdef"}]}
      """, to: "skan.json")
  }

  @Test func `A daemon with a webhook shows, logs and delivers an alert, even if the webhook starts later`()
    throws
  {
    // The daemon that plays the webhook rejects to be posted to with 404, so the notice waits.
    let refusing = try Daemon(folder.file("other.db"))
    let configuration = try configuration(hook: refusing.port)
    let daemon = try Daemon(database, ["--config", configuration])
    #expect(daemon.waitForLog("alert-firing id=database-size") != nil)
    #expect(daemon.waitForLog("alert-delivery-failed webhook=http://127.0.0.1:\(refusing.port)") != nil)
    #expect(try daemon.get("/v1/alerts").status == 401)
    #expect(try daemon.client().request("POST", "/v1/alerts").status == 405)
    let answer = try daemon.get("/v1/alerts", token: "0123456789abcdef")
    #expect(answer.status == 200)
    let alerts = try #require(try JSONReader.read(answer.body).value.object?["rows"]?.value.array)
    #expect(alerts.count == 1)
    #expect(alerts[0].value.object?["id"]?.value.string == "database-size")
    #expect(alerts[0].value.object?["state"]?.value.string == "firing")
    let metrics = try daemon.get("/metrics").text
    #expect(metrics.contains(#"skan_alerts_firing{kind="database-size",severity="warning"} 1"#))
    #expect(metrics.contains(#"skan_alerts_firing{kind="clock",severity="critical"} 0"#))
    #expect(daemon.end(SIGTERM).exitCode == 0)
    #expect(try number(database, "SELECT count(*) FROM alert") == 1)
    #expect(try number(database, "SELECT count(*) FROM alert_notice") == 1)
    // The notice outlives the daemon; the next one does not repeat the alert.
    let again = try Daemon(database, ["--config", configuration])
    Thread.sleep(forTimeInterval: 2.5)
    #expect(try number(database, "SELECT count(*) FROM alert_notice") == 1)
    #expect(again.end(SIGTERM).errors.contains("alert-firing") == false)
    #expect(refusing.end(SIGTERM).exitCode == 0)
  }

  @Test func `A daemon with a webhook reports what a network forwards in vain, and never names its path`()
    throws
  {
    let made = try Subprocess.run(
      "skan", ["token", "create", "-d", database, "--network", "acme", "--in-path"])
    let path = made.output.trimmingCharacters(in: .newlines)
    let refusing = try Daemon(folder.file("other.db"))
    let daemon = try Daemon(database, ["--config", try configuration(hook: refusing.port)])
    #expect(try daemon.post(Array(#"{"version":"4.0"}"#.utf8), path).status == 200)
    let rejected = try #require(daemon.waitForLog("forward-rejected"))
    #expect(rejected.contains("alert-firing") && rejected.contains("acme"))
    #expect(try Subprocess.run("skan", ["token", "revoke", "-d", database, "1"]).exitCode == 0)
    #expect(daemon.waitForLog("token-revoked") != nil)
    for _ in 0..<6 { #expect(try daemon.post(Array("{}".utf8), path).status == 404) }
    for _ in 0..<6 { #expect(try daemon.post(Array("{}".utf8), "/v1/networks/acme/postbacks").status == 401) }
    // Of a name that no token was made for nothing is noted.
    for _ in 0..<20 {
      #expect(try daemon.post(Array("{}".utf8), "/v1/networks/stranger/postbacks").status == 401)
    }
    let turnedAway = try #require(daemon.waitForLog("network-turned-away"))
    #expect(turnedAway.contains("alert-firing") && turnedAway.contains("acme"))
    // The log has an alert a moment before the list.
    var alerts = ""
    for _ in 0..<200 where !alerts.contains("12 requests since") {
      alerts = try daemon.get("/v1/alerts", token: "0123456789abcdef").text
      Thread.sleep(forTimeInterval: 0.05)
    }
    #expect(alerts.contains("12 requests since") && !alerts.contains("stranger"), "\(alerts)")
    #expect(alerts.contains("most of them as missing-member"), "\(alerts)")
    let log = daemon.end(SIGTERM).errors
    let notices = try text(database, "SELECT group_concat(CAST(body AS TEXT)) FROM alert_notice")
    #expect(notices.contains("network-turned-away"))
    for place in [log, alerts, notices] { #expect(!place.contains(path.dropFirst(3))) }
    #expect(refusing.end(SIGTERM).exitCode == 0)
  }

  @Test func `A daemon with a webhook stores postbacks at the same speed while the webhook hangs`() throws {
    // A socket that accepts into its queue and never answers.
    let hanging = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(hanging) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        _ = bind(hanging, pointer, length)
        _ = listen(hanging, 8)
        _ = getsockname(hanging, pointer, &length)
      }
    }
    let keys = try TestKeys(in: folder)
    let daemon = try Daemon(
      database,
      [
        "--config", try configuration(hook: UInt16(bigEndian: address.sin_port)), "--trust-test-keys",
        keys.publicFile,
      ])
    #expect(daemon.waitForLog("alert-firing") != nil)
    let start = Date()
    for body in try keys.postbacks(20, seed: 4) { #expect(try daemon.post(body).status == 200) }
    #expect(Date().timeIntervalSince(start) < 5)
    #expect(try number(database, "SELECT sum(first) FROM arrival_hour") == 20)
    #expect(daemon.end(SIGTERM).exitCode == 0)
  }
}
