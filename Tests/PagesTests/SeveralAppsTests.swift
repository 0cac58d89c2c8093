import Ledger
import Postbacks
import Testing
import Values

/// Three apps whose amounts have three currencies, and of which one sends its postbacks days earlier.
struct `Pages of several apps` {
  private let now = Instant("2026-11-24T10:00:00Z") ?? Instant(seconds: 0)

  private func site() throws -> OpenSite {
    try OpenSite(at: now) { database in
      var installs: [OpenSite.Install] = []
      let hour: Int64 = 3_600_000
      for day in 1...28 {
        for number in 0..<24 {
          let at = now.day.start + (Int64(-day) * 24 + Int64(number)) * hour
          let value = ConversionValue.fine(try #require(FineValue(Int64(number % 2))))
          // SKAdNetwork 4 sends after two days and one to two more, SKAdNetwork 3 after one to two.
          let delay = Int64(number % 24)
          installs.append(.init(app: 1, at: at, delay: (72 + delay) * hour, value: value))
          installs.append(.init(app: 2, at: at, delay: (72 + delay) * hour, value: value))
          for _ in 0..<2 {
            installs.append(
              .init(app: 3, version: .v3_0, campaign: "7", at: at, delay: (24 + delay) * hour, value: value))
          }
        }
      }
      try OpenSite.store(
        installs.filter { $0.at + $0.delay < now }.sorted { $0.at + $0.delay < $1.at + $1.delay },
        in: database)
      try MappingStore(path: database).replaceAll(
        with: [OpenSite.mapping(1, "EUR"), OpenSite.mapping(2, "USD"), OpenSite.mapping(3, "JPY", "skan3")]
          .compactMap { $0 })
      _ = try ReferenceStore(path: database).put(
        ["EUR", "USD", "CHF"].map {
          SpendRow(
            day: Day(number: now.day.number - 5), network: "net.skadnetwork", campaign: "1234",
            app: $0 == "USD" ? 2 : 1,
            currency: $0, micros: 5_000_000)
        })
    }
  }

  @Test func `The overview of several apps has each currency of estimated revenue and of spend`() throws {
    let page = try site().page("/?from=2026-10-28&through=2026-11-24")
    let figures = try #require(page.firstMatch(of: /<dl class="figs.*?<\/dl>/.dotMatchesNewlines())).output
    for (currency, count) in [("EUR", 2), ("USD", 3), ("JPY", 1)] {
      // What was paid, what was earned, and the cost of an install where one currency paid for it.
      #expect(figures.matches(of: try Regex("<small>\(currency)</small>")).count == count, "\(currency)")
    }
    for currency in ["EUR", "USD"] {
      #expect(figures.contains("5.00</data> <small>\(currency)"), "\(currency)")
    }
    #expect(figures.contains("5.00</data> CHF: no imported rate"))
    #expect(page.contains("Amounts are in EUR, JPY, USD"))
    let top = try #require(page.firstMatch(of: /aria-labelledby="h-top".*?<\/section>/.dotMatchesNewlines()))
      .output
    for currency in ["EUR", "USD", "JPY"] {
      #expect(top.contains("<small>\(currency)</small>"), "no campaign has revenue in \(currency)")
    }
    let estimates = try site().page("/campaigns")
    let totals = try #require(estimates.firstMatch(of: /<tfoot.*?<\/tfoot>/.dotMatchesNewlines())).output
    // Without rates amounts stay in the currencies of their apps, which those of the head do not need to state.
    #expect(estimates.contains("All money in EUR") && totals.matches(of: /<tr/).count == 3)
    for currency in ["USD", "JPY"] {
      #expect(totals.contains("<small>\(currency)</small>"), "\(currency)")
    }
  }

  @Test func `The menu of horizons has those that own users of any mapping version have`() throws {
    let site = try site()
    let store = try ReferenceStore(path: site.database)
    for (number, seconds, horizons) in [(1, 0, [7, 30]), (1, 1_000_000, [7]), (2, 0, [30])] {
      let (app, from) = (try #require(AppID(Int64(number))), Instant(seconds: Int64(seconds)))
      let worths = horizons.map {
        ValueWorthRow(
          app: app, effectiveFrom: from, horizon: .days($0), currency: "EUR", value: 1, each: [1_000_000])
      }
      try store.replaceWorth(of: app, effectiveFrom: from, with: worths, finalHours: [])
    }
    func horizons(_ query: String) throws -> [String] {
      let page = try site.page("/campaigns\(query)")
      guard let start = page.firstRange(of: "name=\"horizon\""),
        let end = page[start.upperBound...].firstRange(of: "</select>")
      else { return [] }
      return page[start.upperBound..<end.lowerBound].matches(of: /option value="(\d*)"/).map { String($0.1) }
    }
    #expect(try horizons("?app=1") == ["", "7", "30"])
    #expect(try horizons("?app=2") == ["", "30"])
    #expect(try horizons("") == ["", "7", "30"])
  }

  @Test(arguments: [("/", "to-come"), ("/arrivals", "completeness")])
  func `Installs of several apps that are still to come are those of each app`(path: String, section: String)
    throws
  {
    let site = try site()
    func rows(_ query: String) throws -> [String: (installs: Double, share: Double)] {
      let text = try site.section(section, of: path + query)
      let row =
        /<th scope="row"[^>]*><time datetime="([0-9-]+)">.*?<data value="([0-9.]+)">.*?<data value="([0-9.]+)">/
      var rows: [String: (Double, Double)] = [:]
      for match in text.matches(of: row) {
        rows[String(match.output.1)] = (Double(match.output.2) ?? 0, Double(match.output.3) ?? 0)
      }
      return rows
    }
    let apps = try ["?app=1", "?app=2", "?app=3"].map(rows)
    let all = try rows("")
    var compared = 0
    for (day, sum) in all {
      let parts = apps.compactMap { $0[day] }
      guard parts.count == 3, parts.allSatisfy({ $0.share > 0.06 }) else { continue }
      let expected = parts.reduce(0) { $0 + $1.installs / $1.share }
      #expect(abs(sum.installs / sum.share - expected) < 0.01 * expected, "\(day)")
      if parts.contains(where: { $0.share < 0.6 }), parts.contains(where: { $0.share > 0.99 }) {
        compared += 1
      }
    }
    #expect(compared > 0)
  }
}
