import Arguments
@testable import Campaigns
@testable import Explanations
import Ledger
import PostbackFixtures
import Postbacks
import Tables
import Testing
import TestSupport
import Values
@_spi(Unsigned) import Verification

struct `A campaign report`: ~Copyable {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func receipt(
    _ id: String, _ value: ConversionValue, campaign: String = "5239", outcome: Outcome = .install,
    window: ConversionWindow = .first, network: String = "example123.skadnetwork", day: Int64 = 0
  ) -> Receipt {
    valid(
      id, value: value, at: noon + day * Day.milliseconds, network: network, campaign: campaign,
      window: window, outcome: outcome)
  }

  private func text(_ words: [String: String], as format: Format = .table) throws -> String {
    let path = folder.file("skan.db")
    let writer = try LedgerWriter(path: path)
    let seven = fine(7)
    let zero = fine(0)
    let rejection = Rejection(state: .invalid, reason: "signature-mismatch", identifier: nil)
    _ = try writer.commit([
      receipt("a", seven), receipt("a", seven), receipt("b", zero), receipt("c", .absent),
      receipt("c", .coarse(.high), window: .second),
      receipt("d", .absent, campaign: "39", outcome: .assist),
      receipt("e", .coarse(.low), campaign: "39", outcome: .redownload, day: 1),
      receipt("f", seven, network: "other.skadnetwork", day: 1),
      Receipt(
        arrival: Arrival(
          receivedAt: noon, origin: Origin(.advertiserCopy), quotaSource: "s",
          body: [1]),
        finding: .rejected(rejection)),
    ])
    var words = words
    words["environment"] = "test"
    return try printed(CampaignReport.self, words, as: format, from: path)
  }

  @Test func `A total without rows has no number of copies where the question does not count them`() throws {
    let none = try text(["by": "publisher", "from": "2020-01-01", "to": "2020-02-01"], as: .json)
    #expect(none.contains("\"copies\": null") || none.contains("\"copies\":null"))
    let zero = try text(["by": "network", "from": "2020-01-01", "to": "2020-02-01"], as: .json)
    #expect(zero.contains("\"copies\": 0") || zero.contains("\"copies\":0"))
  }

  @Test func `A campaign report adds a postback to exactly the counts that its explanation names`() throws {
    let values: [ConversionValue] = [
      fine(0), fine(9), .coarse(.medium), .absent,
      .rejected,
    ]
    var wanted: [String: [String]] = [:]
    var receipts: [Receipt] = []
    for version in [ProtocolVersion.v3_0, .v4_0] {
      for outcome in [Outcome.install, .redownload, .reengagement, .assist, .other] {
        for value in values {
          for interaction in [AdInteraction.view, .click, nil] {
            let number = wanted.count
            let receipt = valid(
              "\(number)", value: value, network: "n", app: 1,
              campaign: version == .v4_0 ? "\(1000 + number)" : "\(1 + number)", version: version,
              outcome: outcome, interaction: interaction)
            guard case .conversion(let postback) = receipt.finding else { continue }
            let facts = postback.postback
            wanted[facts.attested.campaign.text] = CountNames.names(countedFor: facts.attested, facts.claimed)
            receipts.append(receipt)
          }
        }
      }
    }
    let path = folder.file("counts.db")
    _ = try LedgerWriter(path: path).commit(receipts)
    let report = try CampaignTable(
      CampaignQuery(environment: .test, dimensions: [.campaign]), from: LedgerReader(path: path))
    #expect(report.rows.count == wanted.count)
    for row in report.rows {
      let counted = CampaignMeasure.all.filter { $0.value(row.counts) != 0 }.map(\.name)
      #expect(Set(counted) == Set(wanted[row.campaign?.text ?? ""] ?? []))
    }
  }

  @Test func `A campaign report names what has rows if it has none itself`() throws {
    let text = try text(["network": "othr.skadnetwork"])
    #expect(text.contains("no test postbacks of othr.skadnetwork\n"))
    #expect(
      text.contains(
        "other networks have some: example123.skadnetwork, other.skadnetwork; did you mean 'other.skadnetwork'?\n"
      ))
    #expect(!text.contains("not-counted"))
    // Each of these reports takes the forged body in again.
    #expect(try self.text([:]).contains("\nnot-counted\n"))
    #expect(try self.text(["app": "7"]).contains("other apps have some: 525463029\n"))
    let path = folder.file("skan.db")
    #expect(
      try printed(CampaignReport.self, ["from": "2026-11-01"], as: .table, from: path)
        .hasPrefix(
          "no production postbacks in these days\nthere are some of another environment: test\n"
        ))
  }

  @Test(arguments: Format.allCases)
  func `A campaign report is printed in every format`(format: Format) throws {
    try expectGolden(try text([:], as: format), "campaigns.\(format.rawValue)")
  }

  @Test func `A campaign report can be by day and window, of some days and networks`() throws {
    try expectGolden(
      try text(["by": "day,window", "to": "2026-11-22", "network": "EXAMPLE123.skadnetwork"]),
      "campaigns-by-day-and-window.table")
  }

  @Test func `A campaign report states that there is nothing to report`() throws {
    #expect(
      try text(["from": "2027-01-01"])
        == "test postbacks, not part of any real figure\nno test postbacks in these days\n")
    #expect(try text(["from": "2027-01-01"], as: .ndjson).isEmpty)
  }

  @Test(arguments: [
    (["from": "2026-02-30"], "from"), (["to": "soon"], "to"),
    (["from": "2026-01-02", "to": "2026-01-02"], "to"),
    (["by": "campaign,creatve"], "by"), (["by": "day,app,day"], "by"), (["app": "x"], "app"),
    (["app": "-1"], "app"),
    (["environment": "prod"], "environment"), (["digits": "5"], "digits"), (["digits": "1"], "digits"),
  ])
  func `A campaign report rejects words that make no sense and names them`(
    words: [String: String], name: String
  ) {
    let error = #expect(throws: ParameterError.self) { try CampaignReport(words.mapValues { [$0] }) }
    #expect(error?.name == name)
  }
}
