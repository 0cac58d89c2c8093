import Campaigns
@testable import EstimateReports
import Ledger
import Mappings
import PostbackFixtures
import Postbacks
import Tables
import Testing
import TestSupport
import Values

/// A week's revenue beside that of the week before.
struct `Causes of a change, as a report`: ~Copyable {
  private let folder: TemporaryFolder
  private let path: String
  /// 2026-11-16, the first day of the later week.
  private static let monday: Int32 = 20_773

  private struct Install {
    /// Of the install, after the first day of the later week.
    var day: Int32
    var value: ConversionValue
    var campaign = "5239"
    var count = 1
  }

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("skan.db")
  }

  private func load(
    _ versions: [(from: String, worth: Int)], more: String = "", currency: String = "USD"
  ) throws {
    try MappingStore(path: path).replaceAll(
      with: try versions.enumerated().map { index, version in
        let text = """
          {"name":"m","app":525463029,"currency":"\(currency)","effective-from":"\(version.from)","protocol":"skan4",
           "fine":[{"value":0,"revenue":{"from":0,"to":1,"representative":0}},
                   {"value":1,"revenue":{"from":\(version.worth),"to":\(version.worth + 2)}}\(more)]}
          """
        let mapping = try #require(MappingDocument.read(Array(text.utf8)).document?.mapping)
        return StoredMapping(
          source: "\(index).json", app: mapping.app, effectiveFrom: mapping.effectiveFrom, digest: "\(index)",
          loadedAt: mapping.effectiveFrom, document: Array(text.utf8))
      })
  }

  private func store(_ installs: [Install]) throws {
    var receipts: [Receipt] = []
    for install in installs {
      for _ in 0..<install.count {
        receipts.append(
          valid(
            "c\(receipts.count)", value: install.value,
            // Noon of the day of install, and half a day more or less than the middle of the delay is the same day.
            at: Day(number: Self.monday + install.day).start + (12 + 84) * Hour.milliseconds
              + Int64(receipts.count),
            campaign: install.campaign))
      }
    }
    _ = try LedgerWriter(path: path).commit(receipts)
  }

  /// Stores own users of a version with the value 1, who all pay the same number of millionths.
  private func storeUsers(of version: String, paying amount: Int64) throws {
    let app = try #require(AppID(525_463_029))
    let from = try #require(Instant("\(version)T00:00:00Z"))
    try ReferenceStore(path: path).replaceWorth(
      of: app, effectiveFrom: from,
      with: [
        ValueWorthRow(
          app: app, effectiveFrom: from, horizon: .firstWindow, currency: "USD", value: 1,
          each: [Int64](repeating: amount, count: 400))
      ])
  }

  /// The later week, so that the earlier one is before it.
  private static let week = ["environment": "test", "from": "2026-11-16", "to": "2026-11-23"]
  private static let now = Day(number: monday + 14).start

  /// The amounts of the causes, in thousandths of a dollar.
  private func amounts(
    _ words: [String: String] = [:], in days: [String: String] = week, at now: Instant = now
  ) throws -> [String: Double] {
    let csv = try printed(
      CausesReport.self, words.merging(days) { $1 }, as: .csv, from: path, now: now)
    let lines = csv.split(whereSeparator: \.isNewline).map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let head = try #require(lines.first).map(String.init)
    let (cause, amount) = (
      try #require(head.firstIndex(of: "cause")), try #require(head.firstIndex(of: "amount"))
    )
    return Dictionary(
      uniqueKeysWithValues: try lines.dropFirst().map {
        (String($0[cause]), (try #require(Double($0[amount])) * 1000).rounded() / 1000 + 0)
      })
  }

  @Test func `More installs of the same kind are volume alone`() throws {
    try load([("2026-01-01", 1)])
    try store([
      .init(day: -4, value: fine(1), count: 20), .init(day: -4, value: fine(0), count: 20),
      .init(day: 3, value: fine(1), count: 30), .init(day: 3, value: fine(0), count: 30),
    ])
    #expect(
      try amounts() == ["volume": 20, "mix": 0, "worth": 0, "together": 20])
  }

  @Test func `A change of exchange rates is a cause of its own, and not what users pay`() throws {
    try load([("2026-01-01", 1)], currency: "EUR")
    try store([
      .init(day: -4, value: fine(1), count: 1_000), .init(day: 3, value: fine(1), count: 1_000),
    ])
    try ReferenceStore(path: path).put(
      [(-7, 1_000_000_000_000), (0, 1_500_000_000_000)].map { day, picos in
        RateRow(day: Day(number: Self.monday + day), currency: "EUR", quote: "USD", picos: picos)
      })
    #expect(
      try amounts(["currency": "USD"]) == [
        "volume": 0, "mix": 0, "worth": 0, "exchange-rates": 1_000, "together": 1_000,
      ])
    // In their own currency nothing has changed, and there are no rates.
    #expect(try amounts() == ["volume": 0, "mix": 0, "worth": 0, "together": 0])
  }

  @Test func `At the same exchange rate the causes are those of the mapping's currency`() throws {
    try load([("2026-01-01", 1)], currency: "EUR")
    try store([
      .init(day: -4, value: fine(1), count: 20), .init(day: -4, value: fine(0), count: 20),
      .init(day: 3, value: fine(1), count: 50), .init(day: 3, value: fine(0), count: 10),
    ])
    try ReferenceStore(path: path).put([
      RateRow(day: Day(number: 0), currency: "EUR", quote: "USD", picos: 1_083_700_000_000)
    ])
    let (euros, dollars) = (try amounts(), try amounts(["currency": "USD"]))
    #expect(dollars["exchange-rates"] == 0)
    for (cause, amount) in euros { #expect(abs(amount * 1.0837 - (dollars[cause] ?? 0)) < 2e-3) }
  }

  @Test func `Values that are withheld are no cause, and the others add up to the whole change`() throws {
    try load([("2026-01-01", 1)])
    try store([
      .init(day: -4, value: fine(1), count: 20), .init(day: -4, value: fine(0), count: 20),
      .init(day: -4, value: fine(1), campaign: "1111", count: 40),
      .init(day: 3, value: fine(1), count: 20), .init(day: 3, value: .absent, count: 20),
      .init(day: 3, value: fine(1), campaign: "1111", count: 10),
      .init(day: 3, value: fine(0), campaign: "1111", count: 10),
    ])
    let found = try amounts()
    let parts = found.filter { $0.key != "together" }.values.reduce(0, +)
    #expect(Set(found.keys) == ["volume", "mix", "worth", "together"])
    #expect(try abs(parts - #require(found["together"])) < 2e-3)
    // Sixty conversions in place of eighty, at a dollar and a half each.
    #expect(found["volume"] == -30)
  }

  @Test
  func `Versions without own users are one cause with what users pay, and a note states it`()
    throws
  {
    try load([("2026-01-01", 1), ("2026-11-16", 3)])
    try store([.init(day: -4, value: fine(1), count: 50), .init(day: 3, value: fine(1), count: 50)])
    #expect(try amounts() == ["volume": 0, "mix": 0, "mapping-or-worth": 100, "together": 100])
    let text = try printed(CausesReport.self, Self.week, as: .table, from: path, now: Self.now)
    #expect(text.contains("nothing distinguishes mapping and worth"))
  }

  @Test func `Versions whose own users are known leave what users pay alone`() throws {
    try load([("2026-01-01", 1), ("2026-11-16", 3)])
    try store([.init(day: -4, value: fine(1), count: 50), .init(day: 3, value: fine(1), count: 50)])
    for version in ["2026-01-01", "2026-11-16"] { try storeUsers(of: version, paying: 2_500_000) }
    // Both read the same users: what one version calls 1 to 3 and the other 3 to 5 is 2.5.
    #expect(try amounts() == ["volume": 0, "mix": 0, "worth": 0, "together": 0])
  }

  @Test func `Where a period has no estimate, a note states which, and there are no causes`() throws {
    try load([("2026-01-01", 1)])
    try store([.init(day: 3, value: fine(1), count: 50)])
    let text = try printed(CausesReport.self, Self.week, as: .table, from: path, now: Self.now)
    #expect(text.contains("no causes in USD: installs of the earlier days have no estimated revenue"))
    #expect(try amounts().isEmpty)
  }

  @Test func `Days whose postbacks are still to come are named`() throws {
    try load([("2026-01-01", 1)])
    try store([.init(day: -4, value: fine(1), count: 50), .init(day: 1, value: fine(1), count: 50)])
    func text(_ now: Instant) throws -> String {
      try printed(CausesReport.self, Self.week, as: .table, from: path, now: now)
    }
    let words = "and later days are still to come"
    #expect(try text(Day(number: Self.monday + 8).start).contains("installs on 2026-11-20 \(words)"))
    #expect(try !text(Self.now).contains(words))
  }

  @Test func `Parts of one currency name their horizons, for people too`() throws {
    try load([("2026-01-01", 1)])
    try store([.init(day: -4, value: fine(1), count: 50), .init(day: 3, value: fine(1), count: 60)])
    let text = try printed(CausesReport.self, Self.week, as: .table, from: path, now: Self.now)
    let heads = text.split(separator: "\n").filter { $0.contains("currency") }
    #expect(heads.count == 3)
    #expect(heads.allSatisfy { $0.contains("horizon") })
  }

  @Test func `A value without revenue is shown, and no cause of its own`() throws {
    try load([("2026-01-01", 1)], more: #",{"value":9,"events":["trial"]}"#)
    try store([
      .init(day: -4, value: fine(1), count: 20), .init(day: -4, value: fine(9), count: 20),
      .init(day: 3, value: fine(1), count: 20), .init(day: 3, value: fine(9), count: 60),
    ])
    // Four times as many trials at the same revenue: users pay less each, and nothing is withheld.
    let found = try amounts()
    #expect(found == ["volume": 40, "mix": 0, "worth": -40, "together": 0])
  }

  @Test func `Spend of a campaign is that of all its digits, in the currency that is asked for`() throws {
    try load([("2026-01-01", 1)])
    try store([.init(day: -4, value: fine(1), count: 20), .init(day: 3, value: fine(1), count: 30)])
    let store = try ReferenceStore(path: path)
    func paid(_ day: Int32, _ campaign: String, _ currency: String, _ units: Int64) -> SpendRow {
      SpendRow(
        day: Day(number: Self.monday + day), network: "example123.skadnetwork", campaign: campaign,
        app: 525_463_029,
        currency: currency, micros: units * 1_000_000, environment: .test)
    }
    try store.put([paid(-4, "5239", "USD", 5), paid(3, "5239", "USD", 7), paid(4, "5239", "EUR", 10)])
    try store.put([RateRow(day: Day(number: 0), currency: "EUR", quote: "USD", picos: 1_500_000_000_000)])
    func spend(_ words: [String: String]) throws -> [Substring] {
      let json = try printed(
        CausesReport.self, words.merging(Self.week) { $1 }, as: .json, from: path, now: Self.now)
      return json.matches(of: /"(?:previous-)?spend": ?"?([0-9.]+)"?/).map(\.output.1)
    }
    #expect(try spend([:]).map(String.init) == ["5", "7"])
    #expect(try spend(["currency": "USD"]).map(String.init) == ["5", "22"])
  }

  @Test(arguments: [(["5239"], "One"), (["5239", "1139"], nil)])
  func `A campaign that moved has a name only where its digits leave no doubt`(
    named: [String], name: String?
  ) throws {
    try load([("2026-01-01", 1)])
    try store([.init(day: -4, value: fine(1), count: 20), .init(day: 3, value: fine(1), count: 30)])
    try ReferenceStore(path: path).put(
      zip(named, ["One", "Two"]).map { digits, name in
        CampaignNameRow(
          network: "example123.skadnetwork", campaign: digits, from: Day(number: 0), to: nil, name: name,
          adSet: nil, creative: nil, country: nil)
      })
    var report = CausesReport()
    report.scope.environment = .test
    let monday = Day(number: Self.monday)
    (report.period.from, report.period.to) = (monday, Day(number: monday.number + 7))
    let answer = try report.answer(
      from: ReportSource(reader: LedgerReader(path: path), now: Self.now))
    let place = try #require(answer.rows(of: CausesReport.campaigns).first?.place)
    #expect(place.name == name)
    // The page lists no names that the digits can stand for, as the table of the report has none.
    #expect(place.candidates == [])
  }

  /// 28 more than 100 are 1.85 standard deviations, 50 more are 3.2.
  ///
  /// The interval of each line is above nothing; by 1.85 both lines together are chance more often than once in ten reports.
  @Test(arguments: [(128, true, "false"), (150, true, "true"), (150, false, "true")])
  func `Which causes are sure is decided for all lines of a report together`(
    after: Int, hasUsers: Bool, isSure: String
  ) throws {
    try load([("2026-01-01", 1)])
    // Without own users the mapping's range leaves open what values are worth, in both weeks alike.
    if hasUsers { try storeUsers(of: "2026-01-01", paying: 2_000_000) }
    try store([.init(day: -4, value: fine(1), count: 100), .init(day: 3, value: fine(1), count: after)])
    let text = try printed(CausesReport.self, Self.week, as: .csv, from: path, now: Self.now)
    let lines = text.split(whereSeparator: \.isNewline).filter {
      $0.contains("volume") || $0.contains("together")
    }
    #expect(lines.count == 2)
    for line in lines {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      #expect(Double(cells[3]).map { $0 > 0 } == true, "\(line)")
      #expect(cells[6] == isSure, "\(line)")
    }
  }

  @Test func `Without days the last seven install days of which most postbacks have arrived are explained`()
    throws
  {
    try load([("2026-01-01", 1)])
    try store([.init(day: -4, value: fine(1), count: 20), .init(day: 3, value: fine(1), count: 30)])
    let now = Day(number: Self.monday + 12).start
    #expect(try amounts(in: ["environment": "test"], at: now)["together"] == 20)
  }
}
