import Arguments
@testable import EstimateReports
import Ledger
import Mappings
import PostbackFixtures
import Postbacks
import Testing
import TestSupport
import Values

/// A mapping that changed too lately for its users to have 30 days of history.
final class `Estimates by a horizon that users of one mapping version lack` {
  private let folder: TemporaryFolder
  private let start = Instant("2026-02-16T00:00:00Z") ?? Instant(seconds: 0)
  private let app: AppID
  private var change: Instant { start + 30 * Day.milliseconds }
  private var later: Instant { start + 70 * Day.milliseconds }

  init() throws {
    folder = try TemporaryFolder()
    app = try #require(AppID(1))
  }

  /// Postbacks of the first version from the first day on, and of the second one from the 40th on where there is one.
  private func database(_ name: String, hasChange: Bool, horizonsAfter: [Int] = [7]) throws -> String {
    let path = folder.file("\(name).db")
    var random = SplitMix64(seed: 9)
    var receipts: [Receipt] = []
    func add(_ campaign: String, _ days: Range<Int>) {
      for index in 0..<300 {
        let seconds = days.lowerBound * 86_400 + random.number(below: days.count * 86_400)
        receipts.append(
          valid(
            "\(campaign) \(days) \(index)",
            value: random.happens(0.3) ? .absent : fine(random.happens(0.7) ? 0 : 1),
            at: start + Int64(seconds) * 1000, network: "a.skadnetwork", app: 1, campaign: campaign))
      }
    }
    for campaign in ["11", "12", "13"] { add(campaign, 0..<20) }
    if hasChange { for campaign in ["13", "14"] { add(campaign, 40..<60) } }
    try store(receipts, in: path)
    let versions = hasChange ? [Instant(seconds: 0), change] : [Instant(seconds: 0)]
    try MappingStore(path: path).replaceAll(
      with: try versions.map { from in
        let text = """
          {"name":"m","app":1,"currency":"USD","effective-from":"\(from)","protocol":"skan4",
           "fine":[{"value":0,"revenue":{"from":0,"to":1,"representative":0}},{"value":1,"revenue":{"from":1,"to":3}}]}
          """
        let mapping = try #require(MappingDocument.read(Array(text.utf8)).document?.mapping)
        return StoredMapping(
          source: "\(from)", app: app, effectiveFrom: mapping.effectiveFrom, digest: "\(from)",
          loadedAt: from,
          document: Array(text.utf8))
      })
    for (from, horizons) in zip(versions, [[7, 30], horizonsAfter]) {
      var rows: [ValueWorthRow] = []
      for days in horizons {
        for value in 0...1 {
          let each: [Int64] = (0..<200).map { Int64($0 % 5 + 1) * 1_000_000 * Int64(value + 1) }
          rows.append(
            ValueWorthRow(
              app: app, effectiveFrom: from, horizon: .days(days), currency: "USD", value: value, each: each))
        }
      }
      try ReferenceStore(path: path).replaceWorth(of: app, effectiveFrom: from, with: rows)
    }
    return path
  }

  private func estimated(
    _ path: String, _ edit: (inout EstimateReport) -> Void = { _ in }
  ) throws -> (rows: [EstimateReport.Row], totals: [EstimateReport.Row], basis: EstimateReport.Basis) {
    var report = EstimateReport()
    report.scope.environment = .test
    report.days = 30
    edit(&report)
    return try report.estimated(from: LedgerReader(path: path), now: later)
  }

