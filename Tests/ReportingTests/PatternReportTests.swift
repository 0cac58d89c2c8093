@testable import Campaigns
import Estimates
import Ledger
import Mappings
import PostbackFixtures
import Postbacks
@testable import EstimateReports
import Tables
import Testing
import TestSupport
import Values
@_spi(Unsigned) import Verification

final class `Whether installs look earned` {
  private let folder: TemporaryFolder
  private let path: String
  /// A Monday, the first day of arrival.
  private let monday = Day("2026-03-02") ?? Day(number: 0)
  private let app = known(AppID(1))
  private let days: Int32 = 84

  init() throws {
    let folder = try TemporaryFolder()
    path = folder.file("skan.db")
    self.folder = folder
  }

  /// Twelve weeks of five networks, with 10 installs by view and 20 by click a day; the last network has 100 more by
  /// view in the last four weeks, at one publisher.
  private func fill(claiming: Bool) throws {
    var random = SplitMix64(seed: 4)
    var receipts: [Receipt] = []
    for network in ["a.skadnetwork", "b.skadnetwork", "d.skadnetwork", "e.skadnetwork", "c.skadnetwork"] {
      for day in 0..<days {
        let start = Day(number: monday.number + day).start
        func add(_ number: Int, _ interaction: AdInteraction, publisher: Int64, outcome: Outcome = .install) {
          let value: ConversionValue =
            outcome == .assist ? .absent : fine(random.happens(0.2) ? 1 : 0)
          receipts.append(
            valid(
              "\(network) \(day) \(interaction) \(number) \(outcome)", value: value,
              at: start + Int64(random.number(below: 86_400_000)), network: network, app: 1, campaign: "11",
              outcome: outcome, interaction: interaction, publisher: .app(known(AppID(publisher)))))
        }
        for number in 0..<(8 + random.number(below: 5)) { add(number, .view, publisher: 101) }
        for number in 0..<(18 + random.number(below: 5)) { add(number, .click, publisher: 102) }
        for number in 0..<3 { add(number, .click, publisher: 102, outcome: .assist) }
        if claiming, network == "c.skadnetwork", day >= days - 28 {
          for number in 100..<200 { add(number, .view, publisher: 103) }
        }
      }
    }
    _ = try LedgerWriter(path: path).commit(receipts)
  }

  private func patterns(
    byCampaign: Bool = true, _ change: (inout Scope) -> Void = { _ in }
  ) throws -> [JudgedPattern] {
    var scope = Scope()
    scope.environment = .test
    change(&scope)
    return try JudgedPattern.all(
      LedgerReader(path: path), scope, end: Day(number: monday.number + days), days: 28, baselineDays: 56,
      byCampaign: byCampaign)
  }

