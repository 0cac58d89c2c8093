import Ledger
import PostbackFixtures
import Postbacks
import Testing
import TestSupport
import Values

struct `Comparisons on pages` {
  private let now = Instant("2026-11-24T10:00:00Z") ?? Instant(seconds: 0)

  /// Two networks with three campaigns; those of the second one pay more.
  private func site(apps: [Int64] = [1]) throws -> OpenSite {
    try OpenSite(at: now) { database in
      var receipts: [Receipt] = []
      for day in (1...8).reversed() {
        for number in 0..<120 {
          for (network, campaign, share) in [
            ("a.skadnetwork", "11", 3), ("b.skadnetwork", "22", 8), ("b.skadnetwork", "33", 7),
          ] {
            receipts.append(
              valid(
                "\(day) \(number) \(campaign)",
                value: .fine(try #require(FineValue(number % 10 < share ? 1 : 0))),
                at: now + Int64(-day) * 86_400_000 + Int64(number) * 1000, network: network,
                app: apps[number % apps.count], campaign: campaign, environment: .production))
          }
        }
      }
      try store(receipts, in: database)
      try MappingStore(path: database).replaceAll(with: apps.compactMap { OpenSite.mapping($0, "EUR") })
      _ = try ReferenceStore(path: database).put([
        CampaignNameRow(
          network: "b.skadnetwork", campaign: "", from: Day(number: 0), to: nil, name: "Second", adSet: nil,
          creative: nil, country: nil)
      ])
    }
  }

  @Test(arguments: [
    "a=a.skadnetwork&b=b.skadnetwork", "a=a.skadnetwork/11&b=b.skadnetwork/22,b.skadnetwork/33",
    "a=a.skadnetwork&b=b.skadnetwork/22&b=b.skadnetwork/33",
  ])
  func `Networks and sets of campaigns are compared, with an interval and names`(arms: String) throws {
    let page = try site().page("/experiments?\(arms)&from=2026-11-01&planned=2000")
    #expect(page.contains("Stop: B is better"))
    let menu = try #require(page.firstMatch(of: /<select id="f-b".*?<\/select>/.dotMatchesNewlines())).output
    #expect(menu.contains("All of Second") || arms.contains("b=b.skadnetwork&") || menu.contains("All of"))
    let table = try #require(page.firstRange(of: "h-arms")).upperBound
    #expect(page[table...].contains("1,920"))
  }

  @Test func `Two arms must have nothing in common`() throws {
    let answer = try site().answer("/experiments?a=b.skadnetwork&b=b.skadnetwork/22")
    #expect(answer.status == 400 && answer.text.contains("which arm A has too"))
  }

  @Test func `The table by network leads to the comparison of two networks`() throws {
    let site = try site()
    let table = try site.section("campaigns", of: "/arrived?by=network")
    let link = try #require(table.firstMatch(of: /href="(\/experiments\?[^"]*)">Compare with/)).1
      .replacing("&amp;", with: "&")
    #expect(try site.page(String(link)).contains("id=\"verdict\""))
  }

  @Test func `Arms of two apps lead to a choice of one`() throws {
    let page = try site(apps: [1, 2]).page("/experiments?a=a.skadnetwork&b=b.skadnetwork&from=2026-11-01")
    #expect(page.contains(/href="\/experiments\?[^"]*app=2"/))
  }

  @Test func `A comparison keeps to all apps that are chosen`() throws {
    let address = "/experiments?a=a.skadnetwork&b=b.skadnetwork&from=2026-11-01"
    let site = try site(apps: [1, 2, 3])
    let page = try site.page("\(address)&app=1,2")
    #expect(page.contains(/href="\/experiments\?[^"]*app=2"/) && !page.contains("app=3\""))
    #expect(!page.contains("id=\"verdict\""))
    let table = try site.section("campaigns", of: "/arrived?by=network&app=1,2")
    #expect(table.contains(/href="\/experiments\?[^"]*app=1,2/))
  }
}
