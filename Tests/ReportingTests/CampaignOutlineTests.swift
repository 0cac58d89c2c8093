import Arguments
@testable import Campaigns
@testable import Explanations
import Foundation
import Ledger
import Mappings
import PostbackFixtures
import Postbacks
@testable import Reports
import Tables
import Testing
import TestSupport
import Values
@_spi(Unsigned) import Verification

/// Sums of rows beside the rows, of random postbacks and against a count of single postbacks.
struct `Sums of campaign reports`: ~Copyable {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("skan.db")
  }

  private static let mapping = #"""
    {"name":"one","app":1,"currency":"USD","effective-from":"2026-10-01","protocol":"aak",
     "grids":[{"first-value":6,"events":["buy"],"revenue":[0,20,40,60]}],
     "coarse":[{"window":1,"low":{"revenue":{"from":0,"to":2}}},{"window":2,"low":{"revenue":{"from":0,"to":50}}}]}
    """#

  /// Stores postbacks of two apps and two networks with few and with many digits.
  private func store(seed: UInt64, count: Int) throws {
    var random = SplitMix64(seed: seed)
    func pick<Value>(_ values: [Value]) -> Value { values[random.number(below: values.count)] }
    let start = Instant(seconds: 1_793_491_200)
    let values = (0...8).map { fine($0) }
    let receipts = (0..<count).map { index in
      let version = pick([ProtocolVersion.v3_0, .adAttributionKit, .adAttributionKit, .v4_0])
      let window = version.hasWindows ? pick([ConversionWindow.first, .first, .second]) : .first
      let number = random.number(below: 40) * 250 + 7
      let whole = String("000\(number)".suffix(4))
      return valid(
        "t\(index)", value: window == .first ? pick(values + [.absent]) : pick([.coarse(.low), .absent]),
        at: start + Int64(random.number(below: 30 * 86_400)) * 1000,
        network: pick(["a.skadnetwork", "b.adattributionkit"]), app: pick([1, 1, 2]),
        campaign: version.hasWindows ? String(whole.suffix(pick([2, 3, 4, 4]))) : pick(["7", "57"]),
        version: version, window: window, outcome: pick(Outcome.allCases + [.install, .install]),
        interaction: version == .adAttributionKit ? nil : .click)
    }
    _ = try LedgerWriter(path: path).commit(receipts)
    let document = Array(Self.mapping.utf8)
    let mapping = try #require(MappingDocument.read(document).document?.mapping)
    try MappingStore(path: path).replaceAll(
      with: [
        StoredMapping(
          source: "one.json", app: mapping.app, effectiveFrom: mapping.effectiveFrom, digest: "1",
          loadedAt: start, document: document)
      ])
    let networks = ["a.skadnetwork", "b.adattributionkit"]
    try ReferenceStore(path: path).put(
      (0..<40).map { index -> SpendRow in
        let day = Day(number: 20_760 + Int32(index % 20))
        let digits = "000\(index * 250 + 7)".suffix(4)
        return SpendRow(
          day: day, network: networks[index % 2], campaign: String(digits), app: nil, currency: "USD",
          micros: Int64(index) * 1_000_000, environment: .test)
      })
  }

  private typealias Row = [String: Any]

  private func report(_ words: [String: String]) throws -> (rows: [Row], total: Row) {
    let text = try printed(
      CampaignReport.self, words.merging(["environment": "test"]) { $1 }, as: .json, from: path)
    let document = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Row)
    return (try #require(document["rows"] as? [Row]), try #require(document["total"] as? Row))
  }

  /// The figures that are sums of their parts, in millionths; what is missing is none of them.
  private func figures(_ row: Row) -> [String: Int64] {
    let names = [
      "postbacks", "installs", "redownloads", "re-engagements", "assists", "other-conversions", "values-null",
      "values-zero", "values-positive", "coarse-low", "decoded", "decoded-installs", "unmapped",
    ]
    let prefixes = ["fine-", "revenue-low-", "revenue-mid-", "event-", "spend-"]
    return row.filter { name, _ in names.contains(name) || prefixes.contains(where: name.hasPrefix) }
      .compactMapValues { ($0 as? NSNumber).map { Int64(($0.doubleValue * 1e6).rounded()) } }
      .filter { $0.value != 0 }
  }

  private func sum(_ rows: [Row]) -> [String: Int64] {
    rows.reduce(into: [:]) { sum, row in sum.merge(figures(row)) { $0 + $1 } }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `Parts of a tree add up to their whole, and its roots to the total`(seed: UInt64) throws {
    try store(seed: seed, count: 900)
    for by in [
      "app,network,campaign", "network,campaign", "network,campaign,window", "week,campaign,app,network",
    ] {
      let (rows, total) = try report(["by": by, "tree": "true"])
      let parts = Dictionary(grouping: rows) { $0["parent"] as? String }
      #expect(Set(rows.compactMap { $0["key"] as? String }).count == rows.count)
      var sums = 0
      for row in rows {
        let key = try #require(row["key"] as? String)
        guard row["subtotal"] as? Bool == true else {
          #expect(parts[key] == nil)
          continue
        }
        sums += 1
        #expect(figures(row) == sum(parts[key] ?? []), "\(by): \(key)")
      }
      #expect(sums > 10)
      let leaves = rows.filter { $0["subtotal"] as? Bool == false }
      #expect(figures(total)["postbacks"] == 900_000_000)
      for name in ["postbacks", "installs", "values-null", "decoded", "fine-7", "revenue-mid-USD"] {
        // Only the total leaves out what later windows have in common with the first.
        if by.contains("window"), name.hasPrefix("revenue") { continue }
        #expect(sum(parts[nil] ?? [])[name] == figures(total)[name], "\(by): \(name)")
        #expect(sum(leaves)[name] == figures(total)[name], "\(by): \(name)")
      }
      #expect(sum(leaves)["spend-USD"] == sum(parts[nil] ?? [])["spend-USD"])
    }
  }

  @Test func `A tree of one network has the total as its root`() throws {
    try store(seed: 4, count: 500)
    let (rows, total) = try report([
      "by": "network,campaign", "tree": "true", "where": "network=a.skadnetwork",
    ])
    let roots = rows.filter { $0["parent"] is NSNull }
    #expect(roots.count == 1)
    var (root, whole) = (figures(try #require(roots.first)), figures(total))
    // Spend of no row is in the total alone.
    (root["spend-USD"], whole["spend-USD"]) = (nil, nil)
    #expect(root == whole)
  }

  @Test func `Each conversion is in one row of a tree that is no sum, by the digits that arrived`() throws {
    try store(seed: 5, count: 700)
    var wanted: [String: Int] = [:]
    let postbacks = try printed(PostbackReport.self, ["environment": "test"], as: .ndjson, from: path)
    for line in postbacks.split(separator: "\n") {
      let postback = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? Row)
      let digits = try #require(postback["campaign"] as? String)
      let network = try #require(postback["network"] as? String)
      let level =
        postback["version"] as? String == "3.0"
        ? "campaign-id" : digits.count == 4 ? "4-digits" : "\(digits.count)-digits-only"
      wanted["\(network) \(level) \(digits)", default: 0] += 1
    }
    let rows = try report(["by": "network,campaign", "tree": "true"]).rows
    var found: [String: Int] = [:]
    for row in rows where row["subtotal"] as? Bool == false {
      let words = try ["network", "level", "campaign"].map { try #require(row[$0] as? String) }
      found[words.joined(separator: " ")] = row["postbacks"] as? Int
    }
    #expect(found == wanted)
    #expect(Set(rows.compactMap { $0["level"] as? String }).count == 7)
  }

  @Test func `Parts of a tree stay behind their whole in any order, in every format`() throws {
    try store(seed: 6, count: 600)
    let rows = try report(["tree": "true", "sort": "-postbacks"]).rows
    var open: [String] = []
    var last: [String: Int] = [:]
    for row in rows {
      let (key, parent) = (try #require(row["key"] as? String), row["parent"] as? String)
      while let whole = open.last, whole != parent { open.removeLast() }
      #expect(open.last == parent)
      open.append(key)
      let postbacks = try #require(row["postbacks"] as? Int)
      #expect(postbacks <= last[parent ?? ""] ?? .max)
      last[parent ?? ""] = postbacks
    }
    let csv = try printed(
      CampaignReport.self,
      ["environment": "test", "tree": "true", "columns": "level,subtotal,key,parent,campaign"], as: .csv,
      from: path)
    #expect(csv.contains("\r\n2-digits-only,false,1/a.skadnetwork/07/only,1/a.skadnetwork/07,07\r\n"))
    #expect(csv.contains("\r\n3-digits,true,1/a.skadnetwork/57/257,1/a.skadnetwork/57,257\r\n"))
    let table = try printed(
      CampaignReport.self, ["environment": "test", "tree": "true", "columns": "campaign,level,subtotal"],
      as: .table, from: path)
    #expect(table.contains("3-digits-only"))
  }

  @Test func `A tree has the changes of its sums against other days`() throws {
    try store(seed: 7, count: 900)
    let days = ["from": "2026-11-15", "to": "2026-11-22", "compare": "previous"]
    let (rows, total) = try report(days.merging(["by": "network,campaign", "tree": "true"]) { $1 })
    func sum(_ name: String, _ rows: [Row]) -> Int { rows.reduce(0) { $0 + ($1[name] as? Int ?? 0) } }
    let roots = rows.filter { $0["level"] as? String == "network" }
    let leaves = rows.filter { $0["subtotal"] as? Bool == false }
    for part in [roots, leaves] {
      #expect(sum("previous-postbacks", part) == total["previous-postbacks"] as? Int)
    }
    for root in roots {
      #expect(
        root["change-postbacks"] as? Int
          == sum("postbacks", [root]) - sum("previous-postbacks", [root]))
    }
  }

  @Test(arguments: ["week,campaign", "network,week,window", "outcome,app", "window,network", "campaign,app"])
  func `Subtotals are what a report by the first dimension alone has, and are marked`(by: String) throws {
    try store(seed: 8, count: 800)
    let first = try #require(by.split(separator: ",").first.map(String.init))
    let (rows, _) = try report(["by": by, "subtotals": "true"])
    let alone = try report(["by": first]).rows
    let sums = rows.filter { $0["subtotal"] as? Bool == true }
    func counted(_ row: Row) -> [String: Int64] {
      // Spend may fit a row of the sums where it fits several rows of the parts.
      figures(row).filter { !$0.key.hasPrefix("spend-") }
    }
    #expect(sums.count == alone.count)
    for (sum, row) in zip(sums, alone) {
      #expect(sum[first] as? NSObject == row[first] as? NSObject)
      #expect(counted(sum) == counted(row), "\(by)")
    }
    let parts = rows.filter { $0["subtotal"] as? Bool == false }
    #expect(parts.count == (try report(["by": by]).rows.count))
    #expect(sum(parts)["postbacks"] == 800_000_000)
    let csv = try printed(
      CampaignReport.self,
      ["environment": "test", "by": by, "subtotals": "true", "columns": "subtotal,postbacks"], as: .csv,
      from: path)
    #expect(csv.split(separator: "\r\n").filter { $0.hasPrefix("true,") }.count == sums.count)
  }

  @Test(arguments: [
    (["tree": "true", "by": "campaign"], "tree", "Add network,campaign to --by."),
    (["tree": "true", "by": "network,campaign,name"], "tree", "Leave it out of --by."),
    (["tree": "true", "digits": "3"], "tree", "Leave one of them out."),
    (["tree": "true", "subtotals": "true"], "tree", "Leave one of them out."),
    (["tree": "true", "top": "3"], "tree", "Leave one of them out."),
    (["subtotals": "true", "by": "network"], "subtotals", "Give --by two or more."),
    (["subtotals": "true", "top": "3"], "subtotals", "Leave one of them out."),
  ])
  func `Sums that there cannot be are rejected with the cure`(
    words: [String: String], name: String, cure: String
  ) throws {
    do {
      _ = try ReportKind(CampaignReport.self).job(words.mapValues { [$0] })
      Issue.record("\(words) is taken")
    } catch {
      #expect(error.name == name && error.detail.english.hasSuffix(cure), "\(error.detail)")
    }
  }
}
