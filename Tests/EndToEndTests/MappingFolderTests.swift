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
    guard let column = lines.first?.firstIndex(of: "revenue-representative-USD") else { return [] }
    return lines.dropFirst().map { $0[column] }
  }

  @Test func `decodes by a changed file without a restart, and by the old one while the new one is broken`()
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
    let refusal = try #require(daemon.waitForLog("mapping-refused"))
    #expect(refusal.contains("error"))
    #expect(refusal.contains("a.json"))
    #expect(refusal.contains("last good state"))
    #expect(try revenue().first == "\(2 * one)")

    try FileManager.default.removeItem(atPath: "\(mappings)/a.json")
    #expect(daemon.waitForLog("mapping-removed") != nil)
    #expect(try revenue() == [])
    let result = daemon.end(SIGTERM)
    #expect(result.exitCode == 0)
  }
}
