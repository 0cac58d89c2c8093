@testable import EstimateReports
import Estimates
import Ledger
import Mappings
import PostbackFixtures
import Postbacks
import Testing
import TestSupport
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

  @Test func `A week of very many campaigns is as complete as its last date, too`() throws {
    var random = SplitMix64(seed: 4)
    let campaigns = (0..<EstimatedCrowd.mostDrawnApart + 5).map { String("\(10_000 + $0)".dropFirst()) }
    try store(
      campaigns.flatMap { campaign in
        (0..<4).map {
          valid(
            "many \(campaign) \($0)", value: fine(1),
            at: start + Int64(random.number(below: 24 * 86_400)) * 1000, network: "a.skadnetwork", app: 1,
            campaign: campaign)
        }
      }, in: path)
    let now = start + 24 * 86_400_000
    let days = try estimated(now: now, by: [.day]) { $0.digits = 4 }.rows
    for by in [[.week], [.month], [.week, .network], [.week, .campaign]] as [[EstimateDimension]] {
      let rows = try estimated(now: now, by: by) { $0.digits = 4 }.rows
      #expect(Set(rows.map(\.day)).count > 1)
      for row in rows {
        let own = days.filter { day in
          day.day.map { by.contains(.week) ? $0.monday : $0.startOfMonth } == row.day
        }
        #expect(row.completeness == own.compactMap(\.completeness).min(), "\(by) \(row.group)")
      }
    }
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
    // No row states of which campaign the rest is.
    #expect(networks.first?.compared?.spend.micros == 7_000_000)
    #expect(networks.first?.uncomparedSpend?.micros == 1_000_000)
    let weeks = try estimated(by: [.network, .week]).rows.filter { $0.spend != nil }
    #expect(weeks.map { $0.spend?.micros } == [6_000_000, 2_000_000])
    // By campaign, what names none of them is unmatched.
    #expect(try estimated(by: [.campaign]).basis.spend.unmatched.values.map(\.micros) == [91_000_000])
  }

  @Test
  func `Priors for mix models have each network's whole weeks with spend, and the interval of their sum`()
    throws
  {
    try spend([(2, "a", 5), (9, "a", 7), (9, "b", 4), (16, "a", 3), (16, "b", 2)])
    let late = start + 90 * 86_400_000
    let robyn = try priors("robyn", now: late)
    #expect(
      robyn[0] == [
        "channel", "liftStartDate", "liftEndDate", "liftAbs", "spend", "confidence", "metric",
        "calibration_scope",
      ])
    #expect(
      robyn.dropFirst().map { [$0[0], $0[1], $0[4]] } == [
        ["a.skadnetwork", "\(day(0))", "5"], ["a.skadnetwork", "\(day(7))", "7"],
        ["a.skadnetwork", "\(day(14))", "3"], ["b.skadnetwork", "\(day(7))", "4"],
        ["b.skadnetwork", "\(day(14))", "2"],
      ])
    #expect(robyn.dropFirst().allSatisfy { $0.suffix(3) == ["0.9", "revenue", "immediate"] })
    #expect(robyn[1][2] == "\(day(6))")
    // Over each network's own weeks with spend as one sum.
    let meridian = try priors("meridian", now: late)
    let networks = try [("a", Int32(0)), ("b", 7)].map { network, first in
      try #require(
        try estimated(now: late, by: [.network]) {
          ($0.period.from, $0.period.to) = (day(first), day(21))
        }.rows.first { $0.group.network == "\(network).skadnetwork" })
    }
    for (line, (row, first)) in zip(meridian.dropFirst(), zip(networks, [Int32(0), 7])) {
      let (interval, spend) = (try #require(row.sum.interval), Double(try #require(row.spend).micros) / 1e6)
      #expect(line[0] == row.group.network && line[2] == "\(day(first))" && line[3] == "\(day(21))")
      #expect(abs((Double(line[5]) ?? 0) - interval.low / spend) < 1e-6)
      #expect(abs((Double(line[6]) ?? 0) - interval.high / spend) < 1e-6)
    }
    #expect(meridian.count == 3)
    // A week of which postbacks are still to come, or that is not over, is in neither table.
    let early = try priors("robyn", now: start + 17 * 86_400_000)
    #expect(Set(early.dropFirst().map { $0[1] }).isSubset(of: ["\(day(0))", "\(day(7))"]))
    // A part of a week has its own days.
    let part = try priors("robyn", ["from": "\(day(8))", "to": "\(day(12))"], now: late)
    #expect(
      part.dropFirst().map { [$0[1], $0[2]] } == Array(repeating: ["\(day(8))", "\(day(11))"], count: 2))
  }

  @Test func `A network whose usable weeks have a gap has calibrations, and no prior over all`() throws {
    try spend([(2, "a", 5), (16, "a", 3), (9, "b", 4)])
    let late = start + 90 * 86_400_000
    #expect(try priors("meridian", now: late).dropFirst().map { $0[0] } == ["b.skadnetwork"])
    #expect(try priors("robyn", now: late).count == 4)
    let text = try printed(PriorReport.self, ["environment": "test"], as: .table, from: path, now: late)
    #expect(text.contains("a.skadnetwork: weeks that cannot be used lie between others"))
  }

  @Test
  func `A week with spend of two of its seven days is in no table for mix models, and its return is theirs`()
    throws
  {
    let late = start + 90 * 86_400_000
    try ReferenceStore(path: path).put(
      [1, 4].flatMap { offset in
        ["11", "12"].map { campaign in
          SpendRow(
            day: day(offset), network: "a.skadnetwork", campaign: campaign, app: 1, currency: "USD",
            micros: 5_000_000, environment: .test)
        }
      })
    #expect(try priors("robyn", now: late).count == 1)
    #expect(try priors("meridian", now: late).count == 1)
    let rows = try priors("rows", now: late)
    let (usable, value) = (
      try #require(rows[0].firstIndex(of: "usable")), try #require(rows[0].firstIndex(of: "return"))
    )
    let week = try #require(rows.first { $0[0] == "a.skadnetwork" && $0[2] == "\(day(0))" })
    #expect(week[usable] == "false")
    let days = try estimated(now: late, by: [.network, .day]).rows.filter {
      $0.group.network == "a.skadnetwork" && [day(1), day(4)].contains($0.day)
    }
    let revenue = try days.reduce(0) { $0 + (try #require($1.sum.estimate)) }
    #expect(days.count == 2 && abs((Double(week[value]) ?? 0) - revenue / 20) < 1e-5)
  }

  private func day(_ offset: Int32) -> Day { Day(number: start.day.number + offset) }

  /// Spend of networks on days, half of it for each of their two campaigns, which cost nothing on the other days of the week.
  private func spend(_ rows: [(day: Int32, network: String, units: Int64)]) throws {
    try ReferenceStore(path: path).put(
      rows.flatMap { row in
        ["11", row.network == "a" ? "12" : "13"].flatMap { campaign in
          (0..<7).map { (offset: Int32) in
            let paid = Day(number: day(row.day).monday.number + offset)
            return SpendRow(
              day: paid, network: "\(row.network).skadnetwork", campaign: campaign, app: 1,
              currency: "USD", micros: paid == day(row.day) ? row.units * 500_000 : 0, environment: .test)
          }
        }
      })
  }

  /// The lines of a table for mix models, the header first.
  private func priors(_ table: String, _ parameters: [String: String] = [:], now: Instant) throws
    -> [[String]]
  {
    var all = ["environment": "test", "table": table]
    all.merge(parameters) { $1 }
    return try printed(PriorReport.self, all, as: .csv, from: path, now: now).split(separator: "\r\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }
}
