@testable import Campaigns
@testable import EstimateReports
@testable import Explanations
import Ledger
import MappingFormats
@testable import MappingLibrary
import Mappings
import PostbackFixtures
import Postbacks
import Testing
import TestSupport
import Values
@_spi(Unsigned) import Verification

/// Users who install every so many minutes, on both sides of a change of the mapping.
struct `Reports across a change of the mapping`: ~Copyable {
  private let folder: TemporaryFolder
  private let path: String
  private let change = Instant("2026-11-10T00:00:00Z") ?? Instant(seconds: 0)
  private let day: Int64 = 86_400_000

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("skan.db")
  }

  /// A mapping whose values are worth 5, 10, 20, 40 and 80, from a first value on.
  private func mapping(_ from: String, firstValue: Int64, coarse: String = "") throws -> StoredMapping {
    let rules = [5, 10, 20, 40, 80].enumerated().map { (index, worth) -> String in
      let range = #"{"from":\#(worth - 1),"to":\#(worth + 1),"representative":\#(worth)}"#
      let value = firstValue + Int64(index)
      return #"{"value":\#(value),"events":["level \#(index)"],"revenue":\#(range)}"#
    }
    let text = #"""
      {"name":"from \#(from)","app":1,"currency":"USD","effective-from":"\#(from)","protocol":"skan4",
       "fine":[\#(rules.joined(separator: ","))]\#(coarse.isEmpty ? "" : #","coarse":[\#(coarse)]"#)}
      """#
    return storedMapping(text, source: from)
  }

  private func receipt(
    _ id: String, _ value: ConversionValue, _ version: ProtocolVersion, window: ConversionWindow = .first,
    at time: Instant, campaign: Int64 = 1
  ) -> Receipt {
    valid(
      id, value: value, at: time, app: 1, campaign: version.hasWindows ? "1\(campaign)" : "\(campaign)",
      version: version, window: window)
  }

  private func commit(_ receipts: [Receipt]) throws {
    let writer = try LedgerWriter(path: path)
    for batch in stride(from: 0, to: receipts.count, by: 400) {
      _ = try writer.commit(Array(receipts[batch..<min(batch + 400, receipts.count)]))
    }
  }

  /// Stores one postback for every fifteen minutes of installs, from 12 days before the change to 12 days after.
  ///
  /// The last rise under SKAdNetwork 3 is in the first day. Some values are withheld.
  ///
  /// - Returns: What the users are worth, by day of arrival.
  private func install(
    _ version: ProtocolVersion, _ newFirst: Int64, hidden: Double = 0
  ) throws -> [Day: Double] {
    var random = SplitMix64(seed: 11)
    var receipts: [Receipt] = []
    var truth: [Day: Double] = [:]
    for index in -1152..<1152 {
      let launch = change + Int64(index) * 15 * 60_000
      let final = version.hasWindows ? 48 : 24 * random.fraction()
      let arrival = launch + Int64((final + 24 + 24 * random.fraction()) * 3_600_000)
      let kind = Int64(random.number(below: 5))
      let value = FineValue((index < 0 ? 1 : newFirst) + kind)
      truth[arrival.day, default: 0] += [5, 10, 20, 40, 80][Int(kind)]
      receipts.append(
        receipt(
          "\(index)", random.happens(hidden) ? .absent : .fine(try #require(value)), version, at: arrival,
          campaign: Int64(1 + random.number(below: 3))))
    }
    try commit(receipts)
    return truth
  }

  private func report() throws -> CampaignTable {
    try CampaignTable(
      CampaignQuery(environment: .test, dimensions: [.day]), from: LedgerReader(path: path))
  }

  @Test(arguments: [ProtocolVersion.v3_0, .v4_0, .adAttributionKit])
  func `Reports across a change of the mapping count all money of values that only one version has`(
    version: ProtocolVersion
  ) throws {
    let truth = try install(version, 11)
    try MappingStore(path: path).replaceAll(with: [
      try mapping("2026-01-01", firstValue: 1), try mapping("2026-11-10", firstValue: 11),
    ])
    let report = try report()
    let usd = try #require(CurrencyCode("USD"))
    for (row, tally) in zip(report.rows, report.tallies) {
      let counted = Double(tally.money[usd]?.representative.micros ?? 0) / 1e6
      #expect(counted == truth[try #require(row.day)])
    }
    #expect(report.totalTally.mixed == 0)
    #expect(!report.notes.contains { $0.english.contains("change of the mapping") })
  }

  /// All of their users' last rises are in the first day, as ``install(_:_:hidden:)`` has them.
  @Test
  func `Reports across a change of the mapping mix fewer postbacks by own users, and agree with each other`()
    throws
  {
    _ = try install(.v3_0, 1)
    let versions = [
      try mapping("2026-01-01", firstValue: 1), try mapping("2026-11-10", firstValue: 1),
    ]
    try MappingStore(path: path).replaceAll(with: versions)
    func mixed() throws -> (report: Int64, postbacks: Int64) {
      var count: Int64 = 0
      var decoder = PostbackDecoder(try MappingCatalog(from: LedgerReader(path: path)))
      try LedgerReader(path: path).forEachPostback(PostbackQuery(environment: .test)) { row in
        if decoder.decode(row).certainty == "mixed" { count += 1 }
        return true
      }
      return (try report().totalTally.mixed, count)
    }
    let assumed = try mixed()
    let store = try ReferenceStore(path: path)
    for version in versions {
      try store.replaceWorth(
        of: version.app, effectiveFrom: version.effectiveFrom, with: [],
        finalHours: (1...5).flatMap { value in
          (0..<24).map { hour in
            FinalHourRow(
              app: version.app, effectiveFrom: version.effectiveFrom, value: value, hour: hour, users: 40)
          }
        })
    }
    let learned = try mixed()
    #expect(assumed.report == assumed.postbacks && learned.report == learned.postbacks)
    // By the chains, one to five days and 24 hours; by own users, the first day and 24 hours.
    #expect(assumed.report > 350)
    #expect(learned.report > 150 && learned.report < 200, "\(learned)")
    #expect(Double(learned.report) < 0.6 * Double(assumed.report), "\(assumed) \(learned)")
  }

  @Test(arguments: [ProtocolVersion.v3_0, .v4_0])
  func `Reports across a change of the mapping estimate withheld values of such days without bias`(
    version: ProtocolVersion
  ) throws {
    let truth = try install(version, 11, hidden: 0.3).values.reduce(0, +)
    try MappingStore(path: path).replaceAll(with: [
      try mapping("2026-01-01", firstValue: 1), try mapping("2026-11-10", firstValue: 11),
    ])
    var report = EstimateReport()
    report.scope.environment = .test
    let estimates = try report.estimated(from: LedgerReader(path: path), now: change + 60 * day)
    let total = try #require(estimates.totals.first).sum
    #expect(total.unmapped == 0)
    #expect(total.interval?.contains(truth) == true, "\(total) of \(truth)")
    #expect(abs((total.estimate ?? 0) / truth - 1) < 0.05, "\(total) of \(truth)")
  }

  @Test func `Reports across a change of the mapping list earlier postbacks as being without a mapping`()
    throws
  {
    _ = try install(.v4_0, 1)
    try MappingStore(path: path).replaceAll(with: [try mapping("2026-11-10", firstValue: 1)])
    var report = EstimateReport()
    report.scope.environment = .test
    let estimates = try report.estimated(from: LedgerReader(path: path), now: change + 60 * day)
    // Half of all were launched before.
    #expect(abs(estimates.basis.withoutMapping - 1152) < 20)
  }

  @Test func `Reports across a change of the mapping keep later windows when next year's mapping is loaded`()
    throws
  {
    let window =
      #"{"window":2,"totals":"window","low":{"revenue":{"from":0,"to":20}}},"#
      + #"{"window":3,"totals":"window","low":{"revenue":{"from":0,"to":20}}}"#
    let since = #"{"window":2,"low":{"revenue":{"from":0,"to":20}}}"#
    try commit([
      receipt("a", .fine(try #require(FineValue(1))), .v4_0, at: change),
      receipt("a", .coarse(.low), .v4_0, window: .second, at: change + 5 * day),
      receipt("a", .coarse(.low), .v4_0, window: .third, at: change + 33 * day),
    ])
    let now = try mapping("2026-01-01", firstValue: 1, coarse: window)
    let usd = try #require(CurrencyCode("USD"))
    let later = [
      try mapping("2027-11-01", firstValue: 1, coarse: since), try mapping("2027-11-01", firstValue: 1),
    ]
    for mappings in [[now]] + later.map({ [now, $0] }) {
      try MappingStore(path: path).replaceAll(with: mappings)
      let report = try report()
      #expect(report.totalTally.money[usd]?.representative.micros == 25_000_000)
      #expect(report.totalTally.notAdded == 0)
      #expect(!report.notes.contains { $0.english.contains("not added") })
      var decoder = PostbackDecoder(try MappingCatalog(from: LedgerReader(path: path)))
      try LedgerReader(path: path).forEachPostback(PostbackQuery(environment: .test)) { row in
        #expect(decoder.decode(row).addsUp)
        return true
      }
    }
    // Under a mapping that counts since install they hold the first window's money, and the report states that.
    try MappingStore(path: path).replaceAll(with: [
      try mapping("2026-01-01", firstValue: 1, coarse: since)
    ])
    let report = try report()
    #expect(report.totalTally.money[usd]?.representative.micros == 5_000_000)
    #expect(report.totalTally.notAdded == 1 && report.totalTally.unmapped == 1)
    #expect(
      report.notes.contains { $0.english.contains("money and events of 1 later windows are not added") })
  }

  @Test func `Reports across a change of the mapping add later windows that some versions count separately`()
    throws
  {
    func coarse(_ totals: String) -> String {
      #"{"window":2,"totals":"\#(totals)","low":{"events":["late"],"revenue":{"from":0,"to":20}}}"#
    }
    // Launched between 13 and 8 days before they came: half before the change.
    try commit(
      (0..<200).map { index in
        receipt(
          "\(index)", .coarse(.low), .v4_0, window: .second, at: change + 10 * day + Int64(index) * 60_000)
      })
    try MappingStore(path: path).replaceAll(with: [
      try mapping("2026-01-01", firstValue: 1, coarse: coarse("window")),
      try mapping("2026-11-10", firstValue: 1, coarse: coarse("since-install")),
    ])
    let usd = try #require(CurrencyCode("USD"))
    let report = try report()
    let added = try #require(report.totalTally.money[usd]?.representative)
    #expect(added > .zero && added < Amount(micros: 2_000_000_000))
    #expect(report.totalTally.mixed == 200)
    // Single postbacks and events add up to the same.
    var sum = Amount.zero
    var users = Amount.zero
    try LedgerReader(path: path).forEachDecoded(PostbackQuery(environment: .test), after: 0) { decoded in
      #expect(decoded.addsUp)
      for row in EventReport.Row.rows(of: decoded) {
        sum = sum.adding(row.money?.representative ?? .zero).sum
        let probability = row.event?.probability ?? 0
        users = users.adding(Amount(micros: Int64((probability * 1_000_000).rounded()))).sum
      }
      return true
    }
    #expect(sum == added)
    #expect(users.micros == report.totalTally.events["late"])
  }
}
