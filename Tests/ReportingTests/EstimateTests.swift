import Arguments
import Estimates
import JSONText
import Ledger
import MappingFormats
@testable import MappingLibrary
import Mappings
import Postbacks
@testable import Reporting
import Tables
import TestSupport
import Testing
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

  /// Postbacks of three campaigns over three weeks; each campaign hides its own share.
  private func fill(hidden: [String: Double], networks: [String] = ["net.skadnetwork"]) throws {
    var random = SplitMix64(seed: 4)
    var receipts: [Receipt] = []
    for (campaign, share) in hidden.sorted(by: { $0.key < $1.key }) {
      for index in 0..<400 {
        let value: ConversionValue =
          random.happens(share)
          ? .absent : .fine(try #require(FineValue(random.happens(0.7) ? 0 : Int64(random.number(below: 8)))))
        let attested = AttestedFacts(
          version: .v4_0, network: try #require(AdNetworkID(networks[index % networks.count])),
          advertisedApp: try #require(AppID(1)),
          campaign: .sourceIdentifier(try #require(SourceIdentifier(campaign))), id: "\(campaign) \(index)",
          window: .first, outcome: .install, interaction: .click, publisher: .undisclosed)
        receipts.append(
          Receipt(
            arrival: Arrival(
              receivedAt: start + Int64(random.number(below: 21 * 86_400)) * 1000,
              origin: Origin(.advertiserCopy), quotaSource: "", body: Array("\(campaign) \(index)".utf8)),
            finding: .valid(
              .unsigned(
                attested: attested, claimed: ClaimedFacts(value: value, interaction: nil, country: nil)))))
      }
    }
    let writer = try LedgerWriter(path: path)
    for batch in stride(from: 0, to: receipts.count, by: 400) {
      _ = try writer.commit(Array(receipts[batch..<min(batch + 400, receipts.count)]))
    }
    let text = #"""
      {"name":"m","app":1,"currency":"USD","effective-from":"2020-01-01","protocol":"skan4",
       "fine":[{"value":0,"revenue":{"from":0,"to":1,"representative":0}},
         {"value":1,"events":["buy"],"revenue":{"from":1,"to":2}},
         {"value":2,"events":["buy"],"revenue":{"from":2,"to":4}},
         {"value":3,"events":["buy"],"revenue":{"from":4,"to":8}},
         {"value":4,"events":["buy"],"revenue":{"from":8,"to":16}},
         {"value":5,"events":["buy"],"revenue":{"from":16,"to":32}},
         {"value":6,"events":["buy"],"revenue":{"from":32,"to":64}},
         {"value":7,"events":["buy"],"revenue":{"from":64,"to":128}}]}
      """#
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
    let byDay = try estimated { $0.breakdown = .day }
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
      $0.breakdown = .day
      $0.period.from = day
      $0.period.to = day.next
    }
    #expect(alone.rows.map(\.sum.estimate) == byDay.rows.filter { $0.day == day }.map(\.sum.estimate))
    #expect(alone.rows.map(\.sum.interval) == byDay.rows.filter { $0.day == day }.map(\.sum.interval))
  }

  @Test(arguments: [Estimator.tree, .ratio, .dirichlet, .hurdle, .threshold(smallest: 5)])
  func `Estimates are within their own intervals, by day and together`(estimator: Estimator) throws {
    try fill(hidden: ["11": 0.2, "22": 0.6, "33": 0.95])
    for breakdown in Breakdown.allCases {
      let answer = try estimated {
        $0.estimator = estimator
        $0.breakdown = breakdown
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
      let answer = try estimated(now: now) { $0.breakdown = .day }
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
    #expect(try text(.table, ["event": "buy"]).contains("estimated users of buy"))
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
    #expect(try text(.csv, ["by": "day"]).contains(",install-date,completeness,currency,"))
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
    let (rows, evidence) = try query.counted(from: reader)
    #expect(rows.map(\.postbacks) == [400, 400, 400])
    for (row, share) in zip(rows, [0.2, 0.6, 1]) {
      #expect(row.interval.contains(row.nulls / row.postbacks))
      #expect(row.interval.contains(share) || abs(row.nulls / row.postbacks - share) < 0.06)
      #expect(row.changes.isEmpty)
    }
    #expect(evidence.smallest?.count == 1)
    #expect(rows[2].drift == nil)
    query.breakdown = .day
    let days = try query.counted(from: reader).rows
    #expect(days.reduce(0) { $0 + $1.nulls } == rows.reduce(0) { $0 + $1.nulls })
    for format in Format.allCases {
      try expectGolden(
        printed(NullReport.self, ["environment": "test"], as: format, from: path), "nulls.\(format.rawValue)")
    }
    #expect(
      try printed(NullReport.self, ["environment": "test", "by": "day"], as: .csv, from: path)
        .hasPrefix("app,network,campaign,campaign-kind,day,postbacks,nulls,null-share,null-share-low"))
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
    #expect(answer.basis.hasOwnUsers)
    #expect(!answer.rows[0].sum.flags.contains(.amountsFromMapping))
    #expect(!(try text(.table).contains("amounts are the mapping's own")))
  }
}
