import ConversionMapping
@testable import Ledger
import Platform
import Postbacks
import Testing

@testable import Reporting

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
    switch names.match(network: "n", campaign: try source(digits), days: day(from)...day(to)) {
    case .unknown: []
    case .known(let row): [row.name]
    case .ambiguous(let names): ["?"] + names
    }
  }

  @Test func `are found by all four digits`() throws {
    #expect(try match("5239") == ["5239 2026-01-01"])
    #expect(try match("5230") == [])
  }

  @Test func `are not guessed where the last digits fit several`() throws {
    #expect(try match("39") == ["?", "5239 2026-01-01", "1039 2026-01-01"])
    #expect(try match("239") == ["5239 2026-01-01"])
    #expect(try match("77") == ["7777 2026-01-01"])
  }

  @Test func `of short digits hold for longer ones`() throws {
    #expect(try match("1042", from: "2026-03-01") == ["42 2026-03-01"])
  }

  @Test func `change on a day`() throws {
    #expect(try match("42", from: "2026-02-27", to: "2026-02-28") == ["42 2026-01-01"])
    #expect(try match("42", from: "2026-03-01", to: "2026-03-02") == ["42 2026-03-01"])
    #expect(try match("42", from: "2026-02-28", to: "2026-03-01") == ["?", "42 2026-01-01", "42 2026-03-01"])
  }

  @Test func `of campaign ids are no last digits of anything`() throws {
    let id = Campaign.campaignID(try #require(CampaignID(39)))
    #expect(
      names.match(network: "n", campaign: id, days: day("2026-04-01")...day("2026-04-02")) == .unknown)
  }

  @Test func `leave a doubt where they do not hold on all days`() throws {
    #expect(try match("7777", from: "2025-12-31") == ["?", "7777 2026-01-01", "(unnamed)"])
    #expect(try match("7777", from: "2025-11-30", to: "2025-12-31") == [])
  }

  @Test func `lead from a spend file's name to the digits`() {
    #expect(names.digits(of: "5239 2026-01-01", network: "n", on: day("2026-05-01")) == "5239")
    #expect(names.digits(of: "42 2026-01-01", network: "n", on: day("2026-05-01")) == nil)
    #expect(names.digits(of: "42 2026-01-01", network: "n", on: day("2026-02-01")) == "42")
    #expect(names.digits(of: "12", network: "n", on: day("2026-02-01")) == "12")
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

  @Test func `are those of the day or the newest before it`() throws {
    #expect(try convert("10", "EUR", "USD", "2026-01-31") == "11")
    #expect(try convert("10", "EUR", "USD", "2026-02-01") == "12")
    #expect(try convert("10", "EUR", "USD", "2027-02-01") == "12")
    #expect(try convert("10", "EUR", "USD", "2025-12-31") == nil)
  }

  @Test func `are turned round, and never chained`() throws {
    #expect(try convert("150", "JPY", "USD", "2026-01-01") == "1")
    #expect(try convert("-1", "JPY", "USD", "2026-01-01") == "-0.006667")
    #expect(try convert("1", "EUR", "JPY", "2026-01-01") == nil)
    #expect(try convert("1", "EUR", "EUR", "2020-01-01") == "1")
  }

  @Test func `hold what does not fit at the end of the range`() throws {
    #expect(try convert("9000000000000", "USD", "JPY", "2026-01-01") == "9223372036854.775807")
    #expect(try convert("-9000000000000", "USD", "JPY", "2026-01-01") == "-9223372036854.775808")
  }
}

struct `Spend` {
  private func row(_ digits: String, network: String = "n", app: Int64? = 1, day: Day? = nil) throws
    -> CampaignRow
  {
    CampaignRow(
      day: day, app: app.flatMap { AppID($0) }, network: network, campaign: try source(digits), version: nil,
      window: nil,
      days: Day(number: 20_485)...Day(number: 20_485), counts: .zero)
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
      spend, for: CampaignQuery(dimensions: [.app, .network, .campaign], digits: digits), rows: rows,
      names: CampaignNames([]),
      rates: ExchangeRates([
        RateRow(day: day("2026-01-01"), currency: "EUR", quote: "USD", picos: 2_000_000_000_000)
      ]), into: currency.flatMap { CurrencyCode($0) })
  }

  @Test func `goes to the one row that it fits, and otherwise to none`() throws {
    let usd = try #require(CurrencyCode("USD"))
    let rows = [try row("5239"), try row("39"), try row("17"), try row("17", app: 2)]
    let found = spending([paid("5239"), paid("5239"), paid("17"), paid("17", app: 2), paid("99")], rows)
    #expect(found.rows.map { $0[usd]?.micros } == [2_000_000, nil, nil, 1_000_000])
    #expect(found.unmatched[usd]?.micros == 2_000_000)
  }

  @Test func `folds its digits as the report does`() throws {
    let usd = try #require(CurrencyCode("USD"))
    #expect(spending([paid("5239")], [try row("39")], digits: 2).rows[0][usd]?.micros == 1_000_000)
  }

  @Test func `stays in its currency without a rate`() throws {
    let (usd, gbp) = (try #require(CurrencyCode("USD")), try #require(CurrencyCode("GBP")))
    let found = spending(
      [paid("39", currency: "EUR"), paid("39", currency: "GBP")], [try row("39")], into: "USD")
    #expect(found.rows[0] == [usd: Amount(micros: 2_000_000), gbp: Amount(micros: 1_000_000)])
  }
}
