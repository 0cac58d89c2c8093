@testable import Explanations
import JSONText
import Ledger
import Postbacks
@testable import Reports
import Testing
import TestSupport
import Values

final class `A report on web clicks` {
  private let folder: TemporaryFolder
  private let path: String
  /// What was stored, for recounts: day, source site, source id and trigger.
  private let stored: [[Int]]

  init() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("skan.db")
    var random = SplitMix64(seed: 5)
    func pick(_ count: UInt64) -> Int { Int(random.next() % count) }
    let stored = (0..<300).map { _ in [pick(3), pick(2), pick(4), pick(3)] }
    let receipts = stored.map { kind in
      let body = Array(
        #"""
        {"source_engagement_type":"click","source_site":"s\#(kind[1]).example","source_id":\#(kind[2]),
        "attributed_on_site":"shop.example","trigger_data":\#(kind[3]),"version":3}
        """#.utf8)
      return Receipt(
        arrival: Arrival(
          receivedAt: Instant(seconds: 1_795_262_400 + Int64(kind[0]) * 86_400),
          origin: Origin(.advertiserCopy), quotaSource: "s", body: body),
        finding: .webClick(Result { () throws(PostbackDefect) in try WebClick(body) }))
    }
    _ = try LedgerWriter(path: path).commit(receipts)
    (self.path, self.stored) = (path, stored)
    self.folder = folder
  }

  private func lines(_ parameters: [String: String]) throws -> [String] {
    try printed(WebReport.self, parameters, as: .csv, from: path).split(separator: "\r\n").map(String.init)
  }

  @Test(arguments: [["source-site", "source-id", "trigger-data"], ["day"], ["day", "source-site"]])
  func `A report on web clicks counts what a recount of the reports counts`(dimensions: [String]) throws {
    let places = ["day": 0, "source-site": 1, "source-id": 2, "trigger-data": 3]
    var counts: [String: Int] = [:]
    for kind in stored {
      let key = dimensions.map { name in
        let number = kind[places[name] ?? 0]
        return name == "day"
          ? "2026-11-2\(number + 1)" : name == "source-site" ? "s\(number).example" : "\(number)"
      }
      counts[key.joined(separator: ","), default: 0] += 1
    }
    let expected = counts.map { "\($0.key),\($0.value),0" }.sorted()
    let found = try lines(["by": dimensions.joined(separator: ",")])
    #expect(found[0] == (dimensions + ["clicks", "repeats"]).joined(separator: ","))
    #expect(found.dropFirst().map { $0.replacing("\"", with: "") }.sorted() == expected)
    #expect(expected.count > 2)
  }

  @Test
  func `A report on web clicks has a total, states that nothing is attested, and filters days and sites`()
    throws
  {
    let text = try printed(WebReport.self, [:], as: .json, from: path)
    let document = try #require(JSONReader.read(Array(text.utf8)).value.object)
    let total = document["total"]?.value.object?["clicks"]?.value.number?.integer
    #expect(total == 300)
    #expect(document["notes"]?.value.array?.first?.value.string?.hasPrefix("unattested") == true)
    let some = try printed(
      WebReport.self,
      ["from": "2026-11-22", "to": "2026-11-23", "source-site": "S1.example", "by": "source-site"], as: .csv,
      from: path)
    let expected = stored.count { $0[0] == 1 && $0[1] == 1 }
    #expect(some.contains("s1.example,\(expected),0"))
    #expect(some.split(separator: "\r\n").count == 2)
  }

  @Test func `A report on web clicks states it where nothing came`() throws {
    let empty = try printed(WebReport.self, ["to": "2026-01-01"], as: .table, from: path)
    #expect(empty == "no web clicks\n")
  }
}