  @Test func `Its postbacks are left out, of rows and totals, with their number and since when`() throws {
    let found = try estimated(database("changed", hasChange: true))
    #expect(found.rows.map { $0.campaign?.campaign } == ["11", "12", "13", "14"])
    for (row, (installs, leftOut)) in zip(found.rows, [(300.0, 0.0), (300, 0), (300, 300), (0, 300)]) {
      #expect(abs(row.sum.installs - installs) < 1e-6 && abs(row.leftOut - leftOut) < 1e-6)
      #expect((row.sum.estimate == nil) == (installs == 0))
      #expect((row.sum.interval == nil) == (installs == 0))
      #expect(row.flags.contains(.leftOut) == (leftOut > 0))
    }
    let total = try #require(found.totals.first)
    #expect(abs(total.sum.installs - 900) < 1e-6 && abs(total.leftOut - 600) < 1e-6)
    #expect(found.basis.leftOut.map(\.number) == [2])
    let note = try #require(
      found.basis.notes(on: found.rows).map(\.english).first { $0.hasPrefix("left out") })
    #expect(
      note.hasPrefix(
        "left out: 600 first postbacks under version 2 of the mapping of app 1, in force from \(change.day): "
      ))
  }

  @Test func `Figures of the other version are those of a database without the change`() throws {
    let changed = try estimated(database("changed", hasChange: true)).rows
    // Users of the second version change nothing in rows of the first one.
    let known = try estimated(database("known", hasChange: true, horizonsAfter: [7, 30])).rows
    let alone = try estimated(database("alone", hasChange: false)).rows
    for index in 0..<2 {
      #expect(changed[index].sum.estimate == known[index].sum.estimate)
      #expect(changed[index].sum.interval == known[index].sum.interval)
    }
    for (row, other) in zip(changed, alone) {
      let (estimate, expected) = (try #require(row.sum.estimate), try #require(other.sum.estimate))
      #expect(abs(estimate - expected) < 1e-6 * expected)
      // Install dates are inferred from other arrivals, which are the cells that intervals are calibrated by.
      let (interval, width) = (try #require(row.sum.interval), try #require(other.sum.interval?.width))
      #expect(abs(interval.width - width) < 0.1 * width)
    }
    #expect(alone.count == 3)
  }

  @Test func `Notes state how often intervals held at horizons of days, and where few users pay much`() throws
  {
    let path = try database("notes", hasChange: false)
    func shown(days: Int?) throws -> [String] {
      let found = try estimated(path) { $0.days = days }
      return found.basis.notes(on: found.rows).map(\.english).filter { $0.hasPrefix("in measured apps") }
    }
    let atHorizons =
      "in measured apps, 90 % intervals at horizons of days held 80 to 98 % of campaigns, and 53 to 100 % of totals"
    #expect(try shown(days: nil).isEmpty)
    #expect(try shown(days: 30) == [atHorizons])
    // One user of 400 pays half of the revenue.
    let alike = [Int64](repeating: 1_000_000, count: 199)
    try ReferenceStore(path: path).replaceWorth(
      of: app, effectiveFrom: Instant(seconds: 0),
      with: [alike + [1_000_000], alike + [400_000_000]].enumerated().map { value, each in
        ValueWorthRow(
          app: app, effectiveFrom: Instant(seconds: 0), horizon: .days(30), currency: "USD", value: value,
          each: each)
      })
    let ofFewPayers = "in measured apps of such users, 90 % intervals held 71 to 96 % of totals"
    #expect(try shown(days: 30) == [ofFewPayers, atHorizons])
    #expect(try shown(days: nil).isEmpty)
  }

  @Test func `Campaigns of own users make intervals narrower, and a note has their number`()
    throws
  {
    let path = try database("alike", hasChange: false)
    let before = try estimated(path)
    let rows = try LedgerReader(path: path).valueWorth()
    try ReferenceStore(path: path).replaceWorth(
      of: app, effectiveFrom: Instant(seconds: 0), with: rows,
      withinValues: [
        WithinValueRow(
          app: app, effectiveFrom: Instant(seconds: 0), horizon: .days(30), slope: 0, spread: 0, groups: 12,
          weight: 1_000_000),
        WithinValueRow(
          app: app, effectiveFrom: Instant(seconds: 0), horizon: .days(7), slope: 100, spread: 50, groups: 12,
          weight: 1_000_000),
      ])
    let after = try estimated(path)
    for (row, other) in zip(before.rows, after.rows) {
      #expect(row.sum.estimate == other.sum.estimate)
      let (width, narrower) = (
        try #require(row.sum.interval?.width), try #require(other.sum.interval?.width)
      )
      #expect(narrower < width)
    }
    #expect(
      before.basis.notes(on: before.rows).map(\.english).contains {
        $0.hasPrefix("own users without campaigns")
      })
    #expect(
      after.basis.notes(on: after.rows).map(\.english).contains {
        $0.hasPrefix("own users are of 12 campaigns")
      })
    // Of 48 hours no law is known, and none counts.
    let early = try estimated(path) { $0.days = nil }
    #expect(early.basis.ownCampaigns == 0)
    // Without values nothing of them is kept.
    let removed = try ReferenceStore(path: path).remove(rows)
    #expect(removed == rows.count)
    #expect(try LedgerReader(path: path).withinValues().isEmpty)
  }

  @Test func `Programs read no figure where all is left out, and spend is not compared with a part`() throws {
    let path = try database("changed", hasChange: true)
    try ReferenceStore(path: path).put(
      ["11", "13", "14"].map {
        SpendRow(
          day: Day(number: start.day.number + 5), network: "a.skadnetwork", campaign: $0, app: 1,
          currency: "USD", micros: 100_000_000, environment: .test)
      })
    let rows = try estimated(path).rows
    #expect(rows.map { $0.verdict != nil } == [true, false, false, false])
    #expect(rows.map { $0.spend?.micros } == [100_000_000, nil, 100_000_000, 100_000_000])
    func text(_ words: [String: String]) throws -> [String] {
      try printed(
        EstimateReport.self, words.merging(["environment": "test", "horizon": "30"]) { word, _ in word },
        as: .csv, from: path, now: later
      ).split(whereSeparator: \.isNewline).map(String.init)
    }
    let lines = try text([
      "columns":
        "campaign,installs,left-out,decoded-revenue-30d,estimated-revenue-30d,estimated-roas-30d,flags"
    ])
    #expect(lines.last == "14,0,300,,,,left-out")
    #expect(
      try text(["table": "left-out-versions"]) == [
        "app,version,effective-from,left-out", "1,2,\(change),600",
      ])
  }

  @Test
  func `Days of the new version alone have rows without figures, and a horizon of no version is an error`()
    throws
  {
    let path = try database("changed", hasChange: true)
    let found = try estimated(path) { $0.period.from = change.day }
    #expect(found.rows.count == 2 && found.rows.allSatisfy { $0.sum.installs == 0 && $0.leftOut > 290 })
    #expect(throws: ParameterError.self) { try estimated(path) { $0.days = 90 } }
  }
}
