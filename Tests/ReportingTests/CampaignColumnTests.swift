import Arguments
import Campaigns
import Foundation
import Ledger
import Mappings
import PostbackFixtures
import Postbacks
import Tables
import Testing
import TestSupport
import Values

/// Columns that are asked for alone, for which a report gathers no more than they are made of.
final class `Columns of a campaign report` {
  private let folder: TemporaryFolder
  private let path: String

  private static let mapping = #"""
    {"name":"one","app":1,"currency":"USD","effective-from":"2026-10-01","protocol":"skan4",
     "grids":[{"first-value":6,"events":["buy"],"revenue":[0,20,40,60]}]}
    """#

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("skan.db")
    var random = SplitMix64(seed: 7)
    let start = Instant(seconds: 1_793_491_200)
    let receipts = (0..<200).map { index in
      valid(
        "t\(index)", value: index % 5 == 0 ? .absent : fine(random.number(below: 12)),
        at: start + Int64(random.number(below: 30 * 86_400)) * 1000,
        network: ["a.skadnetwork", "b.skadnetwork"][random.number(below: 2)], app: 1,
        campaign: ["5239", "39", "0017", "4711"][random.number(below: 4)])
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
    let first = start.day
    try ReferenceStore(path: path).put([
      CampaignNameRow(
        network: "a.skadnetwork", campaign: "5239", from: first, to: nil, name: "Winter", adSet: "Set",
        creative: nil, country: "DE"),
      CampaignNameRow(
        network: "a.skadnetwork", campaign: "0017", from: first, to: nil, name: "Summer", adSet: nil,
        creative: "Film", country: nil),
    ])
    var paid: [SpendRow] = []
    for index in 0..<60 {
      let campaign = ["Winter", "0017", "39"][index % 3]
      let app: Int64? = index % 2 == 0 ? nil : 1
      paid.append(
        SpendRow(
          day: Day(number: first.number + Int32(index / 3)), network: "a.skadnetwork", campaign: campaign,
          app: app, currency: index % 7 == 0 ? "EUR" : "USD", micros: Int64(index) * 1_000_000,
          impressions: index % 4 == 0 ? nil : 1000, clicks: index % 5 == 0 ? nil : 10, environment: .test))
    }
    try ReferenceStore(path: path).put(paid)
  }

  private typealias Row = [String: NSObject]

  private func rows(_ words: [String: String]) throws -> [Row] {
    let text = try printed(
      CampaignReport.self, words.merging(["environment": "test"]) { $1 }, as: .ndjson, from: path)
    return try text.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? Row)
    }
  }

  @Test(arguments: [
    [
      "by": "app,network,campaign", "from": "2026-11-15", "to": "2026-12-01", "compare": "previous",
      "share": "true",
    ],
    ["by": "week,name", "subtotals": "true"], ["by": "network,campaign", "tree": "true"],
    ["by": "app,network,campaign", "sent-names": "true"],
  ])
  func `Columns of a campaign report have the same cells alone as among all`(words: [String: String]) throws {
    let all = try rows(words)
    let names = Set(all.flatMap(\.keys)).filter { !$0.hasPrefix("fine-") || $0 == "fine-7" }
    #expect(names.count > 30)
    for name in names {
      let alone = try rows(words.merging(["columns": name]) { $1 })
      #expect(alone == all.map { $0.filter { $0.key == name } }, "\(name)")
    }
  }

  @Test(arguments: ["-spend-USD", "name", "-roas-mid-USD", "share-of-revenue-USD"])
  func `Columns of a campaign report that rows are sorted by need not be shown`(sort: String) throws {
    let words = ["by": "app,network,campaign", "sort": sort, "share": "true"]
    let alone = try rows(words.merging(["columns": "network,campaign"]) { $1 })
    #expect(alone.map { $0["campaign"] } == (try rows(words)).map { $0["campaign"] })
  }

  @Test func `Columns of a campaign report that there are not are answered with all that there are`() throws {
    func message(_ format: Format) throws -> String {
      do {
        _ = try printed(
          CampaignReport.self, ["environment": "test", "by": "network", "columns": "postbacks,spend-GBP"],
          as: format, from: path)
        return "none"
      } catch let error as ParameterError {
        return error.detail.english
      }
    }
    let found = try message(.ndjson)
    #expect(found.contains("`spend-USD`"))
    #expect(try message(.json) == found)
  }
}
