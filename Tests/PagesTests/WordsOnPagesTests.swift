import Ledger
import Postbacks
import Screens
import Testing
import Values

struct `Words on pages` {
  private let now = Instant("2026-11-24T10:00:00Z") ?? Instant(seconds: 0)
  private let day: Int64 = 86_400_000

  /// Two apps whose revenue and spend are in two currencies: 20 EUR of 10, and 20 USD of 11.
  private func site(rates: Bool) throws -> OpenSite {
    try OpenSite(at: now) { database in
      let value = ConversionValue.fine(try #require(FineValue(1)))
      var installs: [OpenSite.Install] = []
      for before in (1...10).reversed() {
        for app: Int64 in [1, 2] {
          installs.append(.init(app: app, at: now + Int64(-before) * day, value: value))
        }
      }
      try OpenSite.store(installs, in: database)
      try MappingStore(path: database).replaceAll(
        with: [OpenSite.mapping(1, "EUR"), OpenSite.mapping(2, "USD")].compactMap { $0 })
      let store = try ReferenceStore(path: database)
      let spent = Day(number: now.day.number - 2)
      _ = try store.put(
        [(1, "EUR", 10_000_000), (2, "USD", 11_000_000)].map {
          SpendRow(
            day: spent, network: "net.skadnetwork", campaign: "1234", app: $0, currency: $1, micros: $2)
        })
      guard rates else { return }
      _ = try store.put([
        RateRow(
          day: Day(number: now.day.number - 60), currency: "EUR", quote: "USD", picos: 2_000_000_000_000)
      ])
    }
  }

  private func figures(_ path: String, rates: Bool) throws -> String {
    let page = try site(rates: rates).page(path)
    return String(
      try #require(page.firstMatch(of: /<dl class="figs.*?<\/dl>/.dotMatchesNewlines())).output)
  }

  @Test func `Spend in several currencies is converted by imported rates`() throws {
    let figures = try figures("/?from=2026-10-28&through=2026-11-24", rates: true)
    // 10 EUR, and 11 USD at 2 to one.
    #expect(figures.contains(">15.50</data> <small>EUR</small>") && !figures.contains("USD"))
  }

  @Test func `The overview states that no rates lead to one currency`() throws {
    let page = try site(rates: false).page("/?from=2026-10-28&through=2026-11-24")
    #expect(page.contains("Amounts are in EUR, USD: no imported rates turn them into one."))
    #expect(page.contains("href=\"/data/rates\""))
  }

  @Test func `The overview has all amounts in the currency of choice`() throws {
    let figures = try figures("/?from=2026-10-28&through=2026-11-24&currency=USD", rates: true)
    #expect(figures.contains(">31.00</data> <small>USD</small>"))
    #expect(!figures.contains("EUR"))
  }

  @Test func `Amounts have the currency behind them`() throws {
    let top = try site(rates: true).section("top", of: "/?from=2026-10-28&through=2026-11-24")
    #expect(top.contains("10.00</data> <small>EUR</small>"))
    #expect(!top.contains("EUR <data"))
  }

  @Test func `No page names an option of the command line, but in a command to copy`() throws {
    for rates in [true, false] {
      let site = try site(rates: rates)
      for screen in allScreens where !screen.opensByLink && !screen.path.contains("{") {
        for query in ["", "?from=2026-01-01&through=2026-01-05", "?horizon=7"] {
          let text = try site.answer(screen.path + query).text
            .replacing(/<code.*?<\/code>/.dotMatchesNewlines(), with: "")
            .replacing(/<[^>]*>/, with: " ")
          let named = text.matches(of: /(?:^|[\s(])--[a-z][a-z-]+/).map { String($0.output) }
          #expect(named.isEmpty, "\(screen.path)\(query): \(named)")
        }
      }
    }
  }

  @Test func `Remarks on estimates are words`() throws {
    let site = try OpenSite(at: now) { database in
      let value = ConversionValue.fine(try #require(FineValue(1)))
      var installs: [OpenSite.Install] = []
      for number in 0..<120 {
        let before = Int64(28 - number / 6)
        installs.append(.init(at: now + -before * day, value: number % 10 == 0 ? value : .absent))
      }
      try OpenSite.store(installs, in: database)
      try MappingStore(path: database).replaceAll(with: [OpenSite.mapping(1, "EUR")].compactMap { $0 })
    }
    let table = try site.section("campaigns", of: "/campaigns?columns=flags")
    #expect(table.contains("most values withheld") && table.contains("amounts of the mapping alone"))
    #expect(!table.contains("mostly-withheld") && !table.contains("amounts-from-mapping"))
  }

  @Test func `Counts of two periods do not look like a range`() throws {
    let site = try OpenSite(at: now) { database in
      let value = ConversionValue.fine(try #require(FineValue(1)))
      var installs: [OpenSite.Install] = []
      for number in 0..<78 {
        let before = Int64(14 - number / 6)
        installs.append(.init(at: now + -before * day + -36_000_000, value: value))
      }
      try OpenSite.store(installs, in: database)
      try MappingStore(path: database).replaceAll(with: [OpenSite.mapping(1, "EUR")].compactMap { $0 })
    }
    let moved = try site.section(
      "moved-EUR", of: "/causes?from=2026-11-13&through=2026-11-18")
    #expect(moved.contains("</data> before, <data value="))
    #expect(!moved.contains("</data>–<data"))
  }

  @Test func `The words of help show code as code`() throws {
    let site = try OpenSite(at: now) { database in
      try OpenSite.store([.init(at: now + -day)], in: database)
    }
    let help = try #require(
      site.page("/postbacks").firstMatch(
        of: /<dl class="[^"]*">.*?What became of the value.*?<\/dd>/
          .dotMatchesNewlines())
    ).output
    #expect(help.contains("<code>none-expected</code>") && !help.contains("`"))
  }
}
