import Ledger
import Postbacks
import Testing
import Values

/// Tables that are worked in: a hundred and twenty campaigns of two apps with two currencies.
struct `Tables to work in` {
  private let now = Instant("2026-11-24T10:00:00Z") ?? Instant(seconds: 0)

  private func site() throws -> OpenSite {
    try OpenSite(at: now) { database in
      let day = now.day.start + -86_400_000
      var installs: [OpenSite.Install] = []
      for number in 0..<120 {
        let campaign = "\(1000 + number)"
        for _ in 0..<3 {
          installs.append(
            .init(
              app: number < 118 ? 1_234_567_890 : 2, campaign: campaign, at: day,
              value: .fine(try #require(FineValue(1)))))
        }
      }
      try OpenSite.store(installs, in: database)
      try MappingStore(path: database).replaceAll(
        with: [OpenSite.mapping(1_234_567_890, "EUR"), OpenSite.mapping(2, "USD")].compactMap { $0 })
      _ = try ReferenceStore(path: database).put(
        (0..<120).map { number in
          SpendRow(
            day: day.day, network: "net.skadnetwork", campaign: "\(1000 + number)",
            app: number < 118 ? 1_234_567_890 : 2, currency: number < 118 ? "EUR" : "USD", micros: 7_500_000)
        })
    }
  }

  private func heads(_ page: String) -> [String] {
    page.matches(of: /<th scope="col".*?<a [^>]*>(.*?)<\/a><\/th>/).map { String($0.output.1) }
  }

  private func file(_ site: OpenSite, _ path: String) throws -> (heads: [String], rows: [[String]]) {
    let lines = try site.answer(path).text.split(whereSeparator: \.isNewline).map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    return (lines.first ?? [], Array(lines.dropFirst()))
  }

  @Test func `Columns are those of the address, in its order, and each can be moved`() throws {
    let site = try site()
    let page = try site.page("/arrived?digits=4&columns=withheld,installs&columns=spend")
    #expect(heads(page) == ["Campaign", "Withheld", "Installs", "Spend, EUR", "Spend, USD"])
    let form = try #require(page.firstMatch(of: /<ul class="order">.*?<\/ul>/.dotMatchesNewlines())).output
    let checked = form.matches(of: /value="([^"]*)" checked/).map { String($0.output.1) }
    #expect(checked == ["withheld", "installs", "spend"])
    #expect(form.contains("columns=installs,withheld,spend#columns-installs"))
    #expect(form.contains("columns=withheld,spend,installs#columns-installs"))
    #expect(form.contains("Move Installs up") && !form.contains("Move Conflicts up"))
    #expect(try site.answer("/arrived?columns=none-such").status == 400)
  }

  @Test func `A file has the rows and columns that the table shows`() throws {
    let site = try site()
    let query = "?digits=4&columns=withheld,installs,spend&sort=campaign&find=1117"
    let (heads, rows) = try file(site, "/arrived\(query)&format=csv")
    #expect(
      heads == [
        "app", "network", "campaign", "name", "name-candidates", "null-share", "installs", "spend-EUR",
      ])
    #expect(rows.map { $0[2] } == ["1117"])
    let all = try file(site, "/arrived?digits=4&sort=-campaign&format=csv")
    #expect(all.rows.count == 120 && all.rows.first?[2] == "1119")
    for name in ["revenue-low-EUR", "revenue-mid-EUR", "revenue-high-EUR", "spend-USD", "conflicts"] {
      #expect(all.heads.contains(name), "\(name)")
    }
    #expect(!all.heads.contains("fine-1"))
    let estimates = try file(site, "/campaigns?digits=4&columns=installs&last=7d&format=csv")
    #expect(
      estimates.heads == ["app", "network", "campaign", "name", "name-candidates", "installs"])
    let withheld = try file(site, "/withheld?digits=4&columns=nulls,postbacks&format=csv")
    #expect(
      withheld.heads == ["app", "network", "campaign", "name", "name-candidates", "nulls", "postbacks"])
    #expect(
      self.heads(try site.page("/withheld?columns=nulls,postbacks")) == [
        "Campaign", "Without a value", "Postbacks",
      ])
    for (path, table) in [
      ("/campaign?campaign=1117&network=net.skadnetwork", "windows"), ("/trust", "rejected"),
      ("/trust", "totals"), ("/trust", "conflicts"), ("/trust", "tests"), ("/causes", "moved-campaigns"),
    ] {
      let separator = path.contains("?") ? "&" : "?"
      let answer = try site.answer("\(path)\(separator)format=csv&table=\(table)")
      #expect(answer.header("Content-Type")?.hasPrefix("text/csv") == true, "\(path) \(table)")
    }
    let arrivals = try file(site, "/arrivals?format=csv")
    #expect(
      arrivals.heads == [
        "day", "installs", "completeness", "expected", "window-1", "window-2", "window-3",
      ])
    #expect(arrivals.rows.first?.first == "2026-11-24")
  }

  @Test func `A currency without an amount has no column`() throws {
    let site = try site()
    #expect(heads(try site.page("/arrived")).contains("Spend, USD"))
    let found = heads(try site.page("/arrived?digits=4&find=1117"))
    #expect(found.contains("Spend, EUR") && !found.contains { $0.hasSuffix("USD") })
  }

  @Test func `A hundred rows take less than 130 KB`() throws {
    let page = try site().page("/arrived?digits=4")
    #expect(page.matches(of: /<tr><th scope="row"/).count == 101)
    #expect(page.utf8.count < 130_000, "\(page.utf8.count) bytes")
  }

  @Test func `The apps of rows are a column where there are several`() throws {
    let site = try site()
    #expect(heads(try site.page("/arrived")).contains("App"))
    #expect(!heads(try site.page("/arrived?app=2")).contains("App"))
    #expect(heads(try site.page("/arrived?app=2&columns=app")) == ["Campaign", "App"])
  }
}
