import EstimateReports
import Ledger
import Postbacks
import Testing
import Values

struct `The currency and the days of all estimated money` {
  private let now = Instant("2026-11-24T10:00:00Z") ?? Instant(seconds: 0)

  /// A site of apps whose mappings have these currencies, the first of which has users with 30 days of history.
  private func site(_ currencies: [String]) throws -> OpenSite {
    try OpenSite(at: now) { database in
      let mappings = currencies.enumerated().compactMap { OpenSite.mapping(Int64($0 + 1), $1) }
      try MappingStore(path: database).replaceAll(with: mappings)
      guard let first = mappings.first else { return }
      try ReferenceStore(path: database).replaceWorth(
        of: first.app, effectiveFrom: first.effectiveFrom,
        with: [
          ValueWorthRow(
            app: first.app, effectiveFrom: first.effectiveFrom, horizon: .days(30),
            currency: currencies[0], value: 1, each: [3_000_000, 5_000_000])
        ])
    }
  }

  private func money(_ site: OpenSite, app: Int64? = nil) throws -> ReportingMoney {
    try ReportingMoney(
      ofService: LedgerReader(path: site.database), for: [app.flatMap { AppID($0) }].compactMap(\.self),
      now: now)
  }

  @Test(arguments: [
    ([], nil), (["USD"], "USD"), (["JPY", "EUR", "JPY"], "JPY"), (["USD", "EUR"], "EUR"),
  ])
  func `Without a choice the currency is that of most apps' mappings, the first of several`(
    currencies: [String], expected: String?
  ) throws {
    let found = try money(site(currencies))
    #expect(found.currency?.text == expected && found.days == nil)
  }

  @Test func `A form chooses both for everyone, and an empty form goes back`() throws {
    let site = try site(["EUR", "USD"])
    let answer = try site.post("/data", [("do", "money"), ("currency", "USD"), ("horizon", "30")])
    #expect(answer.status == 303)
    #expect(try money(site) == ReportingMoney(currency: CurrencyCode("USD"), days: 30))
    // Of an app without users who have so many days, money is of the hours that values count.
    #expect(try money(site, app: 1).days == 30 && money(site, app: 2).days == nil)
    let form = try site.section("money", of: "/data")
    #expect(
      form.contains("<option value=\"USD\" selected>") && form.contains("<option value=\"30\" selected>"))
    #expect(try site.post("/data", [("do", "money"), ("currency", ""), ("horizon", "")]).status == 303)
    #expect(try money(site) == ReportingMoney(currency: CurrencyCode("EUR")))
    for wrong in [("currency", "XYZ"), ("horizon", "0"), ("horizon", "many")] {
      #expect(try site.post("/data", [("do", "money"), wrong]).status == 400, "\(wrong)")
    }
    #expect(try money(site).currency?.text == "EUR")
  }
}
