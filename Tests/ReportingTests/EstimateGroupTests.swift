import Ledger
@testable import MappingLibrary
import Mappings
import PostbackFixtures
import Postbacks
@testable import Reporting
import TestSupport
import Testing
import Values

/// Estimates of networks, apps, weeks and months.
final class `Groups of estimates` {
  private let folder: TemporaryFolder
  private let path: String
  private let start = Instant("2026-02-16T00:00:00Z") ?? Instant(seconds: 0)

  /// Postbacks of two networks with two campaigns each, over four weeks and the end of a month.
  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("skan.db")
    var random = SplitMix64(seed: 9)
    var receipts: [Receipt] = []
    for (network, campaign) in [("a", "11"), ("a", "12"), ("b", "11"), ("b", "13")] {
      for index in 0..<300 {
        receipts.append(
          valid(
            "\(network) \(campaign) \(index)",
            value: random.happens(0.3) ? .absent : fine(random.happens(0.7) ? 0 : 1),
            at: start + Int64(random.number(below: 28 * 86_400)) * 1000, network: "\(network).skadnetwork",
            app: 1, campaign: campaign))
      }
    }
    try store(receipts, in: path)
    let text = """
      {"name":"m","app":1,"currency":"USD","effective-from":"2020-01-01","protocol":"skan4",
       "fine":[{"value":0,"revenue":{"from":0,"to":1,"representative":0}},{"value":1,"revenue":{"from":1,"to":3}}]}
      """
    let mapping = try #require(MappingDocument.read(Array(text.utf8)).document?.mapping)
    try MappingStore(path: path).replaceAll(with: [
      StoredMapping(
        source: "m", app: mapping.app, effectiveFrom: mapping.effectiveFrom, digest: "d",
        loadedAt: start, document: Array(text.utf8))
    ])
  }

  private func estimated(
    now: Instant? = nil, by: [EstimateDimension], _ change: (inout EstimateReport) -> Void = { _ in }
  ) throws -> (rows: [EstimateReport.Row], totals: [EstimateReport.Row], basis: EstimateReport.Basis) {
    var report = EstimateReport()
    report.scope.environment = .test
    report.by = by
    change(&report)
    return try report.estimated(from: LedgerReader(path: path), now: now ?? start + 60 * 86_400_000)
  }

  @Test(
    arguments: [
      [.network], [.week], [.month], [.app], [.network, .week], [.month, .week], [.campaign, .month],
    ] as [[EstimateDimension]])
  func `Groups add up to the whole, and their intervals hold their estimates`(by: [EstimateDimension]) throws
  {
    let found = try estimated(by: by)
    let total = try #require(found.totals.first).sum
    func sum(_ value: (EstimateReport.Row) -> Double?) -> Double {
      found.rows.reduce(0) { $0 + (value($1) ?? 0) }
    }
    #expect(Set(found.rows.map(\.group)).count == found.rows.count)
    #expect(abs(sum { $0.sum.installs } - total.installs) < 1e-6)
    #expect(abs(sum { $0.sum.estimate } - (total.estimate ?? 0)) < 1e-6 * total.installs)
    for row in found.rows {
      let interval = try #require(row.sum.interval)
      #expect(interval.contains(try #require(row.sum.estimate)))
    }
    // The joint interval is narrower than the parts' ends put together.
    let whole = try #require(total.interval)
    if found.rows.count > 3 {
      let width = sum { $0.sum.interval.map { $0.high - $0.low } }
      #expect(whole.high - whole.low < width)
    }
  }

  @Test func `A week of install begins on Monday, and is as complete as its last date`() throws {
    let now = start + 24 * 86_400_000
    let weeks = try estimated(now: now, by: [.week]).rows
    let days = try estimated(now: now, by: [.day]).rows
    #expect(weeks.count > 2)
    for week in weeks {
      let first = try #require(week.day)
      #expect(first == first.monday)
      let own = days.filter { $0.day?.monday == first }.compactMap(\.completeness)
      #expect(week.completeness == own.min())
    }
    #expect(weeks.contains { $0.completeness.map { $0 < 0.95 } ?? false })
    let months = try estimated(now: now, by: [.month]).rows.compactMap(\.day)
    #expect(months.allSatisfy { $0 == $0.startOfMonth })
  }

  @Test func `Spend of a network counts in its row and week, that of an app without a mapping in none`()
    throws
  {
    func paid(_ day: Int32, _ network: String, _ campaign: String, app: Int64?, _ micros: Int64) -> SpendRow {
      SpendRow(
        day: Day(number: start.day.number + day), network: network, campaign: campaign, app: app,
        currency: "USD", micros: micros, environment: .test)
    }
    try ReferenceStore(path: path).put([
      paid(2, "a.skadnetwork", "11", app: 1, 5_000_000),
      paid(3, "a.skadnetwork", "no such", app: 1, 1_000_000),
      paid(9, "a.skadnetwork", "12", app: nil, 2_000_000), paid(2, "b.skadnetwork", "13", app: 2, 90_000_000),
    ])
    let networks = try estimated(by: [.network]).rows
    #expect(networks.map(\.group.network) == ["a.skadnetwork", "b.skadnetwork"])
    #expect(networks.map { $0.spend?.micros } == [8_000_000, nil])
    #expect(networks.first?.verdict != nil)
    let weeks = try estimated(by: [.network, .week]).rows.filter { $0.spend != nil }
    #expect(weeks.map { $0.spend?.micros } == [6_000_000, 2_000_000])
    // By campaign, what names none of them is unmatched.
    #expect(try estimated(by: [.campaign]).basis.spend.unmatched.values.map(\.micros) == [91_000_000])
  }
}
