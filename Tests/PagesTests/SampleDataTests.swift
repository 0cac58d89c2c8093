import Campaigns
import EstimateReports
import Ledger
import Postbacks
import Reports
import SampleData
import System
import Testing
import TestSupport
import Values

struct `Sample data` {
  private let now = Instant("2026-11-24T10:00:00Z") ?? Instant(seconds: 0)

  @Test func `An empty database offers sample data and lists what to set up`() throws {
    let page = try OpenSite(at: now).page("/")
    #expect(page.contains(#"action="/sample""#))
    for link in ["/mappings", "/data/names", "/data/spend", "/data/users", "/access"] {
      #expect(page.contains("href=\"\(link)\""), "\(link)")
    }
  }

  @Test func `Who looks at sample data sees them on every page with a mark, and others do not`() throws {
    let site = try OpenSite(at: now)
    let sample = SampleDatabase(
      path: site.database + "-sample/skan.db", samples: site.database + "-sample", now: now, share: 0.02)
    #expect(try sample.make())
    let mark = "Sample data: no figure is real."
    for path in ["/", "/campaigns", "/arrived", "/mappings", "/data/spend", "/postbacks"] {
      #expect(try site.page(path, cookie: "skan-sample=1").contains(mark), "\(path)")
      #expect(try !site.page(path).contains(mark), "\(path)")
    }
    #expect(try site.page("/arrived", cookie: "skan-sample=1").contains("US broad"))
    #expect(try !site.page("/access", cookie: "skan-sample=1").contains(mark))
  }

  @Test func `Where the folder cannot be made the page names it, the reason and the cure`() throws {
    let site = try OpenSite(at: now)
    // A file is in its place.
    try AtomicFile.write([], to: site.database + "-sample")
    let answer = try site.post("/sample", [("do", "show")])
    #expect(answer.status == 200)
    #expect(
      answer.text.contains(
        "The sample data cannot be made in the folder <code>\(site.database)-sample</code>"))
    #expect(answer.text.contains("What helps: "))
  }

  @Test func `Sample data and own data never answer for each other`() throws {
    let address = "/arrivals?environment=test&from=2026-11-01&through=2026-11-20"
    func site() throws -> OpenSite {
      let site = try OpenSite(at: now) { database in
        try OpenSite.store([.init(at: now + -5 * Day.milliseconds)], in: database, environment: .test)
      }
      let sample = SampleDatabase(
        path: site.database + "-sample/skan.db", samples: site.database + "-sample", now: now, share: 0.02)
      #expect(try sample.make())
      return site
    }
    let alone = try site().section("completeness", of: address, cookie: "skan-sample=1")
    let both = try site()
    let own = try both.section("completeness", of: address)
    #expect(own != alone)
    #expect(try both.section("completeness", of: address, cookie: "skan-sample=1") == alone)
  }

  @Test func `Sample data have proceeds that divide into campaigns and organic users`() throws {
    let folder = try TemporaryFolder()
    let sample = SampleDatabase(path: folder.file("a.db"), samples: folder.file("a"), now: now, share: 0.1)
    #expect(try sample.make())
    var report = ProceedsReport()
    report.environment = .test
    let text = try report.text(.csv, from: ReportSource(reader: LedgerReader(path: sample.path), now: now))
    let lines = text.split(whereSeparator: \.isNewline)
    #expect(lines.count { $0.contains(",proceeds,") } >= 2, "\(text)")
    #expect(lines.contains { $0.hasPrefix("6400000001,organic,") })
  }

  @Test func `The same seed and moment give the same reports`() throws {
    let folder = try TemporaryFolder()
    let reports = try ["a", "b"].map { name in
      let sample = SampleDatabase(
        path: folder.file(name + ".db"), samples: folder.file(name), now: now, seed: 3, share: 0.02)
      #expect(try sample.make())
      var report = CampaignReport()
      report.scope.environment = .test
      return try report.text(
        .csv, from: ReportSource(reader: LedgerReader(path: sample.path), now: now))
    }
    #expect(reports[0] == reports[1])
    #expect(reports[0].split(whereSeparator: \.isNewline).count > 10)
  }
}

struct `What a page shows without a choice` {
  private let now = Instant("2026-11-24T10:00:00Z") ?? Instant(seconds: 0)

  private func site(_ environment: Environment, daysAgo: Int64) throws -> OpenSite {
    try OpenSite(at: now) { database in
      try OpenSite.store(
        [.init(at: now + -daysAgo * Day.milliseconds)], in: database, environment: environment)
    }
  }

  @Test func `Today counts`() throws {
    #expect(try site(.production, daysAgo: 0).page("/arrived").contains("1 campaign"))
  }

  @Test func `The environment that has data is shown where production has none, and the page states it`()
    throws
  {
    let page = try site(.test, daysAgo: 1).page("/arrived")
    #expect(page.contains("1 campaign"))
    #expect(page.contains("Production has no postback, so these are those of the environment test."))
  }

  @Test func `The last days with data are shown where the last 28 have none, and the page states it`() throws
  {
    let page = try site(.production, daysAgo: 100).page("/arrived")
    #expect(page.contains("1 campaign"))
    #expect(page.contains("so these are the days up to <time datetime=\"2026-08-16\">"))
  }

  @Test func `What is chosen counts, with data or without`() throws {
    let page = try site(.test, daysAgo: 1).page("/arrived?environment=production")
    #expect(!page.contains("so these are"))
  }
}
