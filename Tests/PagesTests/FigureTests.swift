import Ledger
import MappingLibrary
import Markup
import Pages
import Postbacks
import Testing
import Values

struct `Figures on pages` {
  private let now = Instant("2026-11-24T10:00:00Z") ?? Instant(seconds: 0)

  @Test(arguments: [
    ("1", "3", "1–3"), ("−4.4", "−1.3", "−4.4 … −1.3"), ("-4.4", "1.3", "-4.4 … 1.3"),
    ("<data value=\"-4\">-4</data>", "2", "-4 … 2"),
  ])
  func `Bounds with a minus sign are not joined by a dash`(low: String, high: String, text: String) {
    func bound(_ text: String) -> HTML { HTML(stringLiteral: text) }
    let range = Marks.range(bound(low), bound(high)).text.replacing(/<[^>]*>/, with: "")
    #expect(range == text)
  }

  @Test func `The page of a campaign keeps a figure apart from its bounds, and has no tags in its title`()
    throws
  {
    let site = try OpenSite(at: now) { database in
      let value = ConversionValue.fine(try #require(FineValue(1)))
      try OpenSite.store(
        (0..<10).map { .init(at: now, delay: -86_400_000 * 3 - $0, value: value) }, in: database)
      try MappingStore(path: database).replaceAll(with: [OpenSite.mapping(1, "EUR")].compactMap { $0 })
    }
    let page = try site.page("/campaign?network=net.skadnetwork&campaign=1234")
    #expect(page.contains("<title>Campaign 1234 · skan</title>"))
    let figures = try #require(page.firstMatch(of: /<dl class="figs.*?<\/dl>/.dotMatchesNewlines())).output
    #expect(figures.contains(/20\.00<\/data> <small>EUR<\/small><\/dd>/))
    #expect(
      figures.contains(
        /<dd class="s">low <data value="10">10\.00<\/data>, high <data value="30">30\.00<\/data><\/dd>/))
  }

  @Test(arguments: [(6, "contains 0 again"), (12, "is on the other side of 0")])
  func `An experiment names the interval that decided, also where the last one shows something else`(
    days: Int, remark: String
  ) throws {
    let site = try OpenSite(at: now) { database in
      var installs: [OpenSite.Install] = []
      for day in 1...days {
        for number in 0..<120 {
          for campaign in ["1211", "1222"] {
            // First A is better, then B.
            let isPaid = (campaign == "1211") == (day > days - 3) ? number % 10 > 0 : number % 10 == 0
            installs.append(
              .init(
                campaign: campaign, at: now, delay: Int64(-day) * 86_400_000 + Int64(number) * 1000,
                value: .fine(try #require(FineValue(isPaid ? 1 : 0)))))
          }
        }
      }
      try OpenSite.store(installs.sorted { $0.delay < $1.delay }, in: database)
      try MappingStore(path: database).replaceAll(with: [OpenSite.mapping(1, "EUR")].compactMap { $0 })
    }
    let page = try site.page(
      "/experiments?a=net.skadnetwork/11&b=net.skadnetwork/22&from=2026-11-01&planned=2000")
    let verdict = try #require(page.firstMatch(of: /id="verdict">.*?<\/div><\/div>/.dotMatchesNewlines()))
      .output
    let words = verdict.replacing(/<[^>]*>/, with: "")
    #expect(
      words.contains(
        /Stop: campaign A is better\. On [0-9]+ Nov 2026 the interval that is valid at every look was −[0-9.]+ … −[0-9.]+\./
      ), "\(words)")
    #expect(words.contains(remark), "\(words)")
  }
}