  @Test(arguments: [true, false])
  func `A network whose views rise beyond those of others is to look at, with its weeks`(byCampaign: Bool)
    throws
  {
    try fill(claiming: true)
    let found = try patterns(byCampaign: byCampaign)
    #expect(Set(found.map(\.finding.network)).count == 5)
    for row in found {
      #expect((row.verdict == .lookAtIt) == (row.finding.network == "c.skadnetwork"))
      #expect(row.finding.campaign == (byCampaign ? "11" : nil))
      #expect(row.evidence.isEmpty == (row.verdict == .nothingUnusual || row.finding.test == .viewOrigin))
    }
    let rise = try #require(found.first { $0.finding.test == .viewShare && $0.verdict == .lookAtIt })
    #expect(rise.finding.isUnusual)
    // 110 of 130 by views, where 10 of 30 were.
    #expect(abs((rise.finding.seen ?? 0) - 110 / 130) < 0.02)
    #expect(abs((rise.finding.expected ?? 0) - 1 / 3) < 0.05)
    #expect(rise.evidence.count == 12)
    #expect(rise.evidence.first?.hasPrefix("2026-03-02, 7 days: ") == true)
    #expect(rise.evidence.first?.hasSuffix("(before)") == true && rise.evidence.last?.hasSuffix("%") == true)
    #expect(abs(rise.views / rise.installs - 110 / 130) < 0.02)
    let publishers = try #require(
      found.first { $0.finding.test == .publisherMix && $0.finding.network == "c.skadnetwork" })
    #expect(publishers.evidence.first?.hasPrefix("3 publishers, as concentrated as ") == true)
    #expect(publishers.evidence.dropFirst().first?.hasPrefix("publisher 103: 2,800, of which ") == true)
  }

  @Test func `Honest networks have nothing unusual`() throws {
    try fill(claiming: false)
    let found = try patterns()
    #expect(found.count >= 9)
    #expect(found.allSatisfy { $0.verdict == .nothingUnusual && $0.evidence.isEmpty })
    #expect(JudgedPattern.worst(of: found).count == 5)
  }

  @Test func `A network that is asked for alone is still compared with the others`() throws {
    try fill(claiming: true)
    let all = try patterns().filter { $0.finding.network == "c.skadnetwork" }
    let alone = try patterns { $0.networks = [known(AdNetworkID("c.skadnetwork"))] }
    #expect(!alone.isEmpty && alone.map(\.finding.test) == all.map(\.finding.test))
    for (one, other) in zip(alone, all) {
      #expect(abs(one.finding.statistic - other.finding.statistic) < 1e-9, "\(one.finding) \(other.finding)")
    }
  }

  @Test func `Own users and own installs add tests of their values and days`() throws {
    try fill(claiming: false)
    #expect(try !patterns().contains { $0.finding.test == .viewMix })
    let text =
      #"{"name":"m","app":1,"currency":"USD","effective-from":"2020-01-01","protocol":"skan4","#
      + #""fine":[{"value":1,"events":["buy"],"revenue":{"from":2,"to":4}}]}"#
    let mapping = try #require(MappingDocument.read(Array(text.utf8)).document?.mapping)
    try MappingStore(path: path).replaceAll(with: [
      StoredMapping(
        source: "m", app: app, effectiveFrom: mapping.effectiveFrom, digest: "d", loadedAt: monday.start,
        document: Array(text.utf8))
    ])
    try ReferenceStore(path: path).replaceWorth(
      of: app, effectiveFrom: mapping.effectiveFrom,
      with: [0, 1].map { value in
        ValueWorthRow(
          app: app, effectiveFrom: mapping.effectiveFrom, currency: "USD", value: value,
          each: Array(repeating: Int64(value) * 3_000_000, count: 1_000))
      })
    let found = try patterns().filter { $0.finding.test == .viewMix }
    // Views and clicks have the same values here, so that they are none of the way to own users.
    #expect(found.count == 5)
    #expect(found.allSatisfy { abs($0.finding.seen ?? 1) < 0.3 })
  }

  @Test func `A mapping version that began within the days leaves values before it out`() throws {
    try fill(claiming: false)
    let text =
      #"{"name":"m","app":1,"currency":"USD","effective-from":"2026-05-20","protocol":"skan4","#
      + #""fine":[{"value":1,"events":["buy"],"revenue":{"from":2,"to":4}}]}"#
    let mapping = try #require(MappingDocument.read(Array(text.utf8)).document?.mapping)
    try MappingStore(path: path).replaceAll(with: [
      StoredMapping(
        source: "m", app: app, effectiveFrom: mapping.effectiveFrom, digest: "d", loadedAt: monday.start,
        document: Array(text.utf8))
    ])
    // 2026-05-25 is the end, and users of the version arrive from then on.
    let found = try patterns()
    #expect(!found.contains { $0.finding.test == .publisherMix || $0.finding.test == .viewMix })
    #expect(found.contains { $0.finding.test == .viewShare })
  }

  @Test func `The report prints the evidence below the table, and that it is no proof`() throws {
    try fill(claiming: true)
    let words = ["environment": "test", "to": "\(Day(number: monday.number + days))"]
    let text = try printed(PatternReport.self, words, as: .table, from: path)
    #expect(text.contains("look-at-it") && text.contains("no proof"))
    #expect(text.contains("app 1, c.skadnetwork, campaign 11: view-share"))
    #expect(text.contains("2026-05-18, 7 days: "))
    let json = try printed(PatternReport.self, words, as: .json, from: path)
    #expect(json.contains("corrected-probability") && json.contains("evidence"))
    let none = try printed(
      PatternReport.self, ["environment": "test", "to": "2020-01-01"], as: .table, from: path)
    #expect(none.contains("no campaign has enough postbacks"))
  }
}
