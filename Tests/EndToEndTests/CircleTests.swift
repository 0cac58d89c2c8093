import Foundation
import JSONText
import TestSupport
import Testing

/// Simulate, sign, store and report: the simulator and the report agree about its postbacks.
final class `Simulated postbacks` {
  private let folder: TemporaryFolder
  private let keys: TestKeys

  init() throws {
    let folder = try TemporaryFolder()
    keys = try TestKeys(in: folder)
    self.folder = folder
  }

  private static let models = ["none", "hard:4", "logistic:6", "tiers:2,5,9", "value:2"]
  private static let cases = ["skan3", "skan4", "aak"].flatMap { device in models.map { [device, $0] } }

  private func scenario(_ device: String, _ model: String) throws -> String {
    var users: [String] = []
    for campaign in ["5239", "1139", "17", "summer", "8888"] {
      for index in 0..<12 {
        let day = 1 + index * campaign.count % 5
        let events = [
          #"{"seconds":0,"event":"open"}"#,
          index % 3 == 0
            ? #"{"seconds":\#(3600 * (index + 1)),"event":"buy","revenue":"\#(index + 1).50"}"# : nil,
          index % 4 == 1 ? #"{"seconds":\#(86_000 + index),"event":"buy","revenue":"25"}"# : nil,
          index % 2 == 0 ? #"{"seconds":250000,"event":"open"}"# : nil,
          index % 5 == 0 ? #"{"seconds":260000,"event":"buy","revenue":"7.25"}"# : nil,
          index % 6 == 0 ? #"{"seconds":300000,"event":"re-engagement"}"# : nil,
          index % 6 == 0 ? #"{"seconds":300100,"event":"buy","revenue":"3"}"# : nil,
          index % 7 == 0 ? #"{"seconds":900000,"event":"buy","revenue":"12"}"# : nil,
        ].compactMap { $0 }
        users.append(
          #"{"name":"\#(campaign) \#(index)","campaign":"\#(campaign)","installed":"2026-03-0\#(day)T0\#(index % 9):17:05Z","#
            + #""events":[\#(events.joined(separator: ","))],"count":\#(1 + index % 3)}"#)
      }
    }
    return #"""
      {"currency":"USD","protocol":"\#(device)","threshold":"\#(model)","non-winner-percent":20,"seed":9,
       "mapping":\#(Self.mapping),"users":[\#(users.joined(separator: ",\n"))]}
      """#
  }

  private static let mapping = #"""
    {"name":"circle","app":525463029,"currency":"USD","effective-from":"2020-01-01","protocol":"skan4",
     "grids":[{"first-value":1,"active-hours":[0,12,48],"revenue":[0,1,5,10,20,50,null]}],
     "coarse":[{"window":1,"low":{},"medium":{"revenue":{"from":1,"to":20}},"high":{"revenue":{"from":20,"to":90}}},
       {"window":2,"totals":"window","low":{},"high":{"revenue":{"from":5,"to":60}}},
       {"window":3,"totals":"window","low":{},"high":{"revenue":{"from":5,"to":60}}}]}
    """#

  private func number(_ node: JSONNode?, _ name: String) throws -> String {
    let value = try #require(node?.value.object?[name]?.value)
    guard case .number(let number) = value else { return "none" }
    return number.text
  }

  private func integers(_ node: JSONNode?, _ name: String) throws -> [String] {
    let elements = try #require(node?.value.object?[name]?.value.array)
    return elements.compactMap { $0.value.number?.text }
  }

  private func read(_ text: String) throws -> JSONNode { try JSONReader.read(Array(text.utf8)) }

  @Test(arguments: cases) func `Simulated postbacks pass through ingest and reports to the last one`(
    device: [String]
  ) throws {
    let name = device.joined(separator: "-").replacingOccurrences(of: ":", with: "-")
    let plan = try folder.write(try scenario(device[0], device[1]), to: "\(name).json")
    let (postbacks, database) = (folder.file("\(name).ndjson"), folder.file("\(name).db"))
    let simulated = try Subprocess.run(
      "skan",
      ["simulate", plan, "--postbacks", postbacks, "--test-key", keys.secretFile, "--format", "json"])
    #expect(simulated.exitCode == 0)
    let variant = try #require(try read(simulated.output).value.object?["variants"]?.value.array?.first)
    let total = variant.value.object?["total"]

    let mapping = try folder.write(Self.mapping, to: "\(name)-mapping.json")
    #expect(try Subprocess.run("skan", ["mapping", "load", "-d", database, mapping]).exitCode == 0)
    let ingested = try Subprocess.run(
      "skan",
      [
        "ingest", "-d", database, "--trust-test-keys", keys.publicFile, "--received-at-member",
        "simulated-arrival", "--format", "json", postbacks,
      ])
    #expect(ingested.exitCode == 0)
    #expect(try number(read(ingested.output), "new") == number(read(ingested.output), "stored"))

    func report(_ by: String) throws -> JSONNode {
      let result = try Subprocess.run(
        "skan",
        ["report", "campaigns", "-d", database, "--environment", "test", "--by", by, "--format", "json"])
      #expect(result.exitCode == 0)
      return try read(result.output)
    }
    let windows = try #require(total?.value.object?["windows"]?.value.array)
    let rows = try #require(try report("window").value.object?["rows"]?.value.array)
    for window in windows {
      let index = try #require(window.value.object?["window"]?.value.number?.integer)
      let row = rows.first { $0.value.object?["window"]?.value.number?.integer == index }
      if try number(window, "postbacks") == "0", try number(window, "non-winners") == "0" {
        #expect(row == nil)
        continue
      }
      #expect(
        try (Int(number(row, "postbacks")) ?? 0) - (Int(number(row, "assists")) ?? 0)
          == Int(number(window, "postbacks")))
      #expect(try number(row, "assists") == number(window, "non-winners"))
      #expect(try number(row, "values-null") == number(window, "nulls"))
      #expect(try number(row, "values-zero") == number(window, "zeroes"))
      let fine = try integers(window, "visible-fine")
      #expect(
        try (0...63).map { try number(row, "fine-\($0)") }
          == (fine.isEmpty ? Array(repeating: "0", count: 64) : fine))
      #expect(
        try ["coarse-low", "coarse-medium", "coarse-high"].map { try number(row, $0) }
          == integers(window, "visible-coarse"))
      let money = row?.value.object?.members.first {
        $0.name.hasPrefix("revenue-mid-") && $0.value.value.number != nil
      }
      if let currency = money?.name.dropFirst("revenue-mid-".count) {
        #expect(try number(row, "revenue-mid-\(currency)") == number(window, "visible"))
        #expect(try number(row, "revenue-low-\(currency)") == number(window, "visible-low"))
        #expect(
          try number(row, "revenue-without-limit-\(currency)") == number(window, "visible-without-limit"))
      } else {
        #expect(try number(window, "visible") == "0")
      }
    }
    // Day by day, in all windows together.
    let days = try #require(total?.value.object?["days"]?.value.array)
    let reported = try #require(try report("day").value.object?["rows"]?.value.array)
    var arrived: [String: [String]] = [:]
    for day in days where try number(day, "postbacks") != "0" {
      arrived[day.value.object?["day"]?.value.string ?? ""] = try [
        number(day, "postbacks"), number(day, "nulls"), number(day, "zeroes"),
      ]
    }
    var counted: [String: [String]] = [:]
    for row in reported {
      let winners = try (Int(number(row, "postbacks")) ?? 0) - (Int(number(row, "assists")) ?? 0)
      guard winners > 0 else { continue }
      counted[row.value.object?["day"]?.value.string ?? ""] = try [
        "\(winners)", number(row, "values-null"), number(row, "values-zero"),
      ]
    }
    #expect(counted == arrived)
  }

  @Test func `Simulated postbacks pass through HTTP and reports to the last one`() throws {
    let plan = try folder.write(try scenario("skan4", "tiers:2,5,9"), to: "plan.json")
    let (postbacks, database) = (folder.file("out.ndjson"), folder.file("http.db"))
    let simulated = try Subprocess.run(
      "skan",
      ["simulate", plan, "--postbacks", postbacks, "--test-key", keys.secretFile, "--format", "json"])
    let total = try read(simulated.output).value.object?["variants"]?.value.array?.first?.value.object?[
      "total"]
    let daemon = try Daemon(database, ["--trust-test-keys", keys.publicFile])
    let client = try daemon.client()
    let lines = try String(contentsOfFile: postbacks, encoding: .utf8).split(separator: "\n")
    #expect(lines.count > 100)
    for line in lines {
      #expect(try client.request("POST", skanPath, headers: [], body: Array(line.utf8)).status == 200)
    }
    #expect(daemon.end(SIGTERM).exitCode == 0)
    let result = try Subprocess.run(
      "skan", ["report", "campaigns", "-d", database, "--environment", "test", "--format", "json"])
    let row = try read(result.output).value.object?["total"]
    #expect(try number(row, "values-null") == number(total, "nulls"))
    #expect(try number(row, "assists") == number(total, "non-winners"))
    #expect(
      try (Int(number(row, "postbacks")) ?? 0) - (Int(number(row, "assists")) ?? 0)
        == Int(number(total, "postbacks")))
  }
}
