import Ledger
import Postbacks
import Testing
import Values

/// Three campaigns of installs that are worth 2 each: one that earns, one that loses, and one without spend.
struct `The page of campaigns` {
  private let now = Instant("2026-11-24T10:00:00Z") ?? Instant(seconds: 0)

  private func site() throws -> OpenSite {
    try OpenSite(at: now) { database in
      let value = ConversionValue.fine(try #require(FineValue(1)))
      var installs: [OpenSite.Install] = []
      for days in 6...25 {
        for campaign in ["11", "22", "33"] {
          for number in 0..<12 {
            let at = now.day.start + (-Int64(days) * 24 + Int64(2 * number)) * 3_600_000
            installs.append(.init(campaign: campaign, at: at, value: value))
          }
        }
      }
      try OpenSite.store(installs.sorted { $0.at < $1.at }, in: database)
      try MappingStore(path: database).replaceAll(with: [OpenSite.mapping(1, "EUR")].compactMap(\.self))
      _ = try ReferenceStore(path: database).put(
        (4...32).flatMap { days in
          [("11", 4), ("22", 400)].map { campaign, units in
            SpendRow(
              day: Day(number: now.day.number - days), network: "net.skadnetwork", campaign: campaign, app: 1,
              currency: "EUR", micros: Int64(units) * 1_000_000)
          }
        })
    }
  }

  private func rows(_ page: String) -> [String] {
    page.matches(of: /<tr role="row"><th scope="row".*?<\/tr>/.dotMatchesNewlines()).map { String($0.output) }
  }

  @Test func `It has spend, revenue, return, verdict, cost per install, installs and withheld values`() throws
  {
    let page = try site().page("/campaigns")
    let heads = page.matches(of: /<th scope="col"[^>]*><a [^>]*>(.*?)<\/a><\/th>/).map { String($0.output.1) }
    #expect(
      heads == [
        "Campaign", "Spend", "Estimated revenue", "Return, 90\u{A0}% interval", "Pays back?",
        "Cost per install",
        "Installs", "Withheld",
      ])
    let rows = rows(page)
    // The highest spend is first, and a total is last.
    #expect(rows.count == 4)
    #expect(
      rows[0].contains("campaign=22") && rows[0].contains("✕ no") && rows[0].contains("class=\"ivb est\""))
    #expect(rows[1].contains("campaign=11") && rows[1].contains("✓ yes"))
    #expect(rows[2].contains("campaign=33") && rows[2].contains("no spend"))
    #expect(rows[3].contains("Total of 3 campaigns") && rows[3].contains("✕ no"))
    #expect(page.contains("All money in EUR, of the first 48 hours after install, which values show."))
    #expect(page.contains("<a href=\"/data#h-money\">Change for everyone</a>"))
  }

  @Test(arguments: [("no", "22"), ("yes", "11"), ("no-spend", "33"), ("undecided", nil)])
  func `A verdict leaves its campaigns, and each choice has their number`(verdict: String, campaign: String?)
    throws
  {
    let page = try site().page("/campaigns?verdict=\(verdict)")
    let found = rows(page)
    #expect(found.count == (campaign == nil ? 0 : 1))
    if let campaign { #expect(found[0].contains("campaign=\(campaign)")) }
    let counts = page.matches(of: /class="chip"[^>]*>.*?<data value="(\d+)">/).map { String($0.output.1) }
    #expect(counts == ["3", "1", "1", "0", "1"])
    #expect(page.matches(of: /aria-current="true">[^<]*<b>/).count == 1)
  }

  @Test func `An address asks for its own currency and target, and links take the currency along`() throws {
    let site = try site()
    let page = try site.page("/campaigns?currency=USD&target=0.001")
    // Without a rate amounts stay in the currency of the mapping, and each row states it.
    #expect(page.contains("All money in USD") && rows(page)[0].contains("<small>EUR</small>"))
    #expect(page.contains("Show what everyone sees") && !page.contains("Change for everyone"))
    #expect(!rows(page).contains { $0.contains("✕ no") })
    #expect(page.contains("href=\"/arrived?currency=USD\""))
    let found = try site.page("/campaigns?find=net.skad&by=network")
    #expect(rows(found).count == 1)
    #expect(try site.page("/campaigns?find=nothing").contains("No campaign matches"))
  }

  @Test func `What arrived is a page of its own, and its currency is that of the amounts`() throws {
    let page = try site().page("/arrived")
    #expect(page.contains("<h1>Arrived postbacks</h1>") && page.contains("Decoded revenue, EUR"))
    #expect(!page.contains("All money in"))
  }

  @Test func `Without a mapping it leads to what arrived and to mappings, and without spend to the import`()
    throws
  {
    let site = try OpenSite(at: now) { database in
      try OpenSite.store([.init(at: now.day.start + -20 * 86_400_000)], in: database)
    }
    let empty = try site.page("/campaigns")
    let panel = try #require(
      empty.firstMatch(of: /<section class="panel empty">.*?<\/section>/.dotMatchesNewlines())
    ).output
    #expect(panel.contains("href=\"/arrived") && panel.contains("href=\"/mappings\""), "\(panel)")
    let unpaid = try self.site()
    _ = try ReferenceStore(path: unpaid.database).remove(
      LedgerReader(path: unpaid.database).imported(SpendRow.self))
    let page = try unpaid.section("campaigns", of: "/campaigns")
    #expect(
      page.contains("No spend is imported for these days. <a href=\"/data/spend\">Add spend</a>"), "\(page)")
  }
}
