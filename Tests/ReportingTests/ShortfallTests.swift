@testable import Campaigns
import Estimates
import Ledger
import Mappings
import Numerics
import PostbackFixtures
import Postbacks
@testable import EstimateReports
import Tables
import Testing
import TestSupport
import Values
@_spi(Unsigned) import Verification

final class `Where later postbacks are` {
  private let folder: TemporaryFolder
  private let path: String
  /// A Monday.
  private let monday = Day("2026-03-02") ?? Day(number: 0)
  private let app = known(AppID(1))

  init() throws {
    let folder = try TemporaryFolder()
    path = folder.file("skan.db")
    self.folder = folder
  }

  /// Installs of eight weeks of two networks with two campaigns each.
  ///
  /// A fifth has no value; others update window 2 with 30 or 80 %, and window 3 with 10 or 50 %, by their value. The second
  /// network loses part of both.
  ///
  /// - Returns: What each network lost in each window, by install week.
  @discardableResult
  private func fill(
    losing: Double, sinceWeek week: Int = 0, ownUsers: Int64 = 3_000, each: Int = 3_000,
    networks: [String] = ["a.skadnetwork", "b.skadnetwork"], hasRules: Bool = true
  ) throws -> [String: [ConversionWindow: Int]] {
    var random = SplitMix64(seed: 21)
    var receipts: [Receipt] = []
    var lost: [String: [ConversionWindow: Int]] = ["a.skadnetwork": [:], "b.skadnetwork": [:]]
    let shares: [ConversionWindow: [Double]] = [.second: [0.3, 0.8], .third: [0.1, 0.5]]
    for network in networks {
      for number in 0..<each {
        let campaign = number % 2 == 0 ? "11" : "22"
        let day = random.number(below: 56)
        let installed =
          Day(number: monday.number + Int32(day)).start + Int64(random.number(below: 86_400_000))
        func add(_ window: ConversionWindow, _ value: ConversionValue) {
          let departure = AppleTimers.departure(version: .v4_0, window: window)
          let delay =
            window.seconds.upperBound + departure.lowerBound
            + Int64(random.number(below: Int(departure.upperBound - departure.lowerBound)))
          receipts.append(
            valid(
              "\(network) \(number) \(window)", value: value, at: installed + delay * 1000, network: network,
              app: 1,
              campaign: campaign, window: window))
        }
        if random.happens(0.05) {
          receipts.append(
            valid(
              "\(network) \(number) assist", value: .absent, at: installed + 300_000_000, network: network,
              app: 1,
              campaign: campaign, outcome: .assist))
        }
        let isHidden = random.happens(0.2)
        let code = random.happens(0.3) ? 1 : 0
        add(.first, isHidden ? .absent : fine(code))
        guard !isHidden else { continue }
        for window in ConversionWindow.later where random.happens(shares[window]?[code] ?? 0) {
          if network == "b.skadnetwork", day / 7 >= week, random.happens(losing) {
            lost[network]?[window, default: 0] += 1
          } else {
            add(window, .coarse(.low))
          }
        }
      }
    }
    _ = try LedgerWriter(path: path).commit(receipts)
    let text =
      #"{"name":"m","app":1,"currency":"USD","effective-from":"2020-01-01","protocol":"skan4","#
      + (hasRules
        ? #""coarse":[{"window":2,"low":{"events":["open"]}},{"window":3,"low":{"events":["open"]}}],"# : "")
      + #""fine":[{"value":1,"events":["buy"],"revenue":{"from":2,"to":4}}]}"#
    let mapping = try #require(MappingDocument.read(Array(text.utf8)).document?.mapping)
    try MappingStore(path: path).replaceAll(with: [
      StoredMapping(
        source: "m", app: app, effectiveFrom: mapping.effectiveFrom, digest: "d", loadedAt: monday.start,
        document: Array(text.utf8))
    ])
    guard ownUsers > 0 else { return lost }
    try ReferenceStore(path: path).replaceWorth(
      of: app, effectiveFrom: mapping.effectiveFrom, with: [],
      windowUpdates: shares.flatMap { window, shares in
        shares.enumerated().map { value, share in
          WindowUpdateRow(
            app: app, effectiveFrom: mapping.effectiveFrom, window: window, value: value, users: ownUsers,
            updated: Int64((Double(ownUsers) * share).rounded()))
        }
      })
    return lost
  }

  private func report(
    _ by: ShortfallBreakdown, on day: Int32 = 120, _ change: (inout ShortfallReport) -> Void = { _ in }
  ) throws -> [ShortfallReport.Row] {
    var report = ShortfallReport()
    report.breakdown = by
    report.scope.environment = .test
    change(&report)
    return report.rows(
      of: try LaterWindows(
        LedgerReader(path: path), report.scope, byCampaign: by != .network,
        now: Day(number: monday.number + day).start))
  }

  @Test func `Each install is in one part, and what a network loses is found with an interval`() throws {
    let lost = try fill(losing: 0.3)
    for by in ShortfallBreakdown.allCases {
      for row in try report(by) {
        let s = row.shortfall
        #expect(abs(s.belowThreshold + s.noUpdate + s.due + s.seen + s.lost - s.installs) < 1e-6)
      }
    }
    let rows = try report(.network)
    #expect(rows.count == 4)
    for row in rows {
      let truth = Double(lost[row.place.network]?[row.window] ?? 0)
      let interval = row.shortfall.lostInterval(dispersion: row.dispersion)
      #expect(interval.contains(truth), "\(row.place.network) \(row.window): \(truth) in \(interval)")
      #expect((interval.low > 0) == (row.place.network == "b.skadnetwork"))
      #expect(row.bases == ["own-users"] && !row.isPartly && row.shortfall.due < 1e-6)
      #expect(row.assists > 100)
    }
    // 20 % have no value.
    #expect(rows.allSatisfy { abs($0.shortfall.belowThreshold / $0.shortfall.installs - 0.2) < 0.03 })
  }

  @Test func `What arrived counts once, also where its first postbacks are missing`() throws {
    try fill(losing: 0)
    // Two postbacks of window 2 of a campaign that never had a first one, and of a time long before any.
    let early = Day(number: monday.number - 60).start
    _ = try LedgerWriter(path: path).commit([
      valid(
        "lone", value: .coarse(.low), at: early, network: "a.skadnetwork", app: 1, campaign: "77",
        window: .second),
      valid(
        "early", value: .coarse(.low), at: early, network: "a.skadnetwork", app: 1, campaign: "11",
        window: .second),
    ])
    let counted = try LedgerReader(path: path).campaigns(
      CampaignQuery(environment: .test, dimensions: [.network, .window]))
    for by in ShortfallBreakdown.allCases {
      let rows = try report(by)
      for window in ConversionWindow.later {
        for network in ["a.skadnetwork", "b.skadnetwork"] {
          let seen = rows.filter { $0.window == window && $0.place.network == network }.reduce(0) {
            $0 + $1.shortfall.seen
          }
          let all = counted.filter { $0.window == window && $0.network == network }.reduce(0) {
            $0 + $1.counts.winners
          }
          #expect(abs(seen - Double(all)) < 1e-6, "\(by) \(window) \(network): \(seen) of \(all)")
        }
      }
    }
  }

  @Test func `What is still to arrive is due and not lost`() throws {
    try fill(losing: 0)
    // Two weeks before the last postbacks of window 3 can arrive.
    for row in try report(.network, on: 56 + 26) {
      let interval = row.shortfall.lostInterval(dispersion: row.dispersion)
      #expect(interval.contains(0), "\(row.place.network) \(row.window): \(interval)")
      #expect((row.shortfall.due > 100) == (row.window == .third))
    }
  }

  @Test func `Without own users, networks are compared with each other`() throws {
    let lost = try fill(losing: 0.3, ownUsers: 0)
    let rows = try report(.network)
    #expect(rows.allSatisfy { $0.bases == ["other-networks"] })
    for row in rows where row.place.network == "b.skadnetwork" {
      let interval = row.shortfall.lostInterval(dispersion: row.dispersion)
      let truth = Double(lost["b.skadnetwork"]?[row.window] ?? 0)
      #expect(interval.low > 0 && interval.contains(truth), "\(row.window): \(truth) in \(interval)")
    }
    // A choice of networks leaves the others to compare with.
    let chosen = try report(.network) { $0.scope.networks = [known(AdNetworkID("b.skadnetwork"))] }
    #expect(
      chosen.map(\.shortfall.lost)
        == rows.filter { $0.place.network == "b.skadnetwork" }.map(\.shortfall.lost))
  }

