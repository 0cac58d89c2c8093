@testable import Campaigns
@testable import Imports
import Intake
import Ledger
import Postbacks
import Testing
import TestSupport
import Values

struct `Names of an app` {
  private let day = Day("2026-11-01") ?? Day(number: 0)

  private func names(_ rows: [(campaign: String, app: Int64?, name: String)]) -> CampaignNames {
    CampaignNames(
      rows.map {
        CampaignNameRow(
          network: "net.skadnetwork", campaign: $0.campaign, app: $0.app, from: day, to: nil, name: $0.name,
          adSet: nil, creative: nil, country: nil)
      })
  }

  private func match(_ names: CampaignNames, _ digits: String, _ app: Int64?) throws -> String {
    let campaign = Campaign.sourceIdentifier(try #require(SourceIdentifier(digits)))
    return
      switch names.match(network: "net.skadnetwork", campaign: campaign, app: app, days: day...day.next)
    {
    case .unknown: "unknown"
    case .known(let row): row.name
    case .ambiguous(let names): names.joined(separator: " or ")
    }
  }

  @Test func `A campaign has the network's own number beside its name, and files can name it by either`()
    throws
  {
    let row = CampaignNameRow(
      network: "net.skadnetwork", campaign: "4412", from: day, to: nil, name: "iOS US", adSet: nil,
      creative: nil,
      country: nil, number: "17345678901")
    let names = CampaignNames([row])
    for called in ["17345678901", "iOS US"] {
      #expect(names.digits(of: called, network: "net.skadnetwork", app: nil, on: day) == "4412")
      let spend = SpendRow(
        day: day, network: "net.skadnetwork", campaign: called, app: nil, currency: "USD", micros: 1)
      #expect(names.match(spend) == .known(row))
    }
    #expect(try match(names, "4412", nil) == "iOS US")
  }

  @Test func `A name of one app leaves no doubt about a campaign of another one`() throws {
    let own = names([("12", 1, "Short"), ("4412", 2, "Long")])
    #expect(try match(own, "12", 1) == "Short")
    #expect(try match(own, "4412", 2) == "Long")
    #expect(try match(own, "12", 2) == "Long")
    #expect(try match(own, "4412", 3) == "unknown")
    // Rows of several apps can be of either.
    #expect(try match(own, "12", nil) == "Long or Short")
    // Without an app a name can be of any.
    #expect(try match(names([("12", nil, "Short"), ("4412", nil, "Long")]), "12", 1) == "Long or Short")
  }

  @Test func `A name of the app counts before one of any app for the same digits`() throws {
    let names = names([("12", nil, "Any"), ("12", 1, "Own")])
    #expect(try match(names, "12", 1) == "Own")
    #expect(try match(names, "12", 2) == "Any")
    #expect(names.digits(of: "Own", network: "net.skadnetwork", app: 1, on: day) == "12")
    #expect(names.digits(of: "Own", network: "net.skadnetwork", app: 2, on: day) == nil)
  }

  @Test func `Only names that one app can have are in doubt`() throws {
    func doubts(_ short: Int64?, _ long: Int64?) -> Int {
      CampaignNames.doubts(
        [("12", short, "Short"), ("4412", long, "Long")].map {
          CampaignNameRow(
            network: "net.skadnetwork", campaign: $0.0, app: $0.1, from: day, to: nil, name: $0.2, adSet: nil,
            creative: nil, country: nil)
        }
      ).count
    }
    #expect(doubts(nil, nil) == 1)
    #expect(doubts(1, nil) == 1)
    #expect(doubts(1, 1) == 1)
    #expect(doubts(1, 2) == 0)
  }

  @Test func `A file of names has the app in a column, and a name of a network has none`() throws {
    let file =
      "network,campaign,app,from,name\nNET.skadnetwork,12,1,2026-11-01,Short\nnet.skadnetwork,12,,2026-11-01,Any\n"
    #expect(try ReferenceFile.read(CampaignNameRow.self, Array(file.utf8)).map(\.app) == [1, nil])
    for (row, code) in [
      ("net.skadnetwork,12,x,2026-11-01,A", "invalid-app"),
      ("net.skadnetwork,,1,2026-11-01,A", "network-of-app"), (",12,1,2026-11-01,A", "missing-network"),
      (",,,2026-11-01,A", "missing-network"),
    ] {
      #expect {
        try ReferenceFile.read(CampaignNameRow.self, Array("network,campaign,app,from,name\n\(row)\n".utf8))
      } throws: {
        ($0 as? ReferenceFileError)?.code == code
      }
    }
  }

  @Test func `A row with an app alone names the app, until a later name`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("skan.db")
    _ = try LedgerWriter(path: path)
    let file = "app,from,name\n7,2026-11-01,Dragon\n7,2026-11-05,Dragon 2\n"
    let outcome = try NameImport.store(
      Array(file.utf8), NoChoice(), in: LedgerFile(path: path), now: Instant(seconds: 1_780_000_000))
    #expect(
      outcome.notes.map(\.english) == ["'Dragon' of app 7 ends on 2026-11-05, where a later name begins"])
    #expect(outcome.warnings.isEmpty && outcome.unmatched.isEmpty)
    let reader = try LedgerReader(path: path)
    #expect(try reader.campaignNames() == reader.namesOfNetworksAndApps())
    let names = CampaignNames(try reader.campaignNames())
    #expect(names.name(ofApp: 7, on: day) == "Dragon")
    #expect(names.name(ofApp: 7, on: Day("2026-11-05") ?? day) == "Dragon 2")
    #expect(names.name(ofApp: 7, on: Day("2026-10-31") ?? day) == nil && names.name(ofApp: 8, on: day) == nil)
    // It is the name of no campaign and no network.
    #expect(try match(names, "12", 7) == "unknown" && names.name(ofNetwork: "", on: day) == nil)
  }

  @Test func `A later name of one app does not end that of another one`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("skan.db")
    _ = try LedgerWriter(path: path)
    let text =
      "network,campaign,app,from,name\nn.skadnetwork,12,1,2026-11-01,A\nn.skadnetwork,12,2,2026-11-05,B\nn.skadnetwork,12,,2026-11-07,C\n"
    _ = try ReferenceStore(path: path).put(try ReferenceFile.read(CampaignNameRow.self, Array(text.utf8)))
    let stored = try LedgerReader(path: path).campaignNames()
    #expect(stored.map(\.name) == ["C", "A", "B"])
    #expect(stored.allSatisfy { $0.to == nil })
  }
}
