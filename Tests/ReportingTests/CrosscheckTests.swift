import Estimates
import Ledger
import PostbackFixtures
import Postbacks
@testable import Reports
import Tables
import Testing
import TestSupport
import Values
@_spi(Unsigned) import Verification

final class `A cross-check` {
  private let folder: TemporaryFolder
  private let path: String
  private let start = Instant("2026-03-01T00:00:00Z") ?? Instant(seconds: 0)
  private let hour: Int64 = 3_600_000

  init() throws {
    let folder = try TemporaryFolder()
    path = folder.file("skan.db")
    self.folder = folder
  }

  /// A copy of a conversion; its body can be read, so that a changed value is known.
  private func copy(
    _ id: String, _ route: Route, hours: Int64, value: Int64? = 5, network: String = "net.skadnetwork",
    app: Int64 = 1, version: ProtocolVersion = .v4_0, window: ConversionWindow = .first,
    outcome: Outcome = .install, country: String? = nil
  ) -> Receipt {
    let body = #"""
      {"version":"4.0","ad-network-id":"\#(network)","source-identifier":"5239","app-id":\#(app),
      "transaction-id":"\#(id)","redownload":false,"fidelity-type":1,"did-win":true,
      "postback-sequence-index":\#(window.rawValue),"country":"\#(country ?? "")",
      \#(value.map { "\"conversion-value\":\($0)," } ?? "")"attribution-signature":"MEUC"}
      """#
    return valid(
      id, value: value.map { fine(Int($0)) } ?? .absent, at: start + hours * hour,
      origin: Origin(route, name: route == .forwarded ? "acme" : ""), network: network, app: app,
      campaign: version.hasWindows ? "5239" : "39", version: version, window: window, outcome: outcome,
      country: country, body: body)
  }

  private func rejected(_ id: String, _ route: Route, hours: Int64) -> Receipt {
    Receipt(
      arrival: Arrival(
        receivedAt: start + hours * hour, origin: Origin(route, name: route == .forwarded ? "acme" : ""),
        quotaSource: "", body: [1]),
      finding: .rejected(Rejection(state: .unverifiable, reason: "missing-signature", identifier: id)))
  }

  private func report(
    _ receipts: [Receipt], atHours now: Int64 = 2000, _ change: (inout PostbackQuery) -> Void = { _ in }
  )
    throws -> Crosscheck
  {
    _ = try LedgerWriter(path: path).commit(receipts)
    var query = PostbackQuery(environment: .test)
    change(&query)
    return try Crosscheck(query, from: LedgerReader(path: path), now: start + now * hour)
  }

  private func printed(
    _ format: Format = .table, table: String = "rows", atHours now: Int64 = 2000
  ) throws -> String {
    try ReportingTests.printed(
      CrosscheckReport.self, ["environment": "test", "table": table], as: format, from: path,
      now: start + now * hour)
  }

  /// Conversions that both sides have, every hour, the network's copy four hours later.
  private func pairs(_ hours: Range<Int64>, app: Int64 = 1, network: String = "net.skadnetwork") throws
    -> [Receipt]
  {
    hours.flatMap { at in
      let id = "pair \(network) \(app) \(at)"
      return [
        copy(id, .advertiserCopy, hours: at, network: network, app: app),
        copy(id, .forwarded, hours: at + 4, network: network, app: app),
      ]
    }
  }

  private func reasons(_ report: Crosscheck) -> [DifferenceReason: Int64] {
    report.rows.reduce(into: [:]) { $0.merge($1.reasons, uniquingKeysWith: +) }
  }

  @Test func `A cross-check of sides that agree has no differences, and has the delay`() throws {
    let report = try report(try pairs(0..<100))
    let row = try #require(report.rows.first)
    #expect(report.rows.count == 1)
    #expect((row.both, row.agreeing, row.onlyDevices, row.onlyNetwork) == (100, 100, 0, 0))
    #expect((row.medianDelay, row.longDelay) == (240, 240))
    #expect(report.findings.isEmpty)
    #expect(try printed().contains("no differences"))
  }

  @Test func `A cross-check treats losing postbacks as no difference, unless we are the network`() throws {
    let lost = copy("lost", .forwarded, hours: 5, outcome: .assist)
    #expect(reasons(try report(try pairs(0..<30) + [lost])) == [.notWon: 1])
    let won = copy("own", .networkAddress, hours: 6)
    #expect(reasons(try report([won])) == [.unexplained: 1, .networkWithholds: 1])
  }

  @Test func `A cross-check treats versions from before copies as no difference`() throws {
    let old = copy("old", .forwarded, hours: 5, version: .v2_1)
    let first = copy("2.2", .forwarded, hours: 5, version: .v2_2)
    #expect(reasons(try report(try pairs(0..<30) + [old, first])) == [.oldVersion: 1, .unexplained: 1])
  }

  @Test func `A cross-check names an app without any copy`() throws {
    let report = try report(
      try pairs(0..<30) + (0..<3).map { copy("a\($0)", .forwarded, hours: 9, app: 2) })
    #expect(report.findings.map(\.reason) == [.noDeviceCopies])
    #expect(report.findings.map(\.app) == [2])
    #expect(report.findings[0].count == 3)
    #expect(report.findings[0].sentence.english.contains("2026-03-01"))
  }

  @Test func `A cross-check names the days on which copies began and stopped`() throws {
    let before = (0..<40).map { copy("b\($0)", .forwarded, hours: $0) }
    let after = (200..<240).map { copy("a\($0)", .forwarded, hours: $0) }
    let report = try report(before + (try pairs(48..<150)) + after)
    #expect(reasons(report) == [.copiesNotBegun: 40, .copiesStopped: 40])
    #expect(report.findings[0].sentence.english.contains("2026-03-03"))
    #expect(report.findings[1].sentence.english.contains("2026-03-07"))
  }

  @Test
  func `A cross-check counts a conversion that the network sent days before its copy as one with a copy`()
    throws
  {
    // Were they taken for missing, forty in a row without a copy would be a beginning.
    let early = (0..<40).flatMap {
      [copy("e\($0)", .forwarded, hours: $0), copy("e\($0)", .advertiserCopy, hours: 72 + $0)]
    }
    let alone: [Int64] = [1] + (0..<60).map { _ in 101 }
    let others = alone.enumerated().map { copy("n\($0)", .forwarded, hours: $1) }
    #expect(reasons(try report(early + (try pairs(100..<104)) + others)) == [.unexplained: 61])
  }

  @Test
  func `A cross-check does not treat a single conversion after the last copy as a stop if copies are rare`()
    throws
  {
    let alone = (0..<100).map { copy("n\($0)", .forwarded, hours: $0) }
    #expect(
      reasons(
        try report(
          alone + (try pairs(0..<10)) + (try pairs(290..<295)) + [copy("x", .forwarded, hours: 320)]))
        == [.unexplained: 101])
  }

  @Test func `A cross-check waits for the other side as long as the network usually takes`() throws {
    let one = [copy("in", .advertiserCopy, hours: 197), copy("out", .advertiserCopy, hours: 195)]
    #expect(reasons(try report(try pairs(0..<30) + one, atHours: 200)) == [.late: 1, .networkWithholds: 1])
  }

  @Test func `A cross-check waits two days if there are too few pairs`() throws {
    let one = [copy("in", .advertiserCopy, hours: 153), copy("out", .advertiserCopy, hours: 152)]
    #expect(reasons(try report(try pairs(0..<2) + one, atHours: 200)) == [.late: 1, .networkWithholds: 1])
  }

  @Test func `A cross-check distinguishes a network that forwards nothing from one that holds back`() throws {
    let report = try report(
      try pairs(0..<30)
        + [copy("a", .advertiserCopy, hours: 1), copy("b", .advertiserCopy, hours: 1, network: "silent")])
    #expect(reasons(report) == [.networkWithholds: 1, .noForwards: 1])
  }

  @Test func `A cross-check finds copies that arrived and were rejected`() throws {
    let report = try report(
      try pairs(0..<30) + [
        copy("a", .advertiserCopy, hours: 1), rejected("a", .forwarded, hours: 2),
        copy("b", .forwarded, hours: 1), rejected("b", .advertiserCopy, hours: 2),
        rejected("c", .file, hours: 1),
      ])
    #expect(reasons(report) == [.rejectedForward: 1, .rejectedCopy: 1])
    #expect(report.rejectedForwards.map(\.seen) == [1])
    #expect(
      try printed(.csv, table: "rejected-network-copies").contains("acme,unverifiable,missing-signature,1"))
  }

  @Test func `A cross-check reports changed values and countries, whichever side came first`() throws {
    let report = try report([
      copy("a", .advertiserCopy, hours: 1, value: 5), copy("a", .forwarded, hours: 2, value: 50),
      copy("b", .forwarded, hours: 1, value: 50), copy("b", .advertiserCopy, hours: 2, value: nil),
      copy("c", .advertiserCopy, hours: 1, country: "US"), copy("c", .forwarded, hours: 2, country: "DE"),
      // Both sides differ from a file in the same way, so they agree.
      copy("d", .file, hours: 1, value: 1), copy("d", .advertiserCopy, hours: 2, value: 9),
      copy("d", .forwarded, hours: 3, value: 9),
      // A correct copy of the network's does not hide a changed one.
      copy("e", .advertiserCopy, hours: 1), copy("e", .forwarded, hours: 2),
      copy("e", .forwarded, hours: 3, value: 6),
      copy("f", .file, hours: 1),
    ])
    #expect(reasons(report) == [.valuesChanged: 3, .countryChanged: 1])
    let row = try #require(report.rows.first)
    #expect((row.both, row.agreeing, row.fineDiffers, row.countryDiffers) == (5, 1, 3, 1))
    #expect(report.mixes[0].direction == PairedDirection(raised: 2, lowered: 0))
    #expect(report.mixes[0].forwarded[50] == 2)
    #expect(report.mixes[0].device[ValueSlot.none] == 1)
    #expect(report.rows.reduce(0) { $0 + $1.onlyFiles } == 1)
  }

  @Test(arguments: 0..<6 as Range<UInt64>)
  func `A cross-check notices a network that holds back good values, and accepts a fair one`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    var receipts: [Receipt] = []
    for index in 0..<2000 {
      let (value, hour) = (Int64(random.number(below: 8)), Int64(index / 4))
      let network = "\(index % 2 == 0 ? "fair" : "picks").skadnetwork"
      receipts.append(copy("\(index)", .advertiserCopy, hours: hour, value: value, network: network))
      if random.happens(index % 2 == 0 || value < 6 ? 0.8 : 0.4) {
        receipts.append(copy("\(index)", .forwarded, hours: hour + 1, value: value, network: network))
      }
    }
    let report = try report(receipts)
    #expect(report.mixes.map(\.network) == ["fair.skadnetwork", "picks.skadnetwork"])
    #expect((report.mixes[0].corrected ?? 0) > 0.001)
    #expect((report.mixes[1].corrected ?? 1) < 0.001)
    #expect(Set(report.mixes[1].outstanding).isSuperset(of: [6, 7]))
    #expect(try printed().contains("one side leaves out conversions by their value"))
  }

  @Test func `A cross-check contains only what was requested`() throws {
    let receipts = try pairs(0..<100) + pairs(0..<10, app: 2) + pairs(0..<10, network: "other")
    _ = try report(receipts)
    #expect(try report([]) { $0.from = self.start + 90 * self.hour }.rows.map(\.both) == [10])
    #expect(try report([]) { $0.to = self.start }.rows.isEmpty)
    #expect(try report([]) { $0.apps = [AppID(2)].compactMap { $0 } }.rows.map(\.both) == [10])
    #expect(
      try report([]) { $0.networks = [AdNetworkID("other")].compactMap { $0 } }.rows.map(\.both) == [10])
    #expect(try report([]) { $0.environment = .production }.rows.isEmpty)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `A cross-check has reasons that add up to the differences, whatever came`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var receipts: [Receipt] = []
    for index in 0..<400 {
      let id = "\(index)"
      for _ in 0..<(1 + random.number(below: 3)) {
        let hours = Int64(random.number(below: 500))
        let route = Route.allCases[Int(random.number(below: 4))]
        let version: ProtocolVersion = index % 5 == 0 ? .v2_1 : .v4_0
        if random.happens(0.1) {
          receipts.append(rejected(id, route, hours: hours))
        } else {
          receipts.append(
            copy(
              id, route, hours: hours,
              value: random.happens(0.1) ? nil : Int64(index % 3) + Int64(random.number(below: 2)),
              network: "n\(index % 3)", app: Int64(1 + index % 4), version: version,
              window: index % 5 != 0 && index % 7 == 0 ? .second : .first,
              outcome: index % 11 == 0 ? .assist : .install, country: random.happens(0.2) ? "US" : "DE"))
        }
      }
    }
    let report = try report(receipts, atHours: 510)
    #expect(!report.rows.isEmpty)
    for row in report.rows {
      #expect(row.reasons.values.reduce(0, +) == row.differences)
      #expect(row.agreeing >= 0)
    }
    #expect(
      report.findings.reduce(0) { $0 + $1.count } == report.rows.reduce(0) { $0 + $1.differences })
    // A conversion is in one place only.
    let conversions = report.rows.reduce(0) { $0 + $1.both + $1.onlyDevices + $1.onlyNetwork }
    var stored: Int64 = 0
    try LedgerReader(path: path).forEachPostback(PostbackQuery(environment: .test)) { _ in
      stored += 1
      return true
    }
    #expect(conversions + report.rows.reduce(0) { $0 + $1.onlyFiles } == stored)
  }

  @Test func `A cross-check is printed in every format`() throws {
    var receipts = try pairs(0..<60) + pairs(0..<30, app: 2, network: "quiet.skadnetwork")
    for index in 0..<40 {
      receipts.append(copy("d\(index)", .advertiserCopy, hours: Int64(index), value: Int64(index % 9)))
      receipts.append(copy("n\(index)", .forwarded, hours: Int64(index) + 3, value: nil, app: 3))
    }
    receipts += [
      copy("changed", .advertiserCopy, hours: 7), copy("changed", .forwarded, hours: 9, value: 63),
      copy("lost", .forwarded, hours: 9, outcome: .assist), rejected("d1", .forwarded, hours: 8),
      copy("late", .forwarded, hours: 499, window: .second),
    ]
    _ = try report(receipts)
    for format in Format.allCases {
      try expectGolden(try printed(format, atHours: 500), "crosscheck.\(format.rawValue)")
    }
    try expectGolden(try printed(.csv, table: "values", atHours: 500), "crosscheck-values.csv")
  }
}
