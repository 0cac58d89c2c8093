import Testing
import Values

struct `Groups of campaigns` {
  private let now = Instant("2026-11-24T10:00:00Z") ?? Instant(seconds: 0)

  private func site() throws -> OpenSite {
    try OpenSite(at: now) { database in
      try OpenSite.store(
        [.init(at: now), .init(campaign: "9934", at: now), .init(campaign: "1235", at: now)], in: database)
    }
  }

  @Test(arguments: [
    "campaign", "name", "ad-set", "creative", "network", "app", "publisher", "country", "week", "month",
  ])
  func `Rows can be anything, in whatever order the rows before were`(by: String) throws {
    let page = try site().page("/arrived?by=\(by)&sort=campaign&compare=previous&currency=EUR")
    #expect(page.contains(by == "campaign" ? "2 campaigns" : "1 row"))
  }

  @Test func `A campaign of two digits leads to a page of all its postbacks`() throws {
    let site = try site()
    #expect(try site.page("/arrived").contains("campaign=34&amp;digits=2"))
    let page = try site.page(
      "/campaign?app=1&network=net.skadnetwork&campaign=34&digits=2&from=2026-10-28&through=2026-11-24")
    #expect(page.contains(#"<data value="2">2</data>"#))
    let four = try site.page("/arrived?app=1&network=net.skadnetwork&campaign=9934")
    #expect(four.contains("1 campaign") && four.contains("9934"))
  }
}
