import Ledger
import Postbacks
import Testing
import TestSupport
import Values

struct `Pages of reports` {
  private let now = Instant("2026-11-24T10:00:00Z") ?? Instant(seconds: 0)
  private let day: Int64 = 86_400_000

  private func site() throws -> OpenSite {
    try OpenSite(at: now) { database in
      let value = ConversionValue.fine(try #require(FineValue(1)))
      try OpenSite.store(
        (0..<30).map {
          .init(at: now, delay: -day * 20 - Int64($0) * day / 3, value: $0 % 5 == 0 ? .absent : value)
        },
        in: database)
      try MappingStore(path: database).replaceAll(with: [OpenSite.mapping(1, "EUR")].compactMap { $0 })
      let app = try #require(AppID(1))
      _ = try ReferenceStore(path: database).put([
        OwnInstallsRow(day: Day(number: now.day.number - 20), app: app, installs: 7)
      ])
    }
  }

  @Test func `Cohorts have the columns of the report, by campaign and by week, and files`() throws {
    let site = try site()
    let page = try site.section("cohorts", of: "/cohorts?last=90d")
    for words in ["window 1", "of window 1", "withheld\u{A0}% 1", "EUR of window 1", "campaign=34"] {
      #expect(page.contains(words), "\(words)")
    }
    #expect(try site.section("cohorts", of: "/cohorts?last=90d&by=week").contains("install week"))
    let file = try site.answer("/cohorts?last=90d&format=csv")
    #expect(file.text.hasPrefix("app,network,campaign,postbacks-1,"))
    // Later days are not complete, and the page leads to those that are.
    #expect(try site.page("/cohorts?last=90d").contains("through=2026-10-"))
    #expect(try OpenSite(at: now).page("/cohorts").contains("No windows in these days"))
  }

  @Test func `Later windows and proceeds have the columns of their reports, and state what is missing`()
    throws
  {
    let site = try site()
    let table = try site.section("shortfall", of: "/shortfall?last=90d")
    for words in ["below threshold", "still due", "lost", "another&#39;s win"] {
      #expect(table.contains(words) || table.contains(words.replacing("&#39;", with: "'")), "\(words)")
    }
    #expect(try site.section("shortfall", of: "/shortfall?last=90d&by=week").contains("install week"))
    #expect(try site.answer("/shortfall?last=90d&format=csv").text.hasPrefix("app,network,window,installs,"))
    #expect(try site.page("/proceeds").contains("href=\"/data/proceeds\""))
    #expect(try site.answer("/proceeds?format=csv").text.hasPrefix("app,part,network,campaign,"))
    #expect(try OpenSite(at: now).page("/shortfall").contains("No windows in these days"))
  }

  @Test func `Organic installs have a chart, a table with words for remarks, and files`() throws {
    let site = try site()
    let table = try site.section("organic", of: "/organic?by=day")
    #expect(table.contains("days without an own count are left out") && !table.contains("no-own-count"))
    #expect(table.contains("Total") && table.contains("own installs"))
    let chart = try site.section("days", of: "/organic")
    #expect(chart.contains("Own installs") && chart.contains(#"<data value="7">7</data>"#))
    #expect(
      try site.answer("/organic?format=csv").text.hasPrefix("app,days,own-installs,attributed-installs"))
    #expect(try OpenSite(at: now).page("/organic").contains("href=\"/data/installs\""))
  }

  @Test func `Cohorts and organic installs are in the navigation`() throws {
    let page = try site().page("/")
    #expect(page.contains(">Cohorts</a>") && page.contains(">Organic installs</a>"))
  }

  @Test(arguments: ["campaign", "network", "app", "week", "month", "network-week", "campaign-week"])
  func `Estimates are by campaigns, networks, apps, weeks and months, whatever they were sorted by`(
    by: String
  ) throws {
    let site = try site()
    let page = try site.section("campaigns", of: "/campaigns?last=90d&by=\(by)&sort=campaign")
    #expect(page.contains(by == "campaign" ? "1 campaign<" : "row"))
    #expect(page.contains(">Estimated revenue<") && !page.contains("if shared out"))
    #expect(try site.answer("/campaigns?last=90d&by=\(by)&format=csv").status == 200)
  }

  @Test(arguments: [
    ("country", "Country not shown"), ("publisher", "Publisher not shown"),
    ("country-week", "Country not shown"), ("outcome", "<b>install</b>"), ("name", "without Name"),
    ("ad-set", "without Ad set"), ("creative", "without Creative"),
  ])
  func `Estimates are by what postbacks show and by names, and name what is not shown`(
    by: String, words: String
  ) throws {
    let site = try site()
    let page = try site.section("campaigns", of: "/campaigns?last=90d&by=\(by)&sort=campaign")
    #expect(page.contains(words) && page.contains(">Estimated revenue<"))
    let isShared = words.hasSuffix("not shown")
    #expect(page.contains(">Revenue if shared out<") == isShared)
    let file = try site.answer("/campaigns?last=90d&by=\(by)&format=csv")
    #expect(file.status == 200 && file.text.contains("shared-revenue-48h") == isShared)
  }
}
