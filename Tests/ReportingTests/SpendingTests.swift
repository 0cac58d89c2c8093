@testable import Campaigns
@testable import Ledger
import MappingFormats
import Mappings
import Postbacks
import Testing
import Values

private func day(_ text: String) -> Day { Day(text) ?? Day(number: 0) }
private func source(_ digits: String) throws -> Campaign {
  .sourceIdentifier(try #require(SourceIdentifier(digits)))
}

struct `Names of campaigns` {
  private let names = CampaignNames(
    [
      ("5239", "2026-01-01", nil), ("1039", "2026-01-01", nil), ("42", "2026-01-01", "2026-03-01"),
      ("42", "2026-03-01", nil), ("7777", "2026-01-01", nil),
    ]
    .map { campaign, from, to in
      CampaignNameRow(
        network: "n", campaign: campaign, from: day(from), to: to.map { day($0) },
        name: "\(campaign) \(from)",
        adSet: nil, creative: nil, country: nil)
    })

  private func match(_ digits: String, from: String = "2026-04-01", to: String = "2026-04-02") throws
    -> [String]
  {
    switch names.match(network: "n", campaign: try source(digits), app: nil, days: day(from)...day(to)) {
    case .unknown: []
    case .known(let row): [row.name]
    case .ambiguous(let names): ["?"] + names
    }
  }

  @Test func `Names of campaigns are found by all four digits`() throws {
    #expect(try match("5239") == ["5239 2026-01-01"])
    #expect(try match("5230") == [])
  }

  @Test func `Names of campaigns are not guessed if the last digits fit several`() throws {
    #expect(try match("39") == ["?", "5239 2026-01-01", "1039 2026-01-01"])
    #expect(try match("239") == ["5239 2026-01-01"])
    #expect(try match("77") == ["7777 2026-01-01"])
  }

  @Test func `Names of campaigns with short digits apply to longer ones`() throws {
    #expect(try match("1042", from: "2026-03-01") == ["42 2026-03-01"])
  }

  @Test func `Names of campaigns with short digits are ambiguous beside one for digits with the same end`()
    throws
  {
    let rows = [
      ("77", "Winter", nil), ("4477", "Summer", nil), ("17", "Old", "2026-02-01"), ("3317", "New", nil),
    ]
    .map { campaign, name, to in
      CampaignNameRow(
        network: "n", campaign: campaign, from: day(name == "New" ? "2026-02-01" : "2026-01-01"),
        to: to.map { day($0) }, name: name, adSet: nil, creative: nil, country: nil)
    }
    let days = day("2026-04-01")...day("2026-04-02")
    let names = CampaignNames(rows)
    #expect(
      names.match(network: "n", campaign: try source("77"), app: nil, days: days)
        == .ambiguous(["Summer", "Winter"]))
    #expect(names.match(network: "n", campaign: try source("4477"), app: nil, days: days) == .known(rows[1]))
    #expect(names.match(network: "n", campaign: try source("1277"), app: nil, days: days) == .known(rows[0]))
    #expect(names.match(network: "n", campaign: try source("17"), app: nil, days: days) == .known(rows[3]))
    let doubts = CampaignNames.doubts(rows)
    #expect(doubts.map(\.short) == [rows[0]] && doubts.map(\.long) == [rows[1]])
  }

  @Test func `Names of campaigns can change on a day`() throws {
    #expect(try match("42", from: "2026-02-27", to: "2026-02-28") == ["42 2026-01-01"])
    #expect(try match("42", from: "2026-03-01", to: "2026-03-02") == ["42 2026-03-01"])
    #expect(try match("42", from: "2026-02-28", to: "2026-03-01") == ["?", "42 2026-01-01", "42 2026-03-01"])
  }

  @Test func `Names of campaigns by campaign-id are not used for last digits`() throws {
    let id = Campaign.campaignID(try #require(CampaignID(39)))
    #expect(
      names.match(network: "n", campaign: id, app: nil, days: day("2026-04-01")...day("2026-04-02"))
        == .unknown)
  }

  @Test func `Names of campaigns are ambiguous if they do not apply to all days`() throws {
    #expect(try match("7777", from: "2025-12-31") == ["?", "7777 2026-01-01", "(unnamed)"])
    #expect(try match("7777", from: "2025-11-30", to: "2025-12-31") == [])
  }

  @Test func `Names of campaigns in a spend file give the digits`() {
    #expect(names.digits(of: "5239 2026-01-01", network: "n", app: nil, on: day("2026-05-01")) == "5239")
    #expect(names.digits(of: "42 2026-01-01", network: "n", app: nil, on: day("2026-05-01")) == nil)
    #expect(names.digits(of: "42 2026-01-01", network: "n", app: nil, on: day("2026-02-01")) == "42")
    #expect(names.digits(of: "12", network: "n", app: nil, on: day("2026-02-01")) == "12")
  }
}

