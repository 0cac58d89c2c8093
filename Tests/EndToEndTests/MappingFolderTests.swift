import Foundation
import TestSupport
import Testing

final class `A daemon with a folder of mappings` {
  private let folder: TemporaryFolder
  private let database: String
  private let mappings: String

  init() throws {
    let folder = try TemporaryFolder()
    database = folder.file("skan.db")
    mappings = folder.file("mappings")
    try FileManager.default.createDirectory(atPath: mappings, withIntermediateDirectories: true)
    self.folder = folder
  }

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(mappings)/\(name)"))
  }

  private func mapping(worth: Int) -> String {
    let rules = (0...63).map {
      #"{"value":\#($0),"revenue":{"from":\#($0),"representative":\#($0 == 0 ? 0 : $0 * worth),"to":1000}}"#
    }
    return #"{"name":"w\#(worth)","app":525463029,"currency":"USD","effective-from":"2020-01-01","#
      + #""protocol":"skan4","precedence":"highest-value","fine":[\#(rules.joined(separator: ","))]}"#
  }

  private func revenue() throws -> [String] {
    let result = try Subprocess.run(
      "skan",
      ["report", "campaigns", "-d", database, "--environment", "test", "--by", "app", "--format", "csv"])
    let lines = result.output.split(whereSeparator: \.isNewline).map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    guard let column = lines.first?.firstIndex(of: "revenue-mid-USD") else { return [] }
    return lines.dropFirst().map { $0[column] }
  }

  @Test
  func `A daemon with a folder of mappings loads changed files, and keeps the old one of a broken file`()
    throws
  {
    let keys = try TestKeys(in: folder)
    try write("a.json", mapping(worth: 1))
    let daemon = try Daemon(
      database, ["--mappings", mappings, "--trust-test-keys", keys.publicFile])
    #expect(daemon.waitForLog("mapping-added") != nil)
    for body in try keys.postbacks(200, seed: 3) { #expect(try daemon.post(body).status == 200) }
    let first = try revenue()
    let one = try #require(Int(first.first ?? ""))
    #expect(one > 0)

    try write("a.json", mapping(worth: 2))
    #expect(daemon.waitForLog("mapping-changed") != nil)
    #expect(try revenue().first == "\(2 * one)")

    try write("a.json", "{\"name\": \"half")
    let rejection = try #require(daemon.waitForLog("mapping-rejected"))
    #expect(rejection.contains("error"))
    #expect(rejection.contains("a.json"))
    #expect(rejection.contains("last valid version"))
    #expect(try revenue().first == "\(2 * one)")

    try FileManager.default.removeItem(atPath: "\(mappings)/a.json")
    #expect(daemon.waitForLog("mapping-removed") != nil)
    #expect(try revenue() == [])
    let result = daemon.end(SIGTERM)
    #expect(result.exitCode == 0)
  }

  /// A figure of the daemon; nil where it has none of that name.
  private func figure(_ daemon: Daemon, _ name: String) throws -> String? {
    let text = String(decoding: try daemon.get("/metrics").body, as: UTF8.self)
    return text.split(separator: "\n").first { $0.hasPrefix("\(name) ") }?.split(separator: " ").last.map(
      String.init)
  }

  @Test
  func `A daemon with a folder of mappings shows rejected edits and duplicates until they are corrected`()
    throws
  {
    let rules = try folder.write(
      #"{"resolve-after-minutes":0,"rules":[{"kind":"mapping-rejected","minutes":0}]}"#, to: "alerts.json")
    let configuration = try folder.write(#"{"read-tokens":["reader-0123456789"]}"#, to: "skan.json")
    try write("shop.json", mapping(worth: 1))
    let daemon = try Daemon(
      database,
      ["--mappings", mappings, "--alerts", rules, "--alerts-interval", "1", "--config", configuration])
    #expect(daemon.waitForLog("mapping-added") != nil)
    #expect(try figure(daemon, #"skan_mapping_files{state="in-force"}"#) == "1")
    #expect(try figure(daemon, #"skan_mapping_files{state="rejected"}"#) == "0")
    #expect(try figure(daemon, "skan_mapping_last_rejected_timestamp_seconds") == nil)

    try write("a-copy.json", mapping(worth: 3))
    let clash = try #require(daemon.waitForLog("mapping-clash"))
    #expect(clash.contains("file=a-copy.json"))
    #expect(clash.contains("shop.json"))
    #expect(clash.contains("in use"))
    try write("shop.json", "{\"name\": \"half")
    #expect(daemon.waitForLog("error mapping-rejected file=shop.json") != nil)
    #expect(daemon.waitForLog("id=mapping-rejected") != nil)
    #expect(try figure(daemon, #"skan_mapping_files{state="rejected"}"#) == "2")
    #expect(try figure(daemon, "skan_mapping_last_rejected_timestamp_seconds") != nil)
    #expect(try figure(daemon, #"skan_alerts_firing{kind="mapping-rejected",severity="warning"}"#) == "1")
    let answer = String(
      decoding: try daemon.get("/v1/mappings", token: "reader-0123456789").body, as: UTF8.self)
    #expect(answer.contains(#""rejected":["#))
    #expect(answer.contains("a-copy.json"))
    let listed = try Subprocess.run("skan", ["mapping", "list", "-d", database]).output
    #expect(listed.contains("a-copy.json"))
    #expect(listed.contains("shop.json"))
    #expect(listed.contains("rejected"))
    let alerts = try Subprocess.run("skan", ["report", "alerts", "-d", database, "--alerts", rules]).output
    #expect(alerts.contains("mapping-rejected"))
    #expect(alerts.contains("shop.json"))

    try write("shop.json", mapping(worth: 1))
    try FileManager.default.removeItem(atPath: "\(mappings)/a-copy.json")
    #expect(daemon.waitForLog("alert-resolved") != nil)
    #expect(try figure(daemon, #"skan_mapping_files{state="rejected"}"#) == "0")
    #expect(try figure(daemon, "skan_mapping_last_rejected_timestamp_seconds") != nil)
    #expect(
      !(try Subprocess.run("skan", ["mapping", "list", "-d", database]).output).contains("a-copy.json"))
    #expect(daemon.end(SIGTERM).exitCode == 0)
  }
}