  @Test func `A mapping without rules for a window lets no install update it`() throws {
    try fill(losing: 0, ownUsers: 0, hasRules: false)
    for row in try report(.campaign) {
      let s = row.shortfall
      #expect(row.bases == ["mapping"] && s.expected == 0 && s.due == 0 && s.lost == -s.seen)
      #expect(abs(s.noUpdate - (s.installs - s.belowThreshold)) < 1e-6)
      #expect(s.noUpdateInterval(dispersion: row.dispersion).high <= s.installs - s.belowThreshold + 1e-6)
    }
  }

  @Test func `Without own users and another network there is no figure`() throws {
    try fill(losing: 0.3, ownUsers: 0, networks: ["a.skadnetwork"])
    let alone = try report(.network)
    #expect(!alone.isEmpty && alone.allSatisfy { $0.isPartly && $0.known == nil && $0.bases.isEmpty })
    let text = try printed(
      ShortfallReport.self, ["environment": "test", "network": "a.skadnetwork"], as: .table, from: path)
    #expect(text.contains("nothing distinguishes"))
  }

  @Test func `Own users who update less often than users of ads are named, and no loss of a network is`()
    throws
  {
    try fill(losing: 0)
    func notes() throws -> String {
      try printed(
        ShortfallReport.self, ["environment": "test", "by": "network"], as: .json, from: path,
        now: Day(number: monday.number + 120).start)
    }
    #expect(!(try notes().contains("than own users let expect")))
    let from = try #require(Day("2020-01-01")).start
    try ReferenceStore(path: path).replaceWorth(
      of: app, effectiveFrom: from, with: [],
      windowUpdates: [0, 1].map {
        WindowUpdateRow(
          app: app, effectiveFrom: from, window: .second, value: $0, users: 3_000,
          updated: $0 == 0 ? 450 : 1_200)
      })
    #expect(try notes().contains("app 1: more postbacks of window 2 arrived than own users let expect"))
    #expect(!(try notes().contains("more postbacks of window 3")))
  }

