import Ledger
import Postbacks
import Testing
import Values

/// A history that is imported when newer conversions are stored already.
struct `Pages after the import of a history` {
  private let now = Instant("2026-11-24T10:00:00Z") ?? Instant(seconds: 0)

  private func site(environment: Environment = .production) throws -> OpenSite {
    try OpenSite(at: now) { database in
      let live = [OpenSite.Install(at: now, delay: -3_600_000 * 30)]
      let history = (0..<100).map { OpenSite.Install(at: now, delay: -86_400_000 * 40 - Int64($0) * 60_000) }
      try OpenSite.store(live + history, in: database, environment: environment)
    }
  }

  @Test func `The last postback is the one that arrived last, also where older ones were stored after it`()
    throws
  {
    let site = try site()
    for path in ["/", "/alerts", "/campaigns"] {
      let page = try site.page(path)
      #expect(page.contains("30 hours ago"), "\(path)")
      #expect(!page.contains("40 days ago"), "\(path)")
    }
    #expect(try site.page("/alerts").contains("30 hours"))
    #expect(try site.page("/?from=2026-01-01&through=2026-01-05").contains("through=2026-11-23"))
  }

  @Test func `The way to the last days leads to days and an environment that have conversions`() throws {
    let site = try site(environment: .test)
    let page = try site.page("/?environment=production")
    let link = try #require(page.firstMatch(of: /<a class="btn" href="(\/\?[^"]*through=[^"]*)">/)).output.1
    let target = try site.page(String(link).replacing("&amp;", with: "&"))
    #expect(target.contains("aria-labelledby=\"h-to-come\""))
  }
}