struct `Exchange rates` {
  private let rates = ExchangeRates([
    RateRow(day: day("2026-02-01"), currency: "EUR", quote: "USD", picos: 1_200_000_000_000),
    RateRow(day: day("2026-01-01"), currency: "EUR", quote: "USD", picos: 1_100_000_000_000),
    RateRow(day: day("2026-01-01"), currency: "USD", quote: "JPY", picos: 150_000_000_000_000),
  ])

  private func convert(_ amount: String, _ from: String, _ to: String, _ on: String) throws -> String? {
    try rates.convert(
      Amount(decimal: amount), from: try #require(CurrencyCode(from)), to: try #require(CurrencyCode(to)),
      on: day(on)
    ).map { "\($0)" }
  }

  @Test func `Exchange rates are those of the day or the newest before it`() throws {
    #expect(try convert("10", "EUR", "USD", "2026-01-31") == "11")
    #expect(try convert("10", "EUR", "USD", "2026-02-01") == "12")
    #expect(try convert("10", "EUR", "USD", "2027-02-01") == "12")
    #expect(try convert("10", "EUR", "USD", "2025-12-31") == nil)
  }

  @Test func `Exchange rates are inverted, and never chained`() throws {
    #expect(try convert("150", "JPY", "USD", "2026-01-01") == "1")
    #expect(try convert("-1", "JPY", "USD", "2026-01-01") == "-0.006667")
    #expect(try convert("1", "EUR", "JPY", "2026-01-01") == nil)
    #expect(try convert("1", "EUR", "EUR", "2020-01-01") == "1")
  }

  @Test func `Exchange rates limit what does not fit to the end of the range`() throws {
    #expect(try convert("9000000000000", "USD", "JPY", "2026-01-01") == "9223372036854.775807")
    #expect(try convert("-9000000000000", "USD", "JPY", "2026-01-01") == "-9223372036854.775808")
  }
}

struct `Spend` {
  private func row(_ digits: String, network: String = "n", app: Int64? = 1, day: Day? = nil) throws
    -> CampaignRow
  {
    var row = CampaignRow(uncounted: try source(digits), app: app.flatMap { AppID($0) }, network: network)
    row[.day] = day.map { .day($0) }
    return row
  }

  private func paid(_ campaign: String, network: String = "n", app: Int64? = nil, currency: String = "USD")
    -> SpendRow
  {
    SpendRow(
      day: day("2026-02-01"), network: network, campaign: campaign, app: app, currency: currency,
      micros: 1_000_000)
  }

  private func spending(
    _ spend: [SpendRow], _ rows: [CampaignRow], digits: Int? = nil, into currency: String? = nil
  ) -> Spending {
    Spending(
      GivenSpend(rows: spend), for: CampaignQuery(dimensions: [.app, .network, .campaign], digits: digits),
      rows: rows,
      names: CampaignNames([]),
      rates: ExchangeRates([
        RateRow(day: day("2026-01-01"), currency: "EUR", quote: "USD", picos: 2_000_000_000_000)
      ]), into: currency.flatMap { CurrencyCode($0) })
  }

