@testable import Campaigns
import Glibc
@testable import Ledger
import Postbacks
import TestSupport
import Testing
import Values

/// Names of campaigns that several readers share.
final class `Kept names` {
  private let folder: TemporaryFolder
  private let path: String
  private let keeper = PartKeeper()
  private let day = Day(number: 20_500)

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("skan.db")
    _ = try LedgerWriter(path: path)
  }

  private func row(
    _ campaign: String, _ name: String, app: Int64? = nil, from: Int32 = 0, number: String? = nil
  ) -> CampaignNameRow {
    CampaignNameRow(
      network: "n.skadnetwork", campaign: campaign, app: app, from: Day(number: day.number + from), to: nil,
      name: name, adSet: "set of \(name)", creative: nil, country: "DE", number: number)
  }

  private func name(_ digits: String, _ names: CampaignNames) throws -> String {
    let campaign = try #require(Campaign(digits: digits, isSourceIdentifier: true))
    switch names.match(network: "n.skadnetwork", campaign: campaign, app: nil, days: day...day) {
    case .unknown: return "none"
    case .known(let row):
      return [row.name, row.adSet, row.creative, row.country].map { $0 ?? "-" }.joined(separator: "|")
    case .ambiguous(let names): return names.joined(separator: " or ")
    }
  }

  private func source(_ limit: ReadLimit = .none) throws -> ReportSource {
    ReportSource(reader: try LedgerReader(path: path, limit: limit), now: day.start, keeper: keeper)
  }

  private func names(_ limit: ReadLimit = .none) throws -> CampaignNames {
    try CampaignNames.of(source(limit).reader)
  }

  @Test func `They follow each import and each removal`() throws {
    let store = try ReferenceStore(path: path)
    #expect(try name("77", names()) == "none")
    _ = try store.put([row("4477", "Winter"), row("77", "Short")])
    #expect(try name("77", names()) == "Winter or Short")
    #expect(try name("4477", names()) == "Winter|set of Winter|-|DE")
    #expect(try name("9977", names()) == "Short|set of Short|-|DE")
    _ = try store.put([row("4477", "Summer with a name that is long")])
    #expect(
      try name("4477", names())
        == "Summer with a name that is long|set of Summer with a name that is long|-|DE")
    _ = try store.remove([row("77", "")])
    #expect(try name("9977", names()) == "none")
  }

  @Test func `A viewer of some networks has no names of others`() throws {
    _ = try ReferenceStore(path: path).put([row("4477", "Winter")])
    #expect(try name("4477", names()).hasPrefix("Winter"))
    let limit = ReadLimit(networks: [try #require(AdNetworkID("other.skadnetwork"))])
    #expect(try name("4477", names(limit)) == "none")
    #expect(try name("4477", names()).hasPrefix("Winter"))
  }

  @Test func `They are loaded once for all readers, until imported rows change`() throws {
    var made = 0
    func ask(bytes: Int = 10) throws {
      let reader = try source().reader
      let value = try reader.remembered(bytes: { (_: Int) in bytes }) {
        made += 1
        return made
      }
      #expect(value == made)
    }
    for _ in 0..<3 { try ask() }
    #expect(made == 1)
    _ = try ReferenceStore(path: path).put([row("4477", "Winter")])
    for _ in 0..<2 { try ask() }
    #expect(made == 2)
    // Another database at the same path.
    let other = folder.file("other.db")
    _ = try ReferenceStore(path: other).put([row("4477", "Autumn")])
    for name in ["skan.db-wal", "skan.db-shm"] { _ = unlink(folder.file(name)) }
    #expect(rename(other, path) == 0)
    try ask()
    #expect(made == 3)
    for _ in 0..<2 {
      _ = try ReferenceStore(path: path).put([row("77", "\(made)")])
      try ask(bytes: 1 << 40)
      try ask(bytes: 1 << 40)
    }
    #expect(made == 7, "what takes too much memory is made each time")
  }

  @Test func `A name has its own texts among very many, by digits, by name and by number`() throws {
    let rows = (0..<9000).map {
      row("\(1000 + $0)", "Campaign \($0 / 2) é", number: $0 % 3 == 0 ? "n\($0)" : nil)
    }
    let names = CampaignNames(rows)
    for index in stride(from: 0, to: rows.count, by: 97) {
      #expect(
        try name(rows[index].campaign, names) == "Campaign \(index / 2) é|set of Campaign \(index / 2) é|-|DE"
      )
      let pair = [index / 2 * 2, index / 2 * 2 + 1].map { rows[$0].campaign }
      #expect(
        names.campaigns(called: "Campaign \(index / 2) e\u{301}", network: "n.skadnetwork", app: nil, on: day)
          == pair)
      let found = names.campaigns(called: "n\(index)", network: "n.skadnetwork", app: nil, on: day)
      #expect(found == (index % 3 == 0 ? [rows[index].campaign] : []))
    }
  }
}
