@testable import Campaigns
@testable import EstimateReports
import Estimates
import Ledger
import Mappings
import PostbackFixtures
import Postbacks
import Testing
import TestSupport
import Values

/// Returns where spend is known of some install days and campaigns alone.
final class `Returns on spend` {
  private let folder: TemporaryFolder
  private let path: String
  /// The first of fourteen install days.
  private let first = Day(number: 20_500)

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("skan.db")
    let text = """
      {"name":"m","app":1,"currency":"USD","effective-from":"2020-01-01","protocol":"skan4",
       "fine":[{"value":0,"revenue":{"from":0,"to":1,"representative":0}},{"value":1,"revenue":{"from":1,"to":3}}]}
      """
    let mapping = try #require(MappingDocument.read(Array(text.utf8)).document?.mapping)
    _ = try LedgerWriter(path: path)
    try MappingStore(path: path).replaceAll(with: [
      StoredMapping(
        source: "m", app: mapping.app, effectiveFrom: mapping.effectiveFrom, digest: "d",
        loadedAt: first.start, document: Array(text.utf8))
    ])
  }

  /// Installs, half of which pay two units, with the postbacks that Apple sends for them.
  private func fill(
    _ campaigns: [String], each daily: Int = 100, of days: Range<Int32> = 0..<14,
    outcome: (Int) -> Outcome = { _ in .install }
  ) throws {
    var random = SplitMix64(seed: 3)
    var receipts: [Receipt] = []
    for campaign in campaigns {
      for day in days {
        for index in 0..<daily {
          let installed = self.day(day).start + Int64(index * 86_400 / daily) * 1000
          let delay = Int64(48 * 3600 + 86_400 + random.number(below: 86_400)) * 1000
          receipts.append(
            valid(
              "\(campaign) \(day) \(index)", value: fine(index % 2), at: installed + delay,
              network: "a.skadnetwork", app: 1, campaign: campaign, outcome: outcome(index)))
        }
      }
    }
    try store(receipts, in: path)
  }

  private func day(_ offset: Int32) -> Day { Day(number: first.number + offset) }

  private func pay(
    _ campaign: String, on days: some Sequence<Int32>, _ units: Int64, _ currency: String = "USD"
  ) throws {
    try ReferenceStore(path: path).put(
      days.map {
        SpendRow(
          day: day($0), network: "a.skadnetwork", campaign: campaign, app: 1, currency: currency,
          micros: units * 1_000_000, environment: .test)
      })
  }

  private func estimated(_ change: (inout EstimateReport) -> Void = { _ in }) throws -> (
    rows: [EstimateReport.Row], totals: [EstimateReport.Row], basis: EstimateReport.Basis
  ) {
    var report = EstimateReport()
    report.scope.environment = .test
    change(&report)
    return try report.estimated(from: LedgerReader(path: path), now: day(60).start)
  }

  @Test func `Spend of one of fourteen days is compared with the installs of that day`() throws {
    try fill(["11"])
    // The installs of a day are worth 100.
    try pay("11", on: [7], 200)
    let found = try estimated()
    for row in found.rows + found.totals {
      // Days of install are inferred from the hours of arrival.
      #expect(abs(try #require(row.compared?.value) - 0.5) < 0.15)
      #expect(row.verdict == .no)
      #expect(abs(try #require(row.unpaidConversions) - 1300) < 50)
      #expect(row.flags.contains(.oneSided))
    }
    let text = try printed(
      EstimateReport.self,
      ["environment": "test", "columns": "installs,unpaid-conversions,spend,ecpi,verdict"],
      as: .csv, from: path, now: day(60).start)
    #expect(text.contains(",200,") && text.contains(",no"))
    // The day itself has the same return.
    let alone = try estimated { ($0.period.from, $0.period.to) = (day(7), day(8)) }
    #expect(abs(try #require(alone.rows[0].compared?.value) - (found.rows[0].compared?.value ?? 0)) < 1e-9)
    #expect(alone.rows.map(\.isOneSided) == [false])
  }

  @Test func `Spend that does not fit is the largest amount, and reports state that`() throws {
    try fill(["11"])
    func isStated() throws -> [Bool] {
      let now = day(60).start
      let texts = [
        try printed(EstimateReport.self, ["environment": "test"], as: .json, from: path, now: now),
        try printed(CampaignReport.self, ["environment": "test"], as: .json, from: path, now: now),
      ]
      return texts.map { $0.contains("larger than the largest amount") }
    }
    try pay("11", on: [3], 9_000_000_000_000)
    #expect(try isStated() == [false, false])
    try pay("11", on: [4], 9_000_000_000_000)
    #expect(try isStated() == [true, true])
  }

  @Test func `Spend of days without installs has no return`() throws {
    try fill(["11"])
    try pay("11", on: 30..<37, 200)
    let found = try estimated()
    for row in found.rows + found.totals {
      #expect(row.compared == nil && row.verdict == nil && row.flags.contains(.oneSided))
      #expect(row.uncomparedSpend == Amount(micros: 1_400_000_000))
    }
    let text = try printed(
      EstimateReport.self,
      ["environment": "test", "columns": "spend,uncompared-spend,estimated-roas-48h,verdict"],
      as: .csv, from: path, now: day(60).start)
    #expect(text.contains("1400,1400,,"))
  }

  @Test func `A day that cost nothing is compared, and a day between installs without any, too`() throws {
    try fill(["11"], of: 0..<5)
    try fill(["12"], of: 5..<14)
    try pay("11", on: [0], 400)
    try pay("11", on: 1..<5, 0)
    // Nothing was installed on these days, of which postbacks of another campaign have arrived.
    try pay("11", on: 8..<10, 300)
    let row = try #require(try estimated().rows.first)
    #expect(abs(try #require(row.compared?.value) - 0.5) < 0.05)
    #expect(row.uncomparedSpend == .zero)
  }

  @Test func `Spend in another currency is compared with nothing, and that of other campaigns is`() throws {
    try fill(["11", "12"])
    try pay("11", on: 0..<14, 100)
    try pay("12", on: 0..<14, 10, "EUR")
    let found = try estimated { ($0.period.from, $0.period.to) = (day(0), day(14)) }
    #expect(abs(try #require(found.totals[0].compared?.value) - 1) < 0.05)
    #expect(found.totals[0].isOneSided && found.rows.map { $0.compared == nil } == [false, true])
  }

  @Test func `Days before the first mapping version are compared with nothing`() throws {
    try fill(["11"])
    let text = """
      {"name":"m","app":1,"currency":"USD","effective-from":"\(day(7))","protocol":"skan4",
       "fine":[{"value":0,"revenue":{"from":0,"to":1,"representative":0}},{"value":1,"revenue":{"from":1,"to":3}}]}
      """
    let mapping = try #require(MappingDocument.read(Array(text.utf8)).document?.mapping)
    try MappingStore(path: path).replaceAll(with: [
      StoredMapping(
        source: "m", app: mapping.app, effectiveFrom: mapping.effectiveFrom, digest: "e",
        loadedAt: first.start, document: Array(text.utf8))
    ])
    try pay("11", on: 0..<14, 100)
    let row = try #require(try estimated().rows.first)
    #expect(row.compared?.spend == Amount(micros: 700_000_000))
    #expect(abs(try #require(row.compared?.value) - 1) < 0.1)
  }

  @Test func `Returns of very many campaigns are those of their days with spend`() throws {
    let campaigns = (0..<EstimatedCrowd.mostDrawnApart + 5).map { String("\(10_000 + $0)".dropFirst()) }
    try fill(campaigns, each: 2, of: 0..<6)
    for (index, campaign) in campaigns.prefix(40).enumerated() {
      try pay(campaign, on: Int32(index % 3)..<Int32(index % 3 + 2), 1)
    }
    let whole = try estimated { $0.digits = 4 }
    let byDay = try estimated {
      $0.digits = 4
      $0.by = [.campaign, .day]
    }
    let revenue = Dictionary(
      byDay.rows.filter { $0.compared != nil }.map { ($0.campaign, $0.compared?.sum.decoded ?? 0) },
      uniquingKeysWith: +)
    let compared = whole.rows.filter { $0.compared != nil }
    #expect(compared.count == 40)
    for row in compared {
      #expect(abs(try #require(row.compared).sum.decoded - (revenue[row.campaign] ?? 0)) < 1e-6)
      #expect(row.compared?.spend == Amount(micros: 2_000_000))
    }
    #expect(whole.totals[0].compared?.spend == Amount(micros: 80_000_000))
    #expect(abs(whole.rows.reduce(0) { $0 + $1.sum.decoded } - whole.totals[0].sum.decoded) < 1e-6)
  }

  @Test func `Spend for each install is by first installs, whatever else won`() throws {
    try fill(["11"]) { $0 % 4 == 0 ? .redownload : .install }
    try pay("11", on: 0..<14, 150)
    let row = try #require(try estimated { ($0.period.from, $0.period.to) = (day(0), day(14)) }.rows.first)
    #expect(abs(row.sum.firstInstalls - 0.75 * row.sum.installs) < 0.01 * row.sum.installs)
    #expect(abs(try #require(row.compared?.costPerInstall) - 2) < 0.1)
    let text = try printed(
      CampaignReport.self, ["environment": "test", "columns": "installs,spend-USD,ecpi-USD"], as: .csv,
      from: path, now: day(60).start)
    #expect(text.contains("1050,2100,2\r\n"))
  }
}
