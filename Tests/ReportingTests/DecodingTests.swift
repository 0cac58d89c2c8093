@testable import Campaigns
@testable import EstimateReports
@testable import Explanations
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

struct `Decoding stored postbacks`: ~Copyable {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("skan.db")
  }

  private func stored(_ name: String, _ text: String) throws -> StoredMapping {
    let mapping = try #require(MappingDocument.read(Array(text.utf8)).document?.mapping)
    return StoredMapping(
      source: name, app: mapping.app, effectiveFrom: mapping.effectiveFrom, digest: name,
      loadedAt: Instant(seconds: 0), document: Array(text.utf8))
  }

  private func mapping(_ from: String, currency: String = "USD", edges: String = "0,20,40,60,80") throws
    -> StoredMapping
  {
    try stored(
      from,
      #"""
      {"name":"from \#(from)","app":1,"currency":"\#(currency)","effective-from":"\#(from)","protocol":"skan4",
       "grids":[{"first-value":6,"events":["subs_success"],"active-hours":[0,12,24,36,48],"revenue":[\#(edges)]}],
       "coarse":[{"window":2,"totals":"window","low":{"revenue":{"from":"0","to":"5"}},
         "high":{"revenue":{"from":"5","to":"15"}}},{"window":3,"low":{"revenue":{"from":"0","to":"100"}}}]}
      """#)
  }

  private func receipt(
    _ id: String, _ value: ConversionValue, window: ConversionWindow = .first, at time: Instant,
    app: Int64 = 1, outcome: Outcome = .install, campaign: String = "5239",
    version: ProtocolVersion = .v4_0
  ) -> Receipt {
    valid(
      id, value: value, at: time, app: app, campaign: campaign, version: version, window: window,
      outcome: outcome)
  }

  private func report(by dimensions: [CampaignDimension] = []) throws -> CampaignTable {
    try CampaignTable(
      CampaignQuery(environment: .test, dimensions: dimensions), from: LedgerReader(path: path))
  }

  @Test func `Decoding stored postbacks adds up money, users, and unmapped values`() throws {
    let time = noon
    _ = try LedgerWriter(path: path).commit([
      receipt("a", fine(6), at: time), receipt("b", fine(7), at: time),
      receipt("c", fine(7), at: time), receipt("d", fine(50), at: time),
      receipt("e", fine(0), at: time), receipt("f", .absent, at: time),
      receipt("g", .absent, at: time, outcome: .assist), receipt("h", fine(6), at: time, app: 2),
      receipt("a", .coarse(.high), window: .second, at: time),
      receipt("a", .coarse(.low), window: .third, at: time),
    ])
    #expect(try report().totalTally.undated == 8)
    try MappingStore(path: path).replaceAll(with: [try mapping("2026-01-01")])
    let tally = try report().totalTally
    // 6, 7, 7, 0 and both later windows; 50 is unmapped, and app 2 has no mapping.
    #expect(tally.decoded == 6)
    #expect(tally.decodedInstalls == 4)
    #expect(tally.unmapped == 1)
    #expect(tally.undated == 1)
    #expect(tally.mixed == 0)
    // The third window's totals run since install, so its money is in the others already.
    #expect(tally.notAdded == 1)
    let usd = try #require(CurrencyCode("USD"))
    let sum = try #require(tally.money[usd])
    #expect(sum.representative == (try Amount(decimal: "80")))
    #expect(sum.low == (try Amount(decimal: "45")))
    #expect(sum.high == (try Amount(decimal: "115")))
    #expect(sum.openEnded == 0)
    #expect(tally.events == ["subs_success": 3_000_000])
    // With windows separate, each window's money counts by itself.
    let byWindow = try report(by: [.window])
    #expect(
      byWindow.tallies.map { $0.money[usd]?.representative.micros } == [70_000_000, 10_000_000, 50_000_000])
  }

  @Test
  func
    `Decoding stored postbacks counts one without a limit once, where two versions' currencies become one`()
    throws
  {
    func version(_ from: String, _ currency: String) throws -> StoredMapping {
      try stored(
        from,
        #"""
        {"name":"\#(from)","app":1,"currency":"\#(currency)","effective-from":"\#(from)","protocol":"skan4",
         "fine":[{"value":5,"events":["buy"],"revenue":{"from":10}}]}
        """#)
    }
    try MappingStore(path: path).replaceAll(with: [
      try version("2026-01-01", "USD"), try version("2026-11-18", "EUR"),
    ])
    _ = try LedgerWriter(path: path).commit([
      receipt("a", fine(5), at: noon), receipt("b", fine(5), at: noon),
    ])
    try ReferenceStore(path: path).put([
      RateRow(day: Day(number: 0), currency: "EUR", quote: "USD", picos: 1_500_000_000_000)
    ])
    let usd = try #require(CurrencyCode("USD"))
    let converted = try CampaignTable(
      CampaignQuery(environment: .test, dimensions: []), into: usd, from: LedgerReader(path: path))
    #expect(converted.totalTally.mixed == 2)
    #expect(converted.totalTally.money[usd]?.openEnded == 2)
    #expect(converted.tallies.map { $0.money[usd]?.openEnded } == [2])
    #expect(try report().totalTally.money.keys.count == 2)
  }

  @Test
  func `Decoding stored postbacks counts one user's money and events once, however its windows repeat them`()
    throws
  {
    let time = noon
    let text = #"""
      {"name":"since install","app":1,"currency":"USD","effective-from":"2026-01-01","protocol":"skan4",
       "fine":[{"value":5,"events":["buy"],"revenue":{"from":0,"to":10}}],
       "coarse":[{"window":2,"low":{"events":["buy"],"revenue":{"from":0,"to":10}}},
         {"window":3,"low":{"events":["buy"],"revenue":{"from":0,"to":10}}}]}
      """#
    _ = try LedgerWriter(path: path).commit([
      receipt("a", fine(5), at: time), receipt("a", .coarse(.low), window: .second, at: time),
      receipt("a", .coarse(.low), window: .third, at: time),
    ])
    try MappingStore(path: path).replaceAll(with: [try stored("m", text)])
    let usd = try #require(CurrencyCode("USD"))
    for dimensions: [CampaignDimension] in [[], [.window], [.app, .window], [.day]] {
      let report = try report(by: dimensions)
      #expect(report.totalTally.money[usd]?.representative.micros == 5_000_000)
      #expect(report.totalTally.events == ["buy": 1_000_000])
      #expect(report.totalTally.notAdded == 2)
    }
    var rows = 0
    try LedgerReader(path: path).forEachDecoded(PostbackQuery(environment: .test), after: 0) {
      rows += EventReport.Row.rows(of: $0).count
      return true
    }
    #expect(rows == 1)
  }

  private static let byType = #"""
    {"name":"by type","app":1,"currency":"EUR","effective-from":"2026-01-01","protocol":"aak",
     "fine":[
       {"value":5,"revenue":{"from":1,"to":2,"representative":1},"events":["first"],"conversion-types":["install"]},
       {"value":5,"revenue":{"from":9,"to":10,"representative":9},"conversion-types":["re-engagement"]},
       {"value":6,"events":["only"],"conversion-types":["install"]}]}
    """#

  /// Installs, redownloads, re-engagements and conversions of an unknown type, all with the values 5 and 6.
  private func storeTypes() throws {
    let time = noon
    let outcomes: [(Outcome, Int)] = [(.install, 4), (.redownload, 3), (.reengagement, 2), (.other, 1)]
    _ = try LedgerWriter(path: path).commit(
      outcomes.flatMap { outcome, count in
        (0..<count).flatMap { index in
          [5, 6].map { value in
            receipt(
              "\(outcome) \(index) \(value)", fine(value), at: time + Int64(index) * 40_000_000,
              outcome: outcome, version: .adAttributionKit)
          }
        }
      })
    try MappingStore(path: path).replaceAll(with: [try stored("m", Self.byType)])
  }

  @Test
  func
    `Decoding stored postbacks decodes a value by the conversion's type: installs and re-engagements have a sum each`()
    throws
  {
    try storeTypes()
    let eur = try #require(CurrencyCode("EUR"))
    let tally = try report().totalTally
    // Seven installs of 1, two re-engagements of 9, and one of either: the mean of both.
    #expect(tally.money[eur]?.representative.micros == 30_000_000)
    #expect(tally.events["only"] == 8_000_000)
    // The value 6 is in no rule for a re-engagement.
    #expect(tally.unmapped == 2)
    for dimensions: [CampaignDimension] in [[], [.day], [.app, .campaign], [.version, .window]] {
      let report = try report(by: dimensions)
      var expected = RevenueTally()
      let reader = try LedgerReader(path: path)
      try reader.forEachDecoded(PostbackQuery(environment: .test), after: 0) { decoded in
        guard let expectation = decoded.expectation else { return true }
        expected.add(expectation, times: 1, window: decoded.postback.window, keepsWindowsApart: false)
        return true
      }
      #expect(report.totalTally == expected)
      #expect(report.total.installs == 8)
      #expect(report.total.redownloads == 6)
      #expect(report.total.reengagements == 4)
      #expect(report.total.others == 2)
    }
  }

  @Test func `Decoding stored postbacks estimates what values are worth by the conversion's type`() throws {
    try storeTypes()
    var report = EstimateReport()
    report.scope.environment = .test
    let now = noon + 90 * Day.milliseconds
    let cells = try InstallCells(
      LedgerReader(path: path), MappingCatalog(from: LedgerReader(path: path)), FitSettings(report),
      CellDays(report), now: now, spend: { _ in nil }, worth: { _, _, _ in 2 })
    var sums: [ConversionType?: Double] = [:]
    var unmapped: [ConversionType?: Double] = [:]
    for (scheme, campaigns) in cells.cells {
      for cell in campaigns.values.flatMap(\.values) {
        sums[scheme.type, default: 0] += cell.revealed.reduce(0, +)
        unmapped[scheme.type, default: 0] += cell.unmapped
      }
    }
    #expect(sums.mapValues { ($0 * 1e6).rounded() / 1e6 } == [.install: 14, .reengagement: 2, nil: 2])
    // Each day is unsure by the postbacks that it can have of the days beside it, and these by the same.
    for days in cells.cells.values.flatMap(\.values) {
      for (day, cell) in days {
        for edge in cell.edges {
          let others = days[edge.day]?.edges.first { $0.day == day }
          #expect(!edge.edge.isEmpty && abs(day.number - edge.day.number) == 1 && others?.edge == edge.edge)
        }
      }
      #expect(days.count == 1 || days.values.allSatisfy { !$0.edges.isEmpty })
    }
    #expect(unmapped[.reengagement].map { ($0 * 1e6).rounded() / 1e6 } == 2)
    let total = try #require(try report.estimated(from: LedgerReader(path: path), now: now).totals.first)
    #expect(abs(total.sum.decoded - 30) < 1e-6)
    // Redownloads, re-engagements and conversions of an unknown type are no installs.
    #expect(abs(total.installs - 8) < 1e-6 && abs(total.conversions - 20) < 1e-6)
  }

  @Test func `Decoding stored postbacks lists money without an event in a row among the events`() throws {
    let time = noon
    let text = #"""
      {"name":"money","app":1,"currency":"USD","effective-from":"2026-01-01","protocol":"skan4",
       "grids":[{"first-value":0,"revenue":[0,10,20]}]}
      """#
    _ = try LedgerWriter(path: path).commit([receipt("a", fine(1), at: time)])
    try MappingStore(path: path).replaceAll(with: [try stored("m", text)])
    let lines = try printed(EventReport.self, ["environment": "test"], as: .csv, from: path)
      .split(separator: "\r\n")
    #expect(lines.count == 2)
    #expect(lines.last?.contains(",USD,10,15,20,") == true)
  }

  @Test func `Decoding stored postbacks handles hundreds of mappings, of one app and of many`() throws {
    let time = noon
    _ = try LedgerWriter(path: path).commit([
      receipt("a", fine(6), at: time), receipt("b", fine(6), at: time, app: 700),
    ])
    let one = try (0..<400).map { day in
      let date = Day(number: 19_000 + Int32(day) * 3)
      return try mapping("\(date)")
    }
    let many = try (2..<900).map { app in
      try stored(
        "app \(app)",
        #"{"name":"m","app":\#(app),"currency":"USD","effective-from":"2026-01-01","protocol":"skan4","#
          + #""grids":[{"first-value":6,"revenue":[0,10]}]}"#)
    }
    try MappingStore(path: path).replaceAll(with: one + many)
    #expect(try report(by: [.app]).totalTally.decoded == 2)
  }

  @Test func `Decoding stored postbacks reports a sum that does not fit`() throws {
    let time = noon
    let text = #"""
      {"name":"huge","app":1,"currency":"VND","effective-from":"2026-01-01","protocol":"skan4",
       "fine":[{"value":5,"revenue":{"from":0,"to":"9000000000000","representative":"8000000000000"}}]}
      """#
    _ = try LedgerWriter(path: path).commit([
      receipt("a", fine(5), at: time), receipt("b", fine(5), at: time),
    ])
    try MappingStore(path: path).replaceAll(with: [try stored("m", text)])
    let report = try report()
    #expect(report.totalTally.money[try #require(CurrencyCode("VND"))]?.didSaturate == true)
    #expect(report.notes.contains { $0.english.contains("larger than the largest amount") })
  }

  @Test func `Decoding stored postbacks uses the versions at the moment of the report`() throws {
    let time = noon
    _ = try LedgerWriter(path: path).commit([receipt("a", fine(7), at: time)])
    let store = try MappingStore(path: path)
    let usd = try #require(CurrencyCode("USD"))
    let eur = try #require(CurrencyCode("EUR"))
    try store.replaceAll(with: [try mapping("2026-01-01")])
    #expect(try report().totalTally.money[usd]?.representative.micros == 30_000_000)
    try store.replaceAll(with: [try mapping("2026-01-01", edges: "0,100,200,300,400")])
    #expect(try report().totalTally.money[usd]?.representative.micros == 150_000_000)
    try store.replaceAll(with: [try mapping("2026-01-01", currency: "EUR")])
    #expect(try report().totalTally.money[usd] == nil)
    #expect(try report().totalTally.money[eur]?.representative.micros == 30_000_000)
    try store.replaceAll(with: [])
    #expect(try report().totalTally.undated == 1)
  }

  /// The table of hours gives the same as every postback decoded by itself.
  @Test(arguments: 1...3)
  func `Decoding stored postbacks gives the sums of single postbacks, around a change of the mapping too`(
    seed: Int
  ) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let start = noon
    var receipts: [Receipt] = []
    for index in 0..<1500 {
      let window = ConversionWindow.allCases[random.number(below: 3)]
      let value: ConversionValue =
        random.happens(0.2)
        ? .absent
        : window == .first && random.happens(0.7)
          ? fine(random.number(below: 30)) : .coarse(CoarseValue.allCases[random.number(below: 3)])
      receipts.append(
        receipt(
          "t\(index)", value, window: window, at: start + Int64(random.number(below: 50 * 86_400)) * 1000,
          app: Int64(1 + random.number(below: 2)), outcome: random.happens(0.1) ? .assist : .install,
          campaign: ["39", "5239", "17"][random.number(below: 3)]))
    }
    let writer = try LedgerWriter(path: path)
    for batch in stride(from: 0, to: receipts.count, by: 100) {
      _ = try writer.commit(Array(receipts[batch..<min(batch + 100, receipts.count)]))
    }
    try MappingStore(path: path).replaceAll(with: [
      try mapping("2026-11-20"), try mapping("2026-11-27T05:30:00Z", edges: "0,10,20,30,40"),
      try mapping("2026-12-11T23:59:59Z", currency: "EUR"),
    ])
    let reader = try LedgerReader(path: path)
    for dimensions: [CampaignDimension] in [[], [.day], [.campaign, .window], [.app, .version]] {
      let report = try CampaignTable(
        CampaignQuery(environment: .test, dimensions: dimensions), from: reader)
      var expected = RevenueTally()
      var decoder = PostbackDecoder(try MappingCatalog(from: reader))
      try reader.forEachPostback(PostbackQuery(environment: .test)) { row in
        let decoded = decoder.decode(row)
        guard let expectation = decoded.expectation else {
          if decoded.status == .noMapping { expected.undated += 1 }
          return true
        }
        expected.add(expectation, times: 1, window: row.window, keepsWindowsApart: false)
        return true
      }
      let tally = report.totalTally
      #expect(tally == expected)
      #expect(tally.mixed > 0)
      #expect(tally.money.count == 2)
    }
  }

  @Test func `A report of decoded postbacks is printed in every format`() throws {
    let time = Instant("2026-11-21T12:00:00Z") ?? Instant(seconds: 0)
    _ = try LedgerWriter(path: path).commit([
      receipt("a", fine(6), at: time), receipt("b", fine(7), at: time),
      receipt("c", fine(50), at: time, campaign: "39"), receipt("d", .absent, at: time),
      receipt("a", .coarse(.low), window: .third, at: time),
    ])
    try MappingStore(path: path).replaceAll(with: [
      try mapping("2026-01-01"), try mapping("2026-11-18", edges: "0,10,20,30,40"),
    ])
    for format in Format.allCases {
      let texts = ["environment": "test"]
      try expectGolden(
        try printed(
          CampaignReport.self, ["environment": "test", "by": "campaign"], as: format, from: path),
        "decoded-campaigns.\(format.rawValue)")
      try expectGolden(
        try printed(PostbackReport.self, texts, as: format, from: path), "postbacks.\(format.rawValue)")
      try expectGolden(
        try printed(EventReport.self, texts, as: format, from: path), "events.\(format.rawValue)")
    }
    for format in Format.allCases {
      try expectGolden(
        printed(MappingListing.self, [:], as: format, from: path), "mappings.\(format.rawValue)")
    }
  }

  @Test func `An export of decoded postbacks can be stopped, and keeps to its days, app and network`() throws
  {
    let time = noon
    _ = try LedgerWriter(path: path).commit(
      (0..<20).map { index in
        receipt(
          "t\(index)", .absent, at: time + Int64(index) * 3_600_000, app: Int64(index % 2))
      })
    let reader = try LedgerReader(path: path)
    func rows(_ query: PostbackQuery, upTo limit: Int = .max) throws -> [String] {
      var found: [String] = []
      try reader.forEachPostback(query) { row in
        found.append(row.identifier)
        return found.count < limit
      }
      return found
    }
    #expect(try rows(PostbackQuery(environment: .test)).count == 20)
    #expect(try rows(PostbackQuery()).isEmpty)
    #expect(try rows(PostbackQuery(environment: .test), upTo: 3) == ["t0", "t1", "t2"])
    #expect(
      try rows(PostbackQuery(environment: .test, from: time + 3_600_000, to: time + 3 * 3_600_000)) == [
        "t1", "t2",
      ])
    #expect(try rows(PostbackQuery(environment: .test, apps: [try #require(AppID(1))])).count == 10)
    #expect(
      try rows(PostbackQuery(environment: .test, networks: [try #require(AdNetworkID("other"))])).isEmpty)
  }
}