  @Test func `A network that begins to lose postbacks changes beyond chance, and others do not`() throws {
    try fill(losing: 0.4, sinceWeek: 6, each: 6_000)
    var scope = Scope()
    scope.environment = .test
    // The last installs are of day 55: windows 2 and 3 of them have arrived by days 69 and 97.
    let changes = try [(ConversionWindow.second, Int32(69)), (.third, 97)].flatMap { window, day in
      try ArrivalChange.all(
        LedgerReader(path: path), scope, days: 14, baselineDays: 42,
        now: Day(number: monday.number + day).start
      ).filter { $0.window == window }
    }
    #expect(changes.count == 4)
    for change in changes {
      #expect(change.recentDays.upperBound.number - change.recentDays.lowerBound.number == 14)
      if change.network == "b.skadnetwork" {
        #expect(
          change.standardErrors > 4 && change.seen < 0.75 * change.expected,
          "\(change.window) \(change.recentDays) \(change.expected) \(change.seen) \(change.standardErrors)")
      } else {
        #expect(abs(change.standardErrors) < 3)
      }
    }
  }

  @Test func `In 300 quiet months later windows give at most two false alarms`() throws {
    let place = LaterWindows.Campaign(app: app, network: "a.skadnetwork", digits: "")
    let last = Day(number: monday.number + 55)
    var alarms = 0
    for world in 0..<300 {
      var random = SplitMix64(seed: UInt64(world))
      // Six campaigns of different size, whose users update with shares of their own that move from week to week.
      let campaigns = (0..<6).map { number -> [LaterWindows.DayShortfall] in
        let size = [4.0, 8, 12, 20, 40, 60][number]
        let own = 0.4 + 0.08 * random.normal()
        return (0..<56).compactMap { day in
          let weekly = [1.2, 1.1, 0.9, 0.8, 0.9, 1, 1.1][day % 7]
          let installs = random.poisson(size * weekly)
          guard installs > 0 else { return nil }
          var shortfall = LaterWindowShortfall()
          shortfall.installs = Double(installs)
          shortfall.expected = 0.4 * Double(installs)
          shortfall.chanceVariance = 0.24 * Double(installs)
          let share = min(0.95, max(0.05, own + 0.03 * random.normal()))
          shortfall.seen = Double(random.binomial(installs, share))
          return LaterWindows.DayShortfall(
            install: Day(number: monday.number + Int32(day)), shortfall: shortfall, basis: .ownUsers,
            assists: 0, arrived: 1)
        }
      }
      let days = (0..<56).map { day in
        let install = Day(number: monday.number + Int32(day))
        return LaterWindows.DayShortfall(
          install: install,
          shortfall: campaigns.joined().filter { $0.install == install }.reduce(
            into: LaterWindowShortfall()
          ) { $0.merge($1.shortfall) }, basis: .ownUsers, assists: 0, arrived: 1)
      }
      guard let change = ArrivalChange.change(place, .second, days, 14, 42, last: last) else { continue }
      if change.expected >= 100, change.seen < 0.9 * change.expected, change.standardErrors > 4 {
        alarms += 1
      }
    }
    #expect(alarms <= 2, "\(alarms)")
  }
}