  @Test func `Spend goes to the one row that it fits, and otherwise to none`() throws {
    let usd = try #require(CurrencyCode("USD"))
    let rows = [try row("5239"), try row("39"), try row("17"), try row("17", app: 2)]
    let found = spending([paid("5239"), paid("5239"), paid("17"), paid("17", app: 2), paid("99")], rows)
    #expect(found.rows.map { $0[usd]?.micros } == [2_000_000, nil, nil, 1_000_000])
    #expect(found.unmatched[usd]?.micros == 2_000_000)
  }

  @Test func `Spend shortens its digits as the report does`() throws {
    let usd = try #require(CurrencyCode("USD"))
    #expect(spending([paid("5239")], [try row("39")], digits: 2).rows[0][usd]?.micros == 1_000_000)
  }

  @Test func `Spend stays in its currency without a rate`() throws {
    let (usd, gbp) = (try #require(CurrencyCode("USD")), try #require(CurrencyCode("GBP")))
    let found = spending(
      [paid("39", currency: "EUR"), paid("39", currency: "GBP")], [try row("39")], into: "USD")
    #expect(found.rows[0] == [usd: Amount(micros: 2_000_000), gbp: Amount(micros: 1_000_000)])
  }
}

/// Looks at every row for each piece of spend, and at every name and rate, as the rule is written down.
private struct NaiveSpending {
  var rows: [[CurrencyCode: Amount]]
  var unmatched: [CurrencyCode: Amount] = [:]
  /// The spend of each row.
  var paid: [[SpendRow]]
  var fittingSeveral: [SpendRow] = []

  init(_ spend: [SpendRow], _ query: CampaignQuery, _ rows: [CampaignRow], _ names: [CampaignNameRow]) {
    self.rows = Array(repeating: [:], count: rows.count)
    self.paid = Array(repeating: [], count: rows.count)
    for paid in spend {
      guard let currency = CurrencyCode(paid.currency) else { continue }
      let isDigits = paid.campaign.utf8.allSatisfy { (0x30...0x39).contains($0) }
      let called = Set(
        names.filter {
          $0.network == paid.network && $0.name == paid.campaign && $0.from <= paid.day
            && ($0.to.map { paid.day < $0 } ?? true)
            && ($0.app == nil || paid.app == nil || $0.app == paid.app)
        }.map(\.campaign))
      let digits = isDigits ? paid.campaign : called.count == 1 ? called.first : nil
      let fitting = rows.indices.filter { Self.fits(paid, digits, rows[$0], query) }
      let amount = Amount(micros: paid.micros)
      if fitting.count == 1 {
        self.paid[fitting[0]].append(paid)
        self.rows[fitting[0]][currency] = (self.rows[fitting[0]][currency] ?? .zero).adding(amount).sum
      } else {
        if fitting.count > 1 { fittingSeveral.append(paid) }
        unmatched[currency] = (unmatched[currency] ?? .zero).adding(amount).sum
      }
    }
  }

  private static func fits(
    _ paid: SpendRow, _ digits: String?, _ row: CampaignRow, _ query: CampaignQuery
  ) -> Bool {
    query.dimensions.allSatisfy { dimension in
      switch dimension {
      case .day: row.day == paid.day
      case .network: row.network == paid.network
      case .app: paid.app == nil || row.app?.number == paid.app
      case .campaign: digits.map { fits($0, row.campaign, query.digits) } ?? false
      case .week: row[.week] == .day(paid.day.monday)
      case .month: row[.month] == .month(paid.day.startOfMonth)
      default: true
      }
    }
  }

  private static func fits(_ digits: String, _ campaign: Campaign?, _ kept: Int?) -> Bool {
    guard case .sourceIdentifier(let identifier) = campaign, let kept else { return campaign?.text == digits }
    return identifier.text == digits.suffix(kept)
  }
}

/// Rows that count how often one is looked at.
private struct CountedRows: RandomAccessCollection {
  final class Looks {
    var count = 0
  }

