@testable import EstimateReports
@testable import Estimates
import Ledger
import PostbackFixtures
import Postbacks
import Tables
import Testing
import TestSupport
import Values

/// Estimates by outcomes, publishers, countries and imported names.
final class `Estimates by what postbacks show` {
  private let folder: TemporaryFolder
  private let path: String
  private let start = Instant("2026-02-16T00:00:00Z") ?? Instant(seconds: 0)

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("skan.db")
    let text = """
      {"name":"m","app":1,"currency":"USD","effective-from":"2020-01-01","protocol":"skan4",
       "fine":[{"value":0,"revenue":{"from":0,"to":1,"representative":0}},{"value":1,"revenue":{"from":1,"to":3}}]}
      """
    try MappingStore(path: path).replaceAll(with: [storedMapping(text)])
  }

  private typealias Answer = (
    rows: [EstimateReport.Row], totals: [EstimateReport.Row], basis: EstimateReport.Basis
  )

  private func estimated(
    by: [EstimateDimension], _ change: (inout EstimateReport) -> Void = { _ in }
  ) throws -> Answer {
    var report = EstimateReport()
    report.scope.environment = .test
    report.by = by
    change(&report)
    return try report.estimated(from: LedgerReader(path: path), now: start + 60 * 86_400_000)
  }

  private func name(
    _ network: String, _ campaign: String, _ name: String, creative: String? = nil, from day: Int32 = -1000
  ) -> CampaignNameRow {
    CampaignNameRow(
      network: "\(network).skadnetwork", campaign: campaign, from: Day(number: start.day.number + day),
      to: nil, name: name, adSet: nil, creative: creative, country: nil)
  }

  /// Postbacks of five campaigns with and without a value, of which some show a publisher or country; one campaign
  /// changes its name.
  private func fill(_ random: inout SplitMix64) throws {
    let publishers: [Publisher] = [.app(known(AppID(100))), .app(known(AppID(20))), .web("example.com")]
    var receipts: [Receipt] = []
    for (network, campaign) in [("a", "11"), ("a", "12"), ("b", "11"), ("b", "13"), ("b", "14")] {
      let (hidden, paying) = (0.5 * random.fraction(), 0.1 + 0.4 * random.fraction())
      for index in 0..<(150 + random.number(below: 150)) {
        let isHidden = random.happens(hidden)
        let isDetailed = !isHidden && random.happens(0.7)
        let value: ConversionValue =
          isHidden
          ? .absent : random.happens(0.04) ? .coarse(.low) : fine(random.happens(paying) ? 1 : 0)
        receipts.append(
          valid(
            "\(network) \(campaign) \(index)", value: value,
            at: start + Int64(random.number(below: 28 * 86_400)) * 1000, network: "\(network).skadnetwork",
            app: 1, campaign: campaign, outcome: random.happens(0.4) ? .redownload : .install,
            publisher: isDetailed ? publishers[random.number(below: 3)] : .undisclosed,
            country: isDetailed && random.happens(0.8) ? ["US", "DE"][random.number(below: 2)] : nil))
      }
    }
    try store(receipts, in: path)
    try ReferenceStore(path: path).put([
      name("a", "11", "Summer", creative: "cat"), name("b", "11", "Summer", creative: "dog"),
      name("b", "13", "Before"), name("b", "13", "After", from: 12),
    ])
  }

  private static let groupings: [[EstimateDimension]] = [
    [.outcome], [.country], [.publisher], [.publisher, .country], [.country, .week], [.campaign, .country],
    [.name], [.creative, .outcome, .month], [.network, .publisher, .month], [.campaign, .outcome],
    [.name, .country],
  ]

  @Test(arguments: UInt64(1)...3)
  func `Rows by anything add up to the whole, which is that of campaigns`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    try fill(&random)
    let campaigns = try #require(try estimated(by: [.campaign]).totals.first).sum
    for by in Self.groupings {
      let found = try estimated(by: by)
      #expect(Set(found.rows.map(\.group)).count == found.rows.count)
      #expect(found.rows.map(\.group) == found.rows.map(\.group).sorted())
      let total = try #require(found.totals.first).sum
      func same(_ what: String, _ value: (EstimatedSum) -> Double?) {
        let added = found.rows.reduce(0) { $0 + (value($1.sum) ?? .infinity) }
        #expect(abs(added - (value(total) ?? 0)) < 1e-6 * total.installs, "\(what) by \(by)")
        // The mixes of outcomes are their own.
        guard what != "estimate" || !by.contains(.outcome) else { return }
        #expect(abs(added - (value(campaigns) ?? 0)) < 1e-6 * total.installs, "\(what) by \(by)")
      }
      same("installs") { $0.installs }
      same("nulls") { $0.nulls }
      same("coarse") { $0.coarse }
      same("unmapped") { $0.unmapped }
      same("decoded") { $0.decoded }
      same("estimate") { $0.estimate }
      let (whole, own) = (try #require(campaigns.interval), try #require(total.interval))
      #expect(abs(own.low - whole.low) < 0.3 * whole.width && abs(own.high - whole.high) < 0.3 * whole.width)
      for row in found.rows {
        #expect(try #require(row.sum.interval).contains(try #require(row.sum.estimate)))
      }
      let isShared = by.contains(where: \.isPartlyShown)
      #expect(found.rows.allSatisfy { ($0.shared != nil) == isShared })
      guard isShared else { continue }
      let shared = found.rows.reduce(0) { $0 + ($1.shared ?? 0) }
      #expect(abs(shared - (total.estimate ?? 0)) < 1e-6 * total.installs, "shared out by \(by)")
      for row in found.rows {
        let shown = try #require(row.group.traits?.shown)
        let isWhole =
          (shown.publisher != nil || !by.contains(.publisher))
          && (shown.country != nil || !by.contains(.country))
        #expect((row.possible != nil) == isWhole)
        guard isWhole else { continue }
        let (possible, shared) = (try #require(row.possible), try #require(row.shared))
        #expect(row.sum.nulls < 1e-6 && possible.contains(shared))
        #expect(possible.low == row.sum.interval?.low)
      }
    }
  }

  @Test func `Rows of publishers and countries are in the order of their words, what shows none at the end`()
    throws
  {
    var random = SplitMix64(seed: 5)
    try fill(&random)
    let publishers = try estimated(by: [.publisher]).rows
    #expect(publishers.map { $0.group.traits?.shown?.publisher } == ["100", "20", "example.com", nil])
    let weeks = try estimated(by: [.country, .week]).rows
    let first = try #require(weeks.first?.day)
    #expect(
      weeks.filter { $0.day == first }.map { $0.group.traits?.shown?.country } == ["DE", "US", nil])
    #expect(weeks.map { $0.day?.number ?? 0 } == weeks.map { $0.day?.number ?? 0 }.sorted())
    // Of the same date, as much has arrived whatever postbacks show.
    let shares = Dictionary(grouping: weeks, by: \.day).values.map { Set($0.map(\.completeness)) }
    #expect(shares.allSatisfy { $0.count == 1 && !$0.contains(nil) })
    let outcomes = try estimated(by: [.outcome]).rows
    #expect(outcomes.map { $0.group.traits?.outcome } == [.install, .redownload])
  }

  @Test func `Rows of names have the campaigns of each name on its days, and the spend of the name`() throws {
    var random = SplitMix64(seed: 6)
    try fill(&random)
    func paid(_ day: Int32, _ network: String, _ campaign: String, _ micros: Int64) -> SpendRow {
      SpendRow(
        day: Day(number: start.day.number + day), network: "\(network).skadnetwork", campaign: campaign,
        app: nil, currency: "USD", micros: micros, environment: .test)
    }
    try ReferenceStore(path: path).put([
      paid(2, "a", "11", 5_000_000), paid(3, "b", "Summer", 3_000_000), paid(2, "a", "12", 2_000_000),
      paid(20, "b", "13", 1_000_000),
    ])
    let names = try estimated(by: [.name])
    #expect(names.rows.map(\.calledName) == [nil, "After", "Before", "Summer"])
    #expect(names.rows.map { $0.spend?.micros } == [2_000_000, 1_000_000, nil, 8_000_000])
    let campaigns = try estimated(by: [.campaign]).rows
    func installs(_ campaigns: [String], _ rows: [EstimateReport.Row]) -> Double {
      rows.filter { row in row.campaign.map { campaigns.contains($0.campaign) } ?? false }
        .reduce(0) { $0 + $1.sum.installs }
    }
    let renamed = names.rows[1].sum.installs + names.rows[2].sum.installs
    #expect(abs(renamed - installs(["13"], campaigns)) < 1e-6)
    #expect(abs(names.rows[3].sum.installs - installs(["11"], campaigns)) < 1e-6)
    let creatives = try estimated(by: [.creative]).rows
    #expect(creatives.map { $0.group.traits?.label[.creative] } == [nil, "cat", "dog"])
    #expect(creatives.map { $0.spend?.micros } == [3_000_000, 5_000_000, 3_000_000])
    // Spend has no country.
    let countries = try estimated(by: [.country])
    #expect((countries.rows + countries.totals).allSatisfy { $0.spend == nil && $0.verdict == nil })
  }

  /// Publishers of three sizes; the values of one with fewer than five installs on a day are withheld with its name.
  private func publishers(_ random: inout SplitMix64) throws -> [String: Double] {
    var truth: [String: Double] = [:]
    var receipts: [Receipt] = []
    for day in 0..<28 {
      for (publisher, installs) in [
        (1, 20 + random.number(below: 20)), (2, 2 + random.number(below: 6)), (3, 1),
      ] {
        for index in 0..<installs {
          let isPaying = random.happens(0.3)
          truth["\(publisher)", default: 0] += isPaying ? 2 : 0
          receipts.append(
            valid(
              "\(day) \(publisher) \(index)",
              value: installs < 5 ? .absent : fine(isPaying ? 1 : 0),
              at: start + (Int64(day) * 86_400 + Int64(random.number(below: 86_400))) * 1000,
              network: "a.skadnetwork", app: 1, campaign: "11",
              publisher: installs < 5 ? .undisclosed : .app(known(AppID(Int64(publisher))))))
        }
      }
    }
    try store(receipts, in: path)
    return truth
  }

  @Test(arguments: UInt64(1)...5)
  func `What sharing out gets wrong where small publishers are shown less often is within none and all`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let truth = try publishers(&random)
    let rows = try estimated(by: [.publisher]).rows
    #expect(rows.map { $0.group.traits?.shown?.publisher } == ["1", "2", nil])
    for row in rows.dropLast() {
      let publisher = try #require(row.group.traits?.shown?.publisher)
      let paid = try #require(truth[publisher])
      #expect(try #require(row.possible).contains(paid), "\(publisher)")
      // The large publisher is always shown, so that it gets others' installs; the one of medium size gets too few.
      let shared = try #require(row.shared)
      #expect(publisher == "1" ? shared > 1.02 * paid : shared < 0.9 * paid, "\(publisher) \(shared) \(paid)")
    }
    #expect(rows.last?.shared == 0)
  }

  @Test func `What no campaign of a row shows is not shared out, and stays in the row of what is not shown`()
    throws
  {
    let receipts = ["11", "12"].flatMap { campaign in
      (0..<60).map { index in
        let isShown = campaign == "11" && index % 2 == 0
        return valid(
          "\(campaign) \(index)", value: index % 5 == 0 && !isShown ? .absent : fine(index % 3 == 0 ? 1 : 0),
          at: start + Int64(index) * 3_600_000, network: "a.skadnetwork", app: 1, campaign: campaign,
          publisher: isShown ? .web("example.com") : .undisclosed)
      }
    }
    try store(receipts, in: path)
    let campaigns = try estimated(by: [.campaign]).rows
    let publishers = try estimated(by: [.publisher]).rows
    #expect(publishers.count == 2)
    for (row, campaign) in zip(publishers, campaigns) {
      #expect(abs(try #require(row.shared) - (try #require(campaign.sum.estimate))) < 1e-6)
    }
  }

  @Test func `Withheld values of an outcome are estimated by the values that it shows`() throws {
    var random = SplitMix64(seed: 8)
    var truth: [Outcome: Double] = [:]
    var receipts: [Receipt] = []
    for campaign in ["11", "12", "13"] {
      for index in 0..<400 {
        let outcome = index % 3 == 0 ? Outcome.redownload : .install
        let isPaying = random.happens(outcome == .install ? 0.6 : 0.05)
        truth[outcome, default: 0] += isPaying ? 2 : 0
        receipts.append(
          valid(
            "\(campaign) \(index)", value: random.happens(0.4) ? .absent : fine(isPaying ? 1 : 0),
            at: start + Int64(random.number(below: 28 * 86_400)) * 1000, network: "a.skadnetwork", app: 1,
            campaign: campaign, outcome: outcome))
      }
    }
    try store(receipts, in: path)
    let rows = try estimated(by: [.outcome]).rows
    let each = rows.map { (($0.sum.estimate ?? 0) - $0.sum.decoded) / $0.sum.nulls }
    #expect(each.count == 2 && each[1] < 0.4 * each[0])
    for row in rows {
      let outcome = try #require(row.group.traits?.outcome)
      #expect(try #require(row.sum.interval).contains(try #require(truth[outcome])))
    }
  }

  @Test func `Columns of what rows are about are there where they are asked for`() throws {
    var random = SplitMix64(seed: 7)
    try fill(&random)
    func columns(_ by: String) throws -> [Substring] {
      let text = try printed(
        EstimateReport.self, ["environment": "test", "by": by], as: .csv, from: path,
        now: start + 60 * 86_400_000)
      return text.split(separator: "\n").first?.split(separator: ",") ?? []
    }
    let asked = ["outcome", "publisher", "country", "ad-set", "creative", "named-country"]
    for name in asked {
      let found = try columns(name)
      #expect(found.filter { asked.contains(String($0)) } == [Substring(name)])
      #expect(
        found.contains { $0.hasPrefix("shared-revenue-48h") } == ["publisher", "country"].contains(name))
    }
    #expect(try columns("campaign").allSatisfy { !asked.contains(String($0)) && !$0.hasPrefix("shared") })
    let table = try printed(
      EstimateReport.self, ["environment": "test", "by": "country"], as: .table, from: path,
      now: start + 60 * 86_400_000)
    #expect(table.contains("not shown"))
  }
}
