import Ledger
import Platform
import Postbacks
import TestSupport
import Testing
@_spi(Unsigned) import Verification

@testable import Reporting

struct `A campaign report`: ~Copyable {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func receipt(
    _ id: String, _ value: ConversionValue, campaign: String = "5239", outcome: Outcome = .install,
    window: ConversionWindow = .first, network: String = "example123.skadnetwork", day: Int64 = 0
  ) throws -> Receipt {
    let attested = AttestedFacts(
      version: .v4_0, network: try #require(AdNetworkID(network)),
      advertisedApp: try #require(AppID(525_463_029)),
      campaign: .sourceIdentifier(try #require(SourceIdentifier(campaign))), id: id, window: window,
      outcome: outcome, interaction: .click, publisher: .undisclosed)
    let claimed = ClaimedFacts(value: value, interaction: nil, country: nil)
    return Receipt(
      arrival: Arrival(
        receivedAt: Instant(seconds: 1_795_262_400 + day * 86_400), origin: Origin(.advertiserCopy),
        quotaSource: "",
        body: Array(id.utf8)),
      finding: .valid(.unsigned(attested: attested, claimed: claimed)))
  }

  private func report(_ words: [String: String]) throws -> CampaignReport {
    let path = folder.file("skan.db")
    let writer = try LedgerWriter(path: path)
    let seven = ConversionValue.fine(try #require(FineValue(7)))
    let zero = ConversionValue.fine(try #require(FineValue(0)))
    let refusal = Refusal(state: .invalid, reason: "signature-mismatch", identifier: nil)
    _ = try writer.commit([
      try receipt("a", seven), try receipt("a", seven), try receipt("b", zero), try receipt("c", .absent),
      try receipt("c", .coarse(.high), window: .second),
      try receipt("d", .absent, campaign: "39", outcome: .assist),
      try receipt("e", .coarse(.low), campaign: "39", outcome: .redownload, day: 1),
      try receipt("f", seven, network: "other.skadnetwork", day: 1),
      Receipt(
        arrival: Arrival(
          receivedAt: Instant(seconds: 1_795_262_400), origin: Origin(.advertiserCopy), quotaSource: "s",
          body: [1]),
        finding: .refused(refusal)),
    ])
    var words = words
    words["environment"] = "test"
    return try CampaignReport(CampaignQuery(words: words), from: LedgerReader(path: path))
  }

  @Test(arguments: OutputFormat.allCases)
  func `comes out in every format`(format: OutputFormat) throws {
    try expectGolden(try report([:]).text(format), "campaigns.\(format.rawValue)")
  }

  @Test func `by day and window, of some days and networks`() throws {
    try expectGolden(
      try report(["by": "day,window", "to": "2026-11-22", "network": "EXAMPLE123.skadnetwork"]).text(.table),
      "campaigns-by-day-and-window.table")
  }

  @Test func `says so when there is nothing to report`() throws {
    let empty = try report(["from": "2027-01-01"])
    #expect(empty.text(.table) == "no test postbacks in these days\n")
    #expect(empty.text(.ndjson).isEmpty)
  }

  @Test(arguments: [
    (["from": "2026-02-30"], "from"), (["to": "soon"], "to"),
    (["from": "2026-01-02", "to": "2026-01-02"], "to"),
    (["by": "campaign,creative"], "by"), (["by": "day,app,day"], "by"), (["app": "x"], "app"),
    (["app": "-1"], "app"),
    (["environment": "prod"], "environment"), (["digits": "5"], "digits"), (["digits": "1"], "digits"),
  ])
  func `refuses words that make no sense and names them`(words: [String: String], name: String) {
    let error = #expect(throws: QueryError.self) { try CampaignQuery(words: words) }
    #expect(error?.name == name)
  }
}