  let rows: [CampaignRow]
  let looks = Looks()
  var startIndex: Int { 0 }
  var endIndex: Int { rows.count }
  subscript(index: Int) -> CampaignRow {
    looks.count += 1
    return rows[index]
  }
}

struct `Spend that is looked up` {
  @Test
  func `Spend that is looked up is assigned with one look-up for each row, however many amounts there are`()
    throws
  {
    let days = (0..<500).map { Day(number: 20_000 + $0) }
    let rows = CountedRows(
      rows: try days.map { day in
        var row = CampaignRow(
          uncounted: .sourceIdentifier(try #require(SourceIdentifier("5239"))), app: nil, network: "n")
        row[.day] = .day(day)
        return row
      })
    let paid = (0..<4).flatMap { _ in
      days.map { SpendRow(day: $0, network: "n", campaign: "5239", app: nil, currency: "USD", micros: 1) }
    }
    let found = Spending(
      GivenSpend(rows: paid), for: CampaignQuery(dimensions: [.day, .network, .campaign]), rows: rows,
      names: CampaignNames([]),
      rates: ExchangeRates([]), into: nil)
    #expect(found.rows.allSatisfy { $0.values.map(\.micros) == [4] })
    #expect(rows.looks.count == rows.rows.count)
  }

  /// A row as it would come for a question: only what is asked for, and no place twice.
  private func rows(_ random: inout SplitMix64, _ query: CampaignQuery) -> [CampaignRow] {
    var seen: Set<String> = []
    return (0..<random.number(below: 60)).compactMap { _ in
      let digits = String(["17", "39", "5239", "239", "9917", "8"][random.number(below: 6)])
      let campaign: Campaign? =
        random.number(below: 3) == 0 || digits.count < 2
        ? CampaignID(Int64(digits) ?? 1).map { .campaignID($0) }
        : SourceIdentifier(String(digits.suffix(query.digits ?? 4))).map { .sourceIdentifier($0) }
      let (day, network) = (
        Day(number: 20_000 + Int32(random.number(below: 3))), ["n", "m"][random.number(below: 2)]
      )
      let app = AppID(Int64(1 + random.number(below: 2)))
      let window = ConversionWindow(rawValue: random.number(below: 2))
      guard campaign != nil else { return nil }
      var whole = CampaignRow(uncounted: campaign, app: app, network: network)
      whole[.window] = window.map { .window($0) }
      (whole[.day], whole[.week], whole[.month]) = (.day(day), .day(day.monday), .month(day.startOfMonth))
      let row = whole.keeping(query.dimensions)
      let key = "\(row.key)"
      return seen.insert(key).inserted ? row : nil
    }
  }

  private func spend(_ random: inout SplitMix64) -> [SpendRow] {
    (0..<random.number(below: 80)).map { _ in
      SpendRow(
        day: Day(number: 20_000 + Int32(random.number(below: 4))),
        network: ["n", "m", "o"][random.number(below: 3)],
        campaign: ["17", "39", "5239", "239", "9917", "8", "Winter", "Both", "?"][random.number(below: 9)],
        app: [nil, 1, 2, 3][random.number(below: 4)], currency: ["USD", "EUR"][random.number(below: 2)],
        micros: Int64(1 + random.number(below: 1_000_000)),
        impressions: random.number(below: 3) == 0 ? nil : Int64(random.number(below: 5000)),
        clicks: random.number(below: 3) == 0 ? nil : Int64(random.number(below: 50)))
    }
  }

  @Test(arguments: UInt64(1)...400)
  func `Spend that is looked up is assigned to the rows that a search of every row finds`(seed: UInt64) throws
  {
    var random = SplitMix64(seed: seed)
    let dimensions = [CampaignDimension.day, .week, .month, .app, .network, .campaign, .window].filter { _ in
      random.number(below: 4) > 0
    }
    let query = CampaignQuery(
      dimensions: dimensions, digits: [nil, 2, 3, 4][random.number(below: 4)])
    let names = [("17", "Winter"), ("39", "Both"), ("8", "Both"), ("5239", "Winter")].flatMap {
      campaign, name in
      ["n", "m"].map { network in
        let from = Int32(20_000 + random.number(below: 3))
        return CampaignNameRow(
          network: network, campaign: campaign, app: [nil, nil, 1, 2][random.number(below: 4)],
          from: Day(number: from),
          to: random.number(below: 2) == 0 ? nil : Day(number: from + 1 + Int32(random.number(below: 2))),
          name: name, adSet: nil, creative: nil, country: nil)
      }
    }
    let (rows, paid) = (rows(&random, query), spend(&random))
    let found = Spending(
      GivenSpend(rows: paid), for: query, rows: rows, names: CampaignNames(names), rates: ExchangeRates([]),
      into: nil,
      listsUnmatched: true)
    let wanted = NaiveSpending(paid, query, rows, names)
    #expect(found.rows == wanted.rows)
    #expect(found.unmatched == wanted.unmatched)
    for (row, fitting) in wanted.paid.enumerated() {
      let delivery = found.deliveries[row]
      let (shown, clicked) = (fitting.compactMap(\.impressions), fitting.compactMap(\.clicks))
      #expect(delivery.count(\.impressions) == (shown.isEmpty ? nil : shown.reduce(0, +)))
      #expect(delivery.count(\.clicks) == (clicked.isEmpty ? nil : clicked.reduce(0, +)))
      let both = fitting.filter { $0.impressions != nil && $0.clicks != nil }
      let impressions = both.compactMap(\.impressions).reduce(0, +)
      #expect(delivery.clickRate?.impressions == (impressions > 0 ? impressions : nil))
      let usd = try #require(CurrencyCode("USD"))
      let billed = fitting.filter { $0.impressions != nil }
      if Set(billed.map(\.currency)) == ["USD"], shown.reduce(0, +) > 0 {
        let mille = Double(billed.map(\.micros).reduce(0, +)) * 1000 / Double(shown.reduce(0, +))
        #expect(delivery.cost(of: 1000, \.impressions, in: usd)?.micros == Int64(mille.rounded()))
      } else {
        #expect(delivery.cost(of: 1000, \.impressions, in: usd) == nil)
      }
    }
    // The rows without a place come to the same sums.
    var sums: [CurrencyCode: Amount] = [:]
    for row in found.unmatchedRows {
      let currency = try #require(row.key.currency)
      sums[currency] = (sums[currency] ?? .zero).adding(try #require(row.amount)).sum
    }
    #expect(sums == wanted.unmatched)
    for row in found.unmatchedRows {
      let isNetworkKnown = rows.contains { $0.network == row.key.network }
      if query.dimensions.contains(.network) {
        #expect((row.key.reason == .unknownNetwork) == !isNetworkKnown)
      }
      if row.key.reason == .severalRows {
        #expect(wanted.fittingSeveral.contains { $0.campaign == row.key.campaign })
      }
    }
    #expect(found.unmatchedRows.contains { $0.key.reason == .severalRows } == !wanted.fittingSeveral.isEmpty)
    var total = wanted.unmatched
    for (currency, amount) in wanted.rows.flatMap({ $0 }) {
      total[currency] = (total[currency] ?? .zero).adding(amount).sum
    }
    #expect(found.total == total)
  }

  @Test(arguments: UInt64(1)...100)
  func `Spend that is looked up is converted by the rate that a search of every rate finds`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    let (usd, eur) = (try #require(CurrencyCode("USD")), try #require(CurrencyCode("EUR")))
    let days = Set((0..<random.number(below: 20)).map { _ in Int32(random.number(below: 40)) })
    let rates = days.map {
      RateRow(day: Day(number: $0), currency: "EUR", quote: "USD", picos: 1_000_000_000_000 * Int64($0 + 1))
    }
    let book = ExchangeRates(rates)
    for day in Int32(-1)...41 {
      let newest = days.filter { $0 <= day }.max()
      let converted = book.convert(Amount(micros: 1_000_000), from: eur, to: usd, on: Day(number: day))
      #expect(converted == newest.map { Amount(micros: 1_000_000 * Int64($0 + 1)) })
    }
  }
}
