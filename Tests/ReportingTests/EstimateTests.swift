import Arguments
@testable import Campaigns
@testable import EstimateReports
import Estimates
import JSONText
import Ledger
import MappingFormats
@testable import MappingLibrary
import Mappings
import PostbackFixtures
import Postbacks
@testable import Reports
import Tables
import Testing
import TestSupport
import Values
@_spi(Unsigned) import Verification

final class `Estimates` {
  private let folder: TemporaryFolder
  private let path: String
  private let start = Instant("2026-03-01T00:00:00Z") ?? Instant(seconds: 0)
  private let later = Instant("2026-06-01T00:00:00Z") ?? Instant(seconds: 0)

  init() throws {
    let folder = try TemporaryFolder()
    path = folder.file("skan.db")
    self.folder = folder
  }

  /// Postbacks of campaigns over three weeks; each campaign hides its own share.
  private func fill(
    hidden: [String: Double], networks: [String] = ["net.skadnetwork"], each: Int = 400, late: Int64 = 0,
    change: (String) -> String = { $0 }
  ) throws {
    var random = SplitMix64(seed: 4)
    var receipts: [Receipt] = []
    for (campaign, share) in hidden.sorted(by: { $0.key < $1.key }) {
      for index in 0..<each {
        let value: ConversionValue =
          random.happens(share)
          ? .absent : fine(random.happens(0.7) ? 0 : random.number(below: 8))
        receipts.append(
          valid(
            "\(campaign) \(index)", value: value,
            at: start + late + Int64(random.number(below: 21 * 86_400)) * 1000,
            network: networks[index % networks.count], app: 1, campaign: campaign))
      }
    }
    try store(receipts, in: path)
    let text = change(
      #"""
      {"name":"m","app":1,"currency":"USD","effective-from":"2020-01-01","protocol":"skan4",
       "fine":[{"value":0,"revenue":{"from":0,"to":1,"representative":0}},
         {"value":1,"events":["buy"],"revenue":{"from":1,"to":2}},
         {"value":2,"events":["buy"],"revenue":{"from":2,"to":4}},
         {"value":3,"events":["buy"],"revenue":{"from":4,"to":8}},
         {"value":4,"events":["buy"],"revenue":{"from":8,"to":16}},
         {"value":5,"events":["buy"],"revenue":{"from":16,"to":32}},
         {"value":6,"events":["buy"],"revenue":{"from":32,"to":64}},
         {"value":7,"events":["buy"],"revenue":{"from":64,"to":128}}]}
      """#)
    let mapping = try #require(MappingDocument.read(Array(text.utf8)).document?.mapping)
    try MappingStore(path: path).replaceAll(with: [
      StoredMapping(
        source: "m", app: mapping.app, effectiveFrom: mapping.effectiveFrom, digest: "d",
        loadedAt: start, document: Array(text.utf8))
    ])
  }

  private typealias Answer = (
    rows: [EstimateReport.Row], totals: [EstimateReport.Row], basis: EstimateReport.Basis
  )

  private func estimated(
    now: Instant? = nil, _ change: (inout EstimateReport) -> Void = { _ in }
  ) throws -> Answer {
    var report = EstimateReport()
    report.scope.environment = .test
    change(&report)
    return try report.estimated(from: LedgerReader(path: path), now: now ?? later)
  }

  private func text(_ format: Format, _ words: [String: String] = [:]) throws -> String {
    try printed(
      EstimateReport.self, words.merging(["environment": "test"]) { word, _ in word }, as: format, from: path,
      now: later)
  }

  @Test(arguments: [[], ["net.skadnetwork"]])
  func `Installs by day of all campaigns together are those that estimates have by campaign`(
    networks: [String]
  ) throws {
    try fill(
      hidden: ["11": 0.2, "22": 0.6, "0333": 0.9], networks: ["net.skadnetwork", "other.skadnetwork"])
    var scope = Scope()
    scope.environment = .test
    scope.networks = networks.compactMap { AdNetworkID($0) }
    // Some of the last days are still to come.
    let now = start + 20 * 86_400_000
    let answer = try estimated(now: now) {
      $0.scope = scope
      $0.by = [.campaign, .day]
    }
    let days = try #require(answer.rows.compactMap(\.day).min())..<start.day.next
    let counts = try InstallDayCounts(
      days, scope, from: ReportSource(reader: LedgerReader(path: path), now: now))
    let shown = answer.rows.filter { $0.day.map(days.contains) ?? false }
    let arrived = counts.days.filter { $0.value.installs > 0 }
    #expect(Set(arrived.keys) == Set(shown.compactMap(\.day)) && !shown.isEmpty)
    for (day, counted) in arrived {
      let rows = shown.filter { $0.day == day }
      #expect(abs(rows.reduce(0) { $0 + $1.sum.installs } - counted.installs) < 1e-6 * counted.installs)
      let share = try #require(counted.completeness)
      #expect(rows.allSatisfy { abs(($0.completeness ?? 2) - share) < 1e-9 })
    }
    #expect(answer.rows.contains { $0.completeness.map { $0 < 1 } ?? false })
  }

  @Test(arguments: [("+03:00", 3), ("-09:00", -9), ("Asia/Tokyo", 9)])
  func `Estimates by the clock of a zone are those of postbacks that come as many hours later by UTC`(
    zone: String, hours: Int64
  ) throws {
    let hidden = ["11": 0.2, "22": 0.6]
    try fill(hidden: hidden)
    let other = try `Estimates`()
    try other.fill(hidden: hidden, late: hours * 3_600_000)
    // Some of the last days are still to come.
    let now = start + 20 * 86_400_000
    let local = try estimated(now: now) {
      $0.by = [.campaign, .day]
      $0.zone = ReportingZone(named: zone) ?? .utc
    }.rows
    let shifted = try other.estimated(now: now + hours * 3_600_000) { $0.by = [.campaign, .day] }.rows
    #expect(local.map(\.day) == shifted.map(\.day) && local.count > 30)
    for (one, two) in zip(local, shifted) {
      #expect(abs(one.sum.installs - two.sum.installs) < 1e-9 && one.sum.estimate == two.sum.estimate)
      #expect(one.completeness == two.completeness)
    }
    let utc = try estimated(now: now) { $0.by = [.campaign, .day] }.rows
    #expect(zip(local, utc).contains { abs($0.sum.installs - $1.sum.installs) > 0.5 })
    // A clock that is put forward and back has each install once.
    let berlin = try estimated { $0.zone = ReportingZone(named: "Europe/Berlin") ?? .utc }.rows
    #expect(abs(berlin.reduce(0) { $0 + $1.sum.installs } - 800) < 1e-6)
  }

  @Test func `Estimates are the decoded sums if nothing is withheld`() throws {
    try fill(hidden: ["11": 0, "22": 0])
    for row in try estimated().rows.map(\.sum) {
      #expect(row.nulls == 0)
      #expect(abs(try #require(row.estimate) - row.decoded) < 1e-6)
      #expect(row.imputedShare == 0)
      #expect(row.interval?.contains(row.decoded) == true)
      #expect(abs(row.installs - 400) < 1e-6)
    }
  }

  @Test func `Estimates add up: days to campaigns, campaigns to the whole, ranges to all days`() throws {
    try fill(hidden: ["11": 0.2, "22": 0.6, "33": 0.9])
    let whole = try estimated()
    let byDay = try estimated { $0.by = [.campaign, .day] }
    for row in whole.rows {
      let days = byDay.rows.filter { $0.campaign == row.campaign }
      #expect(days.count > 15)
      let sum = row.sum
      #expect(
        abs(days.reduce(0) { $0 + ($1.sum.estimate ?? 0) } - (sum.estimate ?? 0)) < 1e-6 * sum.installs)
      #expect(abs(days.reduce(0) { $0 + $1.sum.installs } - sum.installs) < 1e-6)
    }
    let total = try #require(whole.totals.first).sum
    #expect(
      abs(whole.rows.reduce(0) { $0 + ($1.sum.estimate ?? 0) } - (total.estimate ?? 0)) < 1e-6
        * total.installs)
    #expect(abs(total.installs - 1200) < 1e-6)
    let middle = Day("2026-03-08")
    let early = try estimated { $0.period.to = middle }.totals.first?.sum.estimate ?? 0
    let late = try estimated { $0.period.from = middle }.totals.first?.sum.estimate ?? 0
    #expect(abs(early + late - (total.estimate ?? 0)) < 1e-6 * total.installs)
    // A day's figures do not depend on the requested days.
    let day = try #require(Day("2026-03-05"))
    let alone = try estimated {
      $0.by = [.campaign, .day]
      $0.period.from = day
      $0.period.to = day.next
    }
    #expect(alone.rows.map(\.sum.estimate) == byDay.rows.filter { $0.day == day }.map(\.sum.estimate))
    #expect(alone.rows.map(\.sum.interval) == byDay.rows.filter { $0.day == day }.map(\.sum.interval))
  }

  @Test func `Estimates of very many campaigns add up, and state how their intervals are checked`() throws {
    let count = EstimatedCrowd.mostDrawnApart + 20
    try fill(
      hidden: Dictionary(
        uniqueKeysWithValues: (0..<count).map {
          (String("\(10_000 + $0)".dropFirst()), Double($0 % 5) / 5)
        }), each: 6)
    let middle = try #require(Day("2026-03-10"))
    func rows(_ change: (inout EstimateReport) -> Void) throws -> [String: EstimatedSum] {
      let answer = try estimated {
        $0.digits = 4
        change(&$0)
      }
      #expect(answer.basis.sampledCampaigns == count)
      #expect(answer.basis.notes(on: answer.rows).contains { $0.english.contains("520 campaigns") })
      return Dictionary(
        uniqueKeysWithValues: answer.rows.map { row in
          ("\(row.campaign?.campaign ?? "") \(row.day?.number ?? 0)", row.sum)
        })
    }
    let whole = try rows { _ in }
    let early = try rows { $0.period.to = middle }
    let late = try rows { $0.period.from = middle }
    let byDay = try rows { $0.by = [.campaign, .day] }
    #expect(whole.count == count)
    for (name, sum) in whole {
      let days = byDay.filter { $0.key.hasPrefix(name.dropLast(1)) }.map(\.value)
      for parts in [[early[name], late[name]].compactMap(\.self), days] {
        #expect(abs(parts.reduce(0) { $0 + $1.installs } - sum.installs) < 1e-6)
        #expect(abs(parts.reduce(0) { $0 + ($1.decoded) } - sum.decoded) < 1e-6)
        #expect(abs(parts.reduce(0) { $0 + $1.worstCase.low } - sum.worstCase.low) < 1e-6)
      }
      guard let estimate = sum.estimate else { continue }
      let parts = [early[name], late[name]].compactMap { $0?.estimate }.reduce(0, +)
      #expect(abs(parts - estimate) < 1e-6 * max(1, estimate))
    }
    let total = try #require(try estimated { $0.digits = 4 }.totals.first).sum
    #expect(try #require(total.interval).contains(try #require(total.estimate)))
    #expect(abs(total.installs - Double(count * 6)) < 1e-6)
    // Fewer campaigns need no sample.
    let few = try estimated()
    #expect(few.basis.sampledCampaigns == nil && few.rows.count == 100)
  }

  @Test(arguments: Estimator.all)
  func `Estimates are within their own intervals, by day and together`(estimator: Estimator) throws {
    try fill(hidden: ["11": 0.2, "22": 0.6, "33": 0.95])
    for by in [[.campaign], [.campaign, .day], [.network, .week], [.month]] as [[EstimateDimension]] {
      let answer = try estimated {
        $0.estimator = estimator
        $0.by = by
      }
      let sums = (answer.rows + answer.totals).map(\.sum)
      let both = sums.filter { $0.estimate != nil && $0.interval != nil }
      #expect(!both.isEmpty)
      for row in both {
        let (estimate, interval) = (try #require(row.estimate), try #require(row.interval))
        #expect(interval.low <= estimate && estimate <= interval.high)
      }
    }
  }

  @Test func `Estimates of the current bin count the days that are over`() throws {
    try fill(hidden: ["11": 0.5])
    // Postbacks of version 4 come evenly over 72 to 96 hours after an install that is evenly in its day, so a day of
    // install is complete to h²/(2·24²) when h hours of its arrivals are over, up to half of it.
    func completeness(at hour: Double) throws -> Double {
      let now = start + Int64((20 * 24 + hour) * 3_600_000)
      let answer = try estimated(now: now) { $0.by = [.campaign, .day] }
      let day = Day(number: start.day.number + 17)
      return try #require(answer.rows.first { $0.day == day }?.completeness)
    }
    // All hours of the last day have arrivals, so those after the clock would be of the future.
    let clock = [24.0, 24.75, 25.5, 26.25, 27]
    let shares = try clock.map(completeness)
    for (share, next) in zip(shares, shares.dropFirst()) { #expect(share < next) }
    #expect(abs(shares[4] - shares[0] - 2 * (shares[2] - shares[0])) < 1e-9)
  }

  @Test func `Estimates give a campaign that shows nothing an interval and no bare number`() throws {
    try fill(hidden: ["11": 0.1, "22": 1])
    let last = try #require(try estimated().rows.last)
    #expect(last.campaign?.campaign == "22")
    let row = last.sum
    #expect(row.estimate == nil)
    #expect(row.flags.contains(.nothingRevealed))
    let interval = try #require(row.interval)
    #expect(interval.low < interval.high)
    #expect(row.imputedShare == 1)
    let table = try text(.table)
    #expect(table.contains("nothing-revealed") && table.contains("all withheld"))
  }

  @Test
  func
    `Estimates of campaigns that show nothing are in not-divided, so that rows and it add up to the total`()
    throws
  {
    try fill(hidden: ["11": 0.1, "22": 1, "33": 1])
    for query in [[:], ["event": "buy"]] {
      let what = query.isEmpty ? "revenue" : "users"
      func sums(_ table: String) throws -> (installs: Double, estimate: Double) {
        let lines = try text(.csv, query.merging(["table": table]) { $1 }).split(separator: "\r\n").map {
          $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let (installs, estimate) = (
          try #require(lines.first?.firstIndex(of: "conversions")),
          try #require(lines.first?.firstIndex(of: "estimated-\(what)-48h"))
        )
        return lines.dropFirst().reduce((0, 0)) {
          ($0.0 + (Double($1[installs]) ?? 0), $0.1 + (Double($1[estimate]) ?? 0))
        }
      }
      let (rows, rest, total) = (try sums("rows"), try sums("not-divided"), try sums("totals"))
      #expect(rest.estimate > 0 && abs(rows.estimate + rest.estimate - total.estimate) < 1e-4)
      #expect(rest.installs > 0 && rest.installs < rows.installs)
    }
    #expect(try text(.table).contains("not-divided"))
    // Of the app as a whole something is shown, so that nothing is left.
    #expect(try estimated { $0.by = [.app] }.basis.notDivided.isEmpty)
  }

  @Test func `Estimates state where what own users paid adds up to more than the largest amount`() throws {
    try fill(hidden: ["11": 0.1])
    let mapping = try #require(try MappingCatalog(from: LedgerReader(path: path)).stored.first)
    func learn(_ micros: Int64) throws {
      try ReferenceStore(path: path).replaceWorth(
        of: mapping.app, effectiveFrom: mapping.effectiveFrom,
        with: [
          ValueWorthRow(
            app: mapping.app, effectiveFrom: mapping.effectiveFrom, currency: "USD", value: 7,
            each: [Int64](repeating: micros, count: 400))
        ])
    }
    try learn(9_000_000_000_000_000)
    #expect(!(try text(.json)).contains("more than the largest amount"))
    try learn(90_000_000_000_000_000)
    #expect(try text(.json).contains("adds up to more than the largest amount, which counts in its place"))
  }

  @Test func `Estimates have no figure without evidence`() throws {
    try fill(hidden: ["22": 1])
    let row = try #require(try estimated().rows.first).sum
    #expect(row.estimate == nil)
    #expect(row.interval == nil)
    #expect(row.flags.contains(.noEvidence))
  }

  @Test func `Estimates treat zeroes of a network as nulls if the network reports nulls as zeroes`() throws {
    try fill(hidden: ["11": 0.1], networks: ["zero.skadnetwork"])
    let (zero, stranger) = (
      try #require(AdNetworkID("zero.skadnetwork")), try #require(AdNetworkID("other.skadnetwork"))
    )
    let plain = try #require(try estimated().rows.first).sum
    let marked = try #require(try estimated { $0.nullIsZero = [zero] }.rows.first).sum
    #expect(marked.nulls > plain.nulls + 200)
    #expect((marked.estimate ?? 0) > 2 * (plain.estimate ?? 0))
    let other = try #require(try estimated { $0.nullIsZero = [stranger] }.rows.first).sum
    #expect(other.estimate == plain.estimate)
  }

  @Test func `Estimates count users of an event`() throws {
    try fill(hidden: ["11": 0.5, "22": 0.1])
    let rows = try estimated { $0.event = "buy" }.rows
    #expect(rows.allSatisfy { $0.currency == nil })
    for row in rows.map(\.sum) {
      // Some 26 in a hundred buy.
      #expect((60.0...160.0).contains(try #require(row.estimate)))
      #expect(row.interval?.contains(try #require(row.estimate)) == true)
    }
    // The mappings of the same state of the database know it or not; its estimate would be a sure nothing.
    #expect(throws: ParameterError.unknownEvent("nobody", of: "event", known: ["buy"])) {
      try estimated { $0.event = "nobody" }
    }
    let table = try text(.table, ["event": "buy"])
    #expect(table.contains("estimated users (48h)") && table.contains("users of buy within 48 hours"))
  }

  @Test func `Estimates are the same for the same seed, and differ for another`() throws {
    try fill(hidden: ["11": 0.5, "22": 0.3])
    let one = try text(.csv)
    #expect(try text(.csv) == one)
    #expect(try text(.csv, ["seed": "2"]) != one)
  }

  @Test func `Estimates are printed in every format`() throws {
    try fill(hidden: ["11": 0.2, "22": 1])
    for format in Format.allCases {
      try expectGolden(try text(format), "estimates.\(format.rawValue)")
    }
    #expect(
      try text(.csv, ["by": "day"]).contains(
        ",install-date,completeness,network-name,name,name-candidates,currency,"))
    for name in EstimateReport.details.map(\.name) {
      try expectGolden(try text(.csv, ["table": name]), "estimates-\(name).csv")
    }
  }

  @Test func `Estimates list nulls with intervals, and with the threshold and cell that the data show`()
    throws
  {
    try fill(hidden: ["11": 0.2, "22": 0.6, "33": 1])
    var query = NullReport()
    query.scope.environment = .test
    let reader = try LedgerReader(path: path)
    let (rows, evidence) = try query.counted(from: reader, now: later)
    #expect(rows.map(\.postbacks) == [400, 400, 400])
    for (row, share) in zip(rows, [0.2, 0.6, 1]) {
      let withheld = Double(row.nulls) / Double(row.postbacks)
      #expect(row.interval.contains(withheld))
      #expect(row.interval.contains(share) || abs(withheld - share) < 0.06)
      #expect(row.changes.isEmpty)
    }
    #expect(evidence.fewestUsers == 1)
    #expect(rows[2].drift == nil)
    query.breakdown = .day
    let days = try query.counted(from: reader, now: later).rows
    #expect(days.reduce(0) { $0 + $1.nulls } == rows.reduce(0) { $0 + $1.nulls })
    for format in Format.allCases {
      try expectGolden(
        printed(NullReport.self, ["environment": "test"], as: format, from: path), "nulls.\(format.rawValue)")
    }
    #expect(
      try printed(NullReport.self, ["environment": "test", "by": "day"], as: .csv, from: path)
        .hasPrefix(
          "app,network,campaign,campaign-kind,name,name-candidates,day,postbacks,nulls,null-share,null-share-low"
        ))
  }

  @Test func `Estimates name their horizon in every column, and keep it when own users are imported`() throws
  {
    try fill(hidden: ["11": 0.3])
    let mapping = try #require(try MappingCatalog(from: LedgerReader(path: path)).stored.first)
    let before = try #require(try text(.csv).split(whereSeparator: \.isNewline).first)
    #expect(before.contains(",decoded-revenue-48h,estimated-revenue-48h,estimated-revenue-48h-low,"))
    #expect(before.contains(",estimated-revenue-per-conversion-48h,"))
    try ReferenceStore(path: path).replaceWorth(
      of: mapping.app, effectiveFrom: mapping.effectiveFrom,
      with: (0...7).map {
        ValueWorthRow(
          app: mapping.app, effectiveFrom: mapping.effectiveFrom, currency: "USD", value: $0,
          each: [Int64](repeating: 3_000_000 << Int64($0), count: 400))
      })
    #expect(try text(.csv).split(whereSeparator: \.isNewline).first == before)
    #expect(try estimated().basis.horizons == [.hours(48)])
    #expect(try text(.table).contains("revenue within 48 hours of the install, which window 1 shows"))
  }

  @Test func `Estimates of another horizon come from own users, and from nothing else`() throws {
    try fill(hidden: ["11": 0.3, "22": 0])
    let mapping = try #require(try MappingCatalog(from: LedgerReader(path: path)).stored.first)
    let store = try ReferenceStore(path: path)
    func learn(_ horizons: [WorthHorizon], values: ClosedRange<Int>) throws {
      var rows: [ValueWorthRow] = []
      for horizon in horizons {
        for value in values {
          let each = (0..<400).map { user in Int64((user % 3 + 1) * 1_000_000 * (value + 1)) }
          rows.append(
            ValueWorthRow(
              app: mapping.app, effectiveFrom: mapping.effectiveFrom, horizon: horizon, currency: "USD",
              value: value, each: each))
        }
      }
      try store.replaceWorth(of: mapping.app, effectiveFrom: mapping.effectiveFrom, with: rows)
    }
    try learn([.firstWindow, .days(30)], values: 0...7)
    let error = #expect(throws: ParameterError.self) { try estimated { $0.days = 7 } }
    #expect(error?.name == "horizon")
    #expect(error?.detail.english.contains("(known: 30). Import users by this horizon") == true)
    let answer = try estimated { $0.days = 30 }
    #expect(answer.rows.allSatisfy { $0.horizon == .days(30) && $0.sum.ownUsers == 3200 })
    // Each value v is worth 2 (v + 1) on average by own users, so a fully shown campaign can be recounted.
    let shown = try LedgerReader(path: path).campaigns(
      CampaignQuery(environment: .test, dimensions: [.campaign])
    ).first { $0.campaign?.text == "22" }
    let fine = try #require(shown).counts.fine
    let sum = (0...63).reduce(0.0) { $0 + Double(fine[$1]) * 2 * Double($1 + 1) }
    let row = try #require(answer.rows.last)
    #expect(abs(row.sum.decoded - sum) < 0.01 * sum)
    let interval = try #require(row.sum.interval)
    #expect(interval.low < sum && sum < interval.high)
    #expect(row.differences == [.horizon, .ownUsers])
    #expect(try text(.csv, ["horizon": "30"]).contains("estimated-revenue-30d-low"))
    // A value that no own user has counts as users of those beside it, not as the mapping's 48 hours.
    try learn([.firstWindow, .days(30)], values: 0...6)
    let partly = try #require(try estimated { $0.days = 30 }.rows.last).sum
    #expect(partly.decoded > 0.8 * sum)
    #expect(throws: ParameterError.self) {
      try text(.csv, ["horizon": "30", "event": "buy"])
    }
  }

  @Test func `Estimates state why a row is unlike the row of the report on campaigns`() throws {
    try fill(hidden: ["4411": 0, "22": 0.5])
    let rows = try estimated().rows
    #expect(rows.map { $0.campaign?.campaign } == ["11", "22"])
    #expect(rows.map(\.differences) == [[.digits], []])
    // Where there is no reason, the decoded revenue is that of the report on campaigns.
    let lines = try text(.csv).split(whereSeparator: \.isNewline).map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let campaigns = try printed(
      CampaignReport.self, ["environment": "test"], as: .csv, from: path, now: later
    )
    .split(whereSeparator: \.isNewline).map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let decoded = try #require(lines[0].firstIndex(of: "decoded-revenue-48h"))
    let mid = try #require(campaigns[0].firstIndex(of: "revenue-mid-USD"))
    #expect(lines[2][decoded] == campaigns[1][mid])
    #expect(
      try estimated { $0.by = [.campaign, .day] }.rows.allSatisfy { $0.differences.contains(.installDates) })
    #expect(try estimated { $0.digits = 4 }.rows.allSatisfy { $0.differences.isEmpty })
  }

  @Test func `Estimates are compared with spend of their campaign and install date, in one currency`() throws
  {
    try fill(hidden: ["11": 0.2, "22": 0.5])
    let (first, second) = (try #require(Day("2026-03-04")), try #require(Day("2026-03-05")))
    func paid(_ day: Day, _ campaign: String, _ currency: String, _ units: Int64) -> SpendRow {
      SpendRow(
        day: day, network: "net.skadnetwork", campaign: campaign, app: 1, currency: currency,
        micros: units * 1_000_000, environment: .test)
    }
    let store = try ReferenceStore(path: path)
    try store.put(
      [
        paid(first, "11", "USD", 100), paid(second, "11", "USD", 50), paid(first, "4422", "EUR", 30),
        paid(first, "99", "USD", 7),
      ])
    let plain = try estimated()
    #expect(plain.rows.map(\.spend) == [Amount(micros: 150_000_000), nil])
    #expect(plain.basis.spend.unmatched == [try #require(CurrencyCode("USD")): Amount(micros: 7_000_000)])
    let table = try text(.table)
    #expect(table.contains("unmatched-spend belongs to no row") && table.contains("estimated ROAS (48h)"))
    // By install date, a day's spend meets the day's users.
    let days = try estimated { $0.by = [.campaign, .day] }.rows.filter { $0.spend != nil }
    #expect(days.map(\.day) == [first, second])
    #expect(days.map(\.spend) == [Amount(micros: 100_000_000), Amount(micros: 50_000_000)])
    // The campaign's return is of these days alone.
    let revenue = try days.reduce(0) { $0 + (try #require($1.sum.estimate)) }
    #expect(abs(try #require(plain.rows[0].compared?.value) - revenue / 150) < 1e-9)
    // One currency for all: EUR counts 1.2 USD, so that both rows and the total can be compared.
    try store.put([RateRow(day: Day(number: 0), currency: "EUR", quote: "USD", picos: 1_200_000_000_000)])
    let dollars = try estimated { $0.currency = CurrencyCode("USD") }
    #expect(dollars.rows.map(\.spend) == [Amount(micros: 150_000_000), Amount(micros: 36_000_000)])
    #expect(dollars.totals.map(\.spend) == [Amount(micros: 193_000_000)])
    #expect(dollars.totals.map(\.compared?.spend) == [Amount(micros: 186_000_000)])
    #expect(dollars.totals.map(\.uncomparedSpend) == [Amount(micros: 7_000_000)])
    // Estimates are converted as well: in EUR all are 1.2 times smaller.
    let euros = try estimated { $0.currency = CurrencyCode("EUR") }
    for (a, b) in zip(dollars.rows, euros.rows) {
      #expect(b.currency == CurrencyCode("EUR"))
      let (inDollars, inEuros) = (try #require(a.sum.estimate), try #require(b.sum.estimate))
      #expect(abs(inDollars - 1.2 * inEuros) < 1e-3)
      let (high, highInEuros) = (try #require(a.sum.interval).high, try #require(b.sum.interval).high)
      #expect(abs(high - 1.2 * highInEuros) < 1e-2)
    }
  }

  @Test func `A return is not surely below its target while postbacks of days with spend are still to come`()
    throws
  {
    try fill(hidden: ["11": 0.2])
    let day = try #require(Day("2026-03-18"))
    try ReferenceStore(path: path).put([
      SpendRow(
        day: day, network: "net.skadnetwork", campaign: "11", app: 1, currency: "USD",
        micros: 9_000_000_000_000,
        environment: .test)
    ])
    #expect(try estimated().rows.map(\.verdict) == [.no])
    // Half of the day's postbacks have not come yet, so that the return can only rise.
    let soon = try #require(Day("2026-03-22")).start
    let early = try estimated(now: soon)
    #expect(early.rows.map(\.verdict) == [.undecided])
    let small = try estimated(now: soon) {
      $0.target = ReturnTarget(parameter: "0.000001") ?? .one
    }
    #expect(small.rows.map(\.verdict) == [.yes])
  }

  @Test
  func
    `A return of several campaigns is of those with spend, and names what it leaves out`()
    throws
  {
    try fill(hidden: ["11": 0.2, "22": 0.5])
    let store = try ReferenceStore(path: path)
    let (first, end) = (try #require(Day("2026-03-02")), try #require(Day("2026-03-16")))
    let days = (first.number..<end.number).map { Day(number: $0) }
    func estimates(by: [EstimateDimension] = [.campaign]) throws -> Answer {
      try estimated {
        $0.by = by
        ($0.period.from, $0.period.to) = (first, end)
      }
    }
    func paid(_ campaign: String, app: Int64 = 1) -> [SpendRow] {
      days.map {
        SpendRow(
          day: $0, network: "net.skadnetwork", campaign: campaign,
          app: app, currency: "USD", micros: 100_000_000, environment: .test)
      }
    }
    // What the network got for another app is of none of these campaigns.
    try store.put(paid("11") + paid("99", app: 2))
    func revenue(_ campaigns: [String], _ rows: [EstimateReport.Row]) -> Double {
      rows.filter { row in row.campaign.map { campaigns.contains($0.campaign) } ?? false }
        .reduce(0) { $0 + ($1.sum.estimate ?? 0) }
    }
    let one = try estimates()
    #expect(one.rows.map(\.isOneSided) == [false, false])
    #expect(one.totals.map { $0.flags.contains(.oneSided) } == [true])
    #expect(one.basis.notes(on: one.rows).contains { $0.english.hasPrefix("one-sided: ") })
    let units = 100 * Double(days.count)
    #expect(abs(try #require(one.totals[0].compared?.value) - revenue(["11"], one.rows) / units) < 1e-6)
    let networks = try estimates(by: [.network])
    #expect(networks.rows.map { $0.flags.contains(.oneSided) } == [true])
    #expect(networks.rows[0].compared?.value == one.totals[0].compared?.value)
    // No row states of which campaign it is.
    try store.put(paid("a name without an import"))
    let open = try estimates(by: [.network])
    #expect(open.rows[0].compared?.value == networks.rows[0].compared?.value)
    #expect(open.rows[0].uncomparedSpend == Amount(micros: Int64(units) * 1_000_000))
    try store.put(paid("22"))
    let both = try estimates()
    #expect(both.rows.map(\.isOneSided) == [false, false])
    let whole = revenue(["11", "22"], both.rows) / (2 * units)
    #expect(abs(try #require(both.totals[0].compared?.value) - whole) < 1e-6)
  }

  @Test func `Days on which a campaign cost nothing are no days with spend`() throws {
    try fill(hidden: ["11": 0.2])
    let day = try #require(Day("2026-03-04"))
    func paid(_ day: Day, _ micros: Int64) -> SpendRow {
      SpendRow(
        day: day, network: "net.skadnetwork", campaign: "11", app: 1, currency: "USD", micros: micros,
        environment: .test)
    }
    let store = try ReferenceStore(path: path)
    try store.put([paid(day, 9_000_000_000_000)])
    let before = try estimated()
    #expect(before.rows.map(\.verdict) == [.no])
    try store.put((1...20).map { paid(Day(number: day.number + $0), 0) })
    let after = try estimated()
    #expect(after.rows.map(\.verdict) == [.no])
    #expect(after.rows.map(\.compared?.days) == before.rows.map(\.compared?.days))
  }

  @Test func `An undecided return has about how many days it takes`() throws {
    try fill(hidden: ["11": 0.2])
    let mapping = try #require(try MappingCatalog(from: LedgerReader(path: path)).stored.first)
    try ReferenceStore(path: path).replaceWorth(
      of: mapping.app, effectiveFrom: mapping.effectiveFrom,
      with: (0...7).map { value in
        ValueWorthRow(
          app: mapping.app, effectiveFrom: mapping.effectiveFrom, currency: "USD", value: value,
          each: (0..<4_000).map { Int64($0 % 3 + 1) * 1_000_000 << Int64(value) })
      })
    let days = try (4...17).map { try #require(Day("2026-03-\($0 < 10 ? "0" : "")\($0)")) }
    try ReferenceStore(path: path).put(
      days.map {
        SpendRow(
          day: $0, network: "net.skadnetwork", campaign: "11", app: 1, currency: "USD", micros: 10_000_000,
          environment: .test)
      })
    let row = try #require(try estimated().rows.first?.compared)
    let interval = try #require(row.sum.interval)
    // A return a little above the estimate's: two weeks are not enough.
    let estimate = try #require(row.sum.estimate)
    let near = (estimate + 0.6 * (interval.high - estimate)) / 140
    let target = try #require(ReturnTarget(parameter: fixed(near, 4)))
    let open = try #require(try estimated { $0.target = target }.rows.first)
    #expect(open.verdict == .undecided)
    let more = try #require(open.daysToDecide)
    #expect((10...60).contains(more))
    // At the estimate itself no number of days is enough.
    let middle = try #require(ReturnTarget(parameter: fixed(estimate / 140, 4)))
    let never = try #require(try estimated { $0.target = middle }.rows.first)
    #expect(never.verdict == .undecided && never.daysToDecide == nil)
    // What is decided has no days.
    let low = try #require(ReturnTarget(parameter: "0.0001"))
    let sure = try #require(try estimated { $0.target = low }.rows.first)
    #expect(sure.verdict == .yes && sure.daysToDecide == nil)
    let text = try text(.csv, ["target": target.parameterText])
    #expect(text.contains("days-to-decide") && text.contains("undecided,\(more)"))
  }

  @Test func `A return below its target waits for postbacks that are still to come`() throws {
    try fill(hidden: ["11": 0.2])
    let day = try #require(Day("2026-03-18"))
    try ReferenceStore(path: path).put([
      SpendRow(
        day: day, network: "net.skadnetwork", campaign: "11", app: 1, currency: "USD",
        micros: 9_000_000_000_000, environment: .test)
    ])
    let soon = try #require(Day("2026-03-22"))
    let early = try #require(try estimated(now: soon.start).rows.first)
    #expect(early.verdict == .undecided && early.daysToDecide == 1)
  }

  @Test func `The total is judged by the target that is asked for`() throws {
    try fill(hidden: ["11": 0.2])
    let day = try #require(Day("2026-03-04"))
    try ReferenceStore(path: path).put([
      SpendRow(
        day: day, network: "net.skadnetwork", campaign: "11", app: 1, currency: "USD", micros: 100_000_000,
        environment: .test)
    ])
    let high = try estimated { $0.target = ReturnTarget(parameter: "1000") ?? .one }
    #expect(high.rows.map(\.verdict) == [.no] && high.totals.map(\.verdict) == [.no])
    let text = try text(.table, ["verdict": "yes", "target": "1000"])
    #expect(text.contains("1 of 1 row") && !text.contains("no winning postbacks"))
  }

  @Test func `Estimates have no upper end that the mapping does not give`() throws {
    try fill(
      hidden: ["11": 0], change: { $0.replacing(#"{"from":64,"to":128}"#, with: #"{"from":64}"#) })
    let row = try #require(try estimated().rows.first).sum
    #expect(row.flags == [.amountsFromMapping, .openEnded])
    #expect(row.worstCase.high == .infinity)
    let header = try #require(try text(.csv).split(whereSeparator: \.isNewline).first).split(separator: ",")
    let place = try #require(header.firstIndex(of: "worst-case-of-revenue-48h-high"))
    let cells = try text(.csv).split(whereSeparator: \.isNewline)[1].split(
      separator: ",", omittingEmptySubsequences: false)
    #expect(cells[place] == "")
  }

  @Test func `Estimates use what own users paid if it is known`() throws {
    try fill(hidden: ["11": 0.3])
    let mapping = try #require(try MappingCatalog(from: LedgerReader(path: path)).stored.first)
    try ReferenceStore(path: path).replaceWorth(
      of: mapping.app, effectiveFrom: mapping.effectiveFrom,
      with: [
        ValueWorthRow(
          app: mapping.app, effectiveFrom: mapping.effectiveFrom, currency: "USD", value: 7, users: 100,
          micros: 7_000_000_000, squares: 500_000, cubes: 36_500_000, largest: 120_000_000,
          amounts: [120_000_000])
      ])
    let answer = try estimated()
    #expect(answer.basis.ownUsers == 100)
    #expect(answer.rows[0].sum.ownUsers == 100)
    #expect(!answer.rows[0].sum.flags.contains(.amountsFromMapping))
    #expect(!(try text(.table).contains("amounts are the mapping's own")))
  }

  @Test func `Installs of a later mapping version without own users are named`()
    throws
  {
    try fill(hidden: ["11": 0.3])
    let first = try #require(try MappingCatalog(from: LedgerReader(path: path)).stored.first)
    let text = String(decoding: first.document, as: UTF8.self).replacing("2020-01-01", with: "2026-03-10")
    let change = try #require(Instant("2026-03-10T00:00:00Z"))
    try MappingStore(path: path).replaceAll(with: [
      first,
      StoredMapping(
        source: "n", app: first.app, effectiveFrom: change, digest: "e", loadedAt: start,
        document: Array(text.utf8)),
    ])
    try ReferenceStore(path: path).replaceWorth(
      of: first.app, effectiveFrom: first.effectiveFrom,
      with: [
        ValueWorthRow(
          app: first.app, effectiveFrom: first.effectiveFrom, currency: "USD", value: 7,
          each: [Int64](repeating: 70_000_000, count: 50))
      ])
    let rows = try estimated().rows
    let stated = rows.reduce(0) { $0 + $1.sum.statedInstalls }
    let all = rows.reduce(0) { $0 + $1.sum.installs }
    #expect(0.3 * all < stated && stated < 0.9 * all)
    #expect(
      try self.text(.table).contains(
        "installs are under mapping versions of which no own users are known: they"))
  }
}
