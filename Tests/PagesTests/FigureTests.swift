import Ledger
import Markup
import Pages
import Postbacks
import Tables
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

  @Test(arguments: [
    (0, "0\u{A0}%"), (0.0004, "&lt;0.1\u{A0}%"), (0.0005, "0.1\u{A0}%"), (0.339, "33.9\u{A0}%"),
    (-0.05, "−5.0\u{A0}%"), (1, "100.0\u{A0}%"),
  ])
  func `A share of zero is zero, and one that a decimal cannot show is not called zero`(
    share: Double, text: String
  ) {
    #expect(Marks.share(share).text.replacing(/<[^>]*>/, with: "") == text)
  }

  @Test func `A table whose caption is marked up is named by the caption's words alone`() {
    let name: HTML = "<bdi>Summer</bdi> &amp; more"
    let text = DataTable(name, [DataTable.Column("value", ["1"])]).markup().text
    #expect(text.contains("aria-label=\"Summer &amp; more\""))
    #expect(text.contains("<caption class=\"sr\"><bdi>Summer</bdi> &amp; more</caption>"))
  }

  @Test func `A table of many columns has their titles at its cells, and no box that scrolls`() {
    let columns: [DataTable.Column] = ["1", "2", "3", "4"].map { number -> DataTable.Column in
      DataTable.Column("C\(number)", ["\(number)", "sum"])
    }
    let many = DataTable("All", columns).fitting(helpTitle: "", hasTotal: true).text
    #expect(many.contains("<td role=\"cell\" class=\"n\" data-title=\"C2\">2</td>"), "\(many)")
    #expect(many.contains("<tfoot role=\"rowgroup\"><tr role=\"row\">") && !many.contains("scroll"))
    let few = DataTable("All", Array(columns.prefix(3))).fitting(helpTitle: "").text
    #expect(
      few.contains("<table class=\"fit\">") && !few.contains("role=") && few.contains(">3</td>"), "\(few)")
  }

  @Test func `An expected count is whole on pages, with its exact value in the markup`() throws {
    let texts = Texts(.english)
    #expect(
      Marks.cell(ExpectedCount(1234.54).cell, .expectedCount, texts).text
        == "<data value=\"1234.54\">1,235</data>")
    let bounds = Bounds(ExpectedCount(1.5), ExpectedCount(1200.4)).cell
    #expect(
      Marks.cell(bounds, .interval(.expectedCount), texts).text
        == "<bdi dir=\"ltr\"><data value=\"1.5\">2</data>–<data value=\"1200.4\">1,200</data></bdi>")
  }

  @Test func `Health does not call a database in order that was never backed up`() throws {
    let site = try OpenSite(at: now) { database in
      try OpenSite.store([.init(at: now, delay: -86_400_000)], in: database)
    }
    let checks = try site.section("checks", of: "/alerts")
    let row = try #require(checks.firstMatch(of: /<b>backup<\/b>.*?<\/tr>/.dotMatchesNewlines())).output
    #expect(row.contains("no backup has been made yet") && row.contains("badge warn") && !row.contains("✓"))
    let empty = try OpenSite(at: now).section("checks", of: "/alerts")
    #expect(empty.contains("nothing to back up"))
  }

  @Test func `Pages of trust and of postbacks have words in place of codes`() throws {
    let value = ConversionValue.fine(try #require(FineValue(1)))
    let site = try OpenSite(at: now) { database in
      try OpenSite.store(
        (0..<5).map { .init(at: now, delay: -86_400_000 * 3 - $0, value: value) }, in: database)
    }
    let trust = try site.page("/trust")
    for code in [
      "network-withholds", "no-network-copies", "no-device-copies", "not-won", "p 0.0", "after Holm",
    ] {
      #expect(!trust.contains(code), "\(code)")
    }
    #expect(try site.page("/postbacks").contains("no mapping for it"))
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
        /interval <bdi dir="ltr"><data value="[0-9.]+">[0-9.]+<\/data>–<data value="[0-9.]+">[0-9.]+<\/data><\/bdi><\/dd>/
      ))
  }

  @Test(arguments: [(6, "which includes no difference"), (12, "on the other side of 0")])
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
        /Stop: A is better\. That was sure on [0-9]+ Nov 2026, with a difference of −[0-9.]+ … −[0-9.]+\./
      ), "\(words)")
    #expect(words.contains(remark), "\(words)")
  }
}
