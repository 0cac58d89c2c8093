import Mappings
@testable import Markup
@testable import Reports
import Simulation
@testable import SimulationReports
import Testing
import TestSupport
import Values

/// Names that would break a page, a table or a spreadsheet.
let hostile: [(name: String, weight: Int)] = [
  ("<script>alert(1)</script>", 4), ("\"><img src=x onerror=alert(1)>", 3), ("=HYPERLINK(\"http://x\")", 2),
  ("a\u{202E}gnp.exe\u{1B}[31m\n\r", 2), (String(repeating: "WM", count: 300), 2), ("', <b>&amp;", 1),
  ("\u{1F469}\u{200D}\u{1F680}\u{1F469}\u{200D}\u{1F680} 株式会社のキャンペーン第一弾第二弾第三弾第四弾第五弾", 1), ("--> ]]>", 1),
]

@Suite struct `A simulation page` {
  @Test func `A simulation page is the same for the same simulation`() throws {
    let people = try crowd(40, campaigns: small, days: 4)
    let pages = try (0..<2).map { _ in
      try report([try variant("Spring", mapping(.skan4), people, crowd: "logistic:3", runs: 3)], people)
        .html()
    }
    #expect(pages[0] == pages[1])
    try expectGolden(pages[0], "small.html")
  }

  @Test func `A simulation page has all words and numbers from its language, and names as they are`() throws {
    let language = PageLanguage(
      code: "xx", direction: "rtl", phrase: { _ in "⟦⟧" }, number: { _ in "⟦⟧" })
    let people = try crowd(400, campaigns: many, days: 9)
    let a = try variant("Name A", mapping(.skan4, grid), people, crowd: "logistic:8", runs: 3)
    let b = try variant("Name B", mapping(.skan4), people, runs: 3)
    let page = try report([a, b], people, skipped: [("bad-time", 3, 17)], duplicates: 2).html(in: language)
    #expect(page.contains("<html lang=\"xx\" dir=\"rtl\">"))
    let body = try #require(page.components(separatedBy: "<body>").last)
    let texts =
      body.matches(of: />([^<>]*[A-Za-z][^<>]*)</).map { String($0.1) }
      + body.matches(of: /(?:aria-label|title|alt)="([^"]*[A-Za-z][^"]*)"/).map { String($0.1) }
    let names = Set(many.map(\.name))
      .union(["Name A", "Name B", "SKAdNetwork 4", "USD", "logistic:8,0.35", "none"])
    #expect(texts.filter { !names.contains($0) } == [])
  }

  @Test func `A simulation page needs no network and no script`() throws {
    let people = try crowd(400, campaigns: many, days: 9)
    let a = try variant("A", mapping(.skan4, grid), people)
    let page = try report([a, try variant("B", mapping(.skan4), people)], people).html()
      .replacing("url(#hatch)", with: "")
    for word in ["<script", "src=", "href=", "url(", "http://", "https://", "@import", "javascript:"] {
      #expect(!page.contains(word), "\(word)")
    }
    #expect(page.contains("default-src 'none'"))
  }

  @Test func `A simulation page shows foreign names as text`() throws {
    let people = try crowd(80, campaigns: hostile, days: 3)
    let variant = try variant("<h1>&", mapping(.skan4, name: "<i>"), people)
    let page = try report([variant], people, skipped: [("<kbd>", 1, 2)]).html()
    #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    #expect(page.contains("&quot;&gt;&lt;img src=x onerror=alert(1)&gt;"))
    for word in ["<script", "<img", "<b>", "<h1>&", "<kbd>", "\u{202E}", "\u{1B}", "&amp;amp;amp;"] {
      #expect(!page.contains(word), "\(word.debugDescription)")
    }
    #expect(page.contains("&lt;kbd&gt;"))
  }

  @Test func `A simulation page folds what is too much to draw, and states that`() throws {
    let people = try crowd(4000, campaigns: many, days: 9)
    let page = try report([try variant("Spring", mapping(.skan4), people)], people).html()
    #expect(page.contains("The 20 campaigns with the most revenue; 6 others form one group."))
    let table = try #require(page.components(separatedBy: "revenue by campaign, USD").last)
      .components(separatedBy: "</table>")[0]
    let names = table.matches(of: /<th scope="row">([^<]*)<\/th>/).map { String($0.1) }
    #expect(names.count == 21 && names.last == "6 others")
    let few = try crowd(2000, campaigns: Array(many.prefix(22)), days: 9)
    let whole = try report([try variant("Spring", mapping(.skan4), few)], few).html()
    #expect(!whole.contains("others</th>"))
    #expect(whole.contains(">summer_sale_18</th>"))
  }

  @Test func `A simulation page reports what is missing instead of an empty chart`() throws {
    let page = try report([try variant("None", mapping(.aak), [])], []).html()
    #expect(!page.contains("class=\"plot\""))
    #expect(page.contains("No postback was sent, so there is no delay to show."))
    #expect(page.contains("Devices would send no postback."))
    let free = try crowd(30, campaigns: small, days: 2, isFree: true)
    let unpaid = try report([try variant("Free", mapping(.skan3), free)], free).html()
    #expect(unpaid.contains("No campaign has revenue in USD, neither true nor visible."))
    #expect(unpaid.contains("so there is no error to measure"))
  }

  @Test
  func `A simulation page gives every table a caption and every scrolling box a name and keyboard access`()
    throws
  {
    for (name, page, _) in try Self.pages() {
      let tables = page.components(separatedBy: "<table class=\"").dropFirst()
      #expect(tables.allSatisfy { $0.contains(/^[a-z]+"><caption class="sr">[^<]/) }, "\(name)")
      let boxes = page.matches(of: /<div class="scroll[^>]*>/).map { String($0.0) }
      #expect(boxes.count == tables.count { $0.hasPrefix("stick") }, "\(name)")
      let isOpen = boxes.allSatisfy { box in
        box.contains(" tabindex=\"0\" role=\"group\"") && box.contains(/aria-label="[^"]+"/)
      }
      #expect(isOpen, "\(name)")
    }
  }

  @Test func `A simulation page has titles in words and no names of program members`() throws {
    let programs = Set(RunFigures.columns.map(\.header.name)).filter { $0.contains("-") }
    let short: Set = ["of 64", "bits", "p50 h", "null", "visible ±", "low", "high", "true", "broken"]
    for (name, page, _) in try Self.pages() {
      let titles = page.matches(of: /<th scope="(?:col|row)"[^>]*>([^<]*)<\/th>/).map { String($0.1) }
      #expect(
        titles.filter { programs.contains($0) || short.contains($0) || $0.hasPrefix("@") } == [], "\(name)")
      #expect(!page.contains("<th></th>") && !page.contains("<th scope=\"col\"></th>"), "\(name)")
    }
    // Two measures of one table never share their words.
    let labels = RunFigures.columns.map(\.header).filter { $0.presence != .forPrograms }.map(\.help.english)
    #expect(Set(labels).count == labels.count)
  }

  @Test func `A simulation page does not break options across lines`() throws {
    let people = try crowd(40, campaigns: small, days: 4)
    let page = try report([try variant("Spring", mapping(.skan4), people)], people).html()
    #expect(page.contains("<code>--threshold default</code>"))
    #expect(!page.contains("`"))
    // An option outside of code could be broken after its hyphens.
    #expect(
      !page.replacing(/<code>[^<]*<\/code>/, with: "").replacing(/<style>[^§]*<\/style>/, with: "").contains(
        "--"))
    // Nor are dates in sentences broken after theirs.
    let sentences = page.matches(of: /<p>([^<]*)<\/p>/).map { String($0.1) }
    #expect(sentences.filter { $0.contains(/[0-9]-[0-9][0-9]-/) } == [])
    #expect(HTML.prose("a `b` & `c").text == "a <code>b</code> &amp; `c")
  }

  @Test func `A simulation page draws no share of withheld values without a privacy threshold model`() throws
  {
    let people = try crowd(60, campaigns: small, days: 4)
    let page = try report([try variant("Spring", mapping(.skan4), people)], people).html()
    #expect(page.contains("No privacy threshold model is selected, so no value is withheld."))
    #expect(!page.contains("share of null postbacks by installs a day"))
    let crowded = try report([try variant("Spring", mapping(.skan4), people, crowd: "hard:3")], people).html()
    #expect(crowded.contains("share of null postbacks by installs a day"))
  }

  @Test(
    arguments: [
      ([], 0), ([0.5], 0.5), ([0.1, 0.2, 6], 0.2), ([0, 0, 0, 0], 0), ([0, 0, 0, 5], 5),
      (steps(0..<58, of: 0.01, above: 0.4) + [6], 0.97),
      (steps(0..<58, of: 0.01) + [0.9], 0.9),
      ([0.5, 0.5, 0.5, 0.5, 0.5, 0.51], 0.51), (steps(1..<21, of: 0.05) + [7, 8, 900], 1),
    ] as [([Double], Double)])
  func `A simulation page ends an axis where most points are if a few are far beyond`(
    errors: [Double], bound: Double
  ) {
    #expect(abs(PageCharts.bound(errors.reversed()) - bound) < 1e-9)
  }

  @Test func `A simulation page marks campaigns beyond the axes with their values`() throws {
    let page = try Self.farCampaign()
    #expect(page.contains("class=\"beyond\""))
    let named = try #require(
      page.firstMatch(of: /Rings at the edge are outside the plot: far \(A ([0-9.,]+)/))
    let value = try #require(Double(named.1.replacing(",", with: "")))
    // In the plot, no mark of an axis comes near the value.
    let plot = try #require(page.components(separatedBy: "<div class=\"plot\">").dropFirst().first)
      .components(separatedBy: "</div>")[0]
    let marks = plot.matches(of: /class="ax"[^>]*>([0-9.]+)\u{A0}%<\/text>/).compactMap { Double($0.1) }
    #expect(try #require(marks.max()) < value / 2)
    #expect(plot.contains(">\(named.1)\u{A0}%</text>"))
  }

  /// A comparison with one campaign whose error is many times that of the others.
  private static func farCampaign() throws -> String {
    let usd = try #require(CurrencyCode("USD"))
    var people: [Person] = []
    for number in 0..<400 {
      let isFar = number < 20
      // Just above a step of the mapping: what it stands for is far more than what was paid.
      let micros: Int64 = isFar ? 50_010_000 : [6, 9, 14, 21, 37][number % 5] * 1_000_000
      let payment = UserEvent(
        secondsSinceInstall: 60, name: "purchase",
        revenue: Money(micros: isFar ? 20_000 : micros, currency: usd))
      people.append(
        Person(
          name: "u\(number)", installed: epoch, campaign: isFar ? "far" : "c\(number % 19)", events: [payment]
        ))
    }
    let a = try variant("A", mapping(.skan4), people)
    let b = try variant("B", mapping(.skan4, grid), people)
    return try report([a, b], people).html()
  }

  /// The pages that are rendered.
  private static func pages() throws -> [(name: String, page: String, drawings: Int)] {
    let people = try crowd(3000, campaigns: many, days: 40)
    let grid = try variant("Grid", mapping(.skan4, grid), people, crowd: "logistic:8", runs: 3)
    let ladder = try variant("Ladder", mapping(.skan4), people, crowd: "hard:12", runs: 3)
    let few = try crowd(40, campaigns: small, days: 3)
    let strange = try crowd(300, campaigns: hostile, days: 3)
    let usd = try #require(CurrencyCode("USD"))
    let payment = UserEvent(
      secondsSinceInstall: 60, name: "purchase", revenue: Money(micros: 9_000_000, currency: usd))
    let one = [Person(name: "u", installed: epoch, campaign: "only", events: [payment])]
    let ages = [Instant(seconds: -390_000_000_000), epoch, Instant(seconds: 390_000_000_000)].map { moment in
      Person(name: "\(moment.seconds)", installed: moment, campaign: "ages", events: [payment])
    }
    return [
      ("two mappings", try report([grid, ladder], people).html(), 4),
      ("SKAdNetwork 3", try report([try variant("Old", mapping(.skan3), few)], few).html(), 2),
      (
        "hostile names",
        try report(
          [
            try variant(String(repeating: "W", count: 200), mapping(.aak), strange),
            try variant(String(repeating: "<b>x", count: 60), mapping(.skan3), strange),
          ], strange
        ).html(), 3
      ),
      ("one user", try report([try variant("One", mapping(.skan4), one)], one).html(), 2),
      ("ages apart", try report([try variant("Ages", mapping(.skan4), ages)], ages).html(), 2),
      ("nobody", try report([try variant("None", mapping(.aak), [])], []).html(), 0),
      ("one far campaign", try farCampaign(), 3),
    ]
  }

  @Test(.timeLimit(.minutes(3))) func `A simulation page fits into a browser's window`() throws {
    for (name, page, drawings) in try Self.pages() {
      for seen in try Browser.render(page, widths: [360, 390, 768, 1280]) {
        #expect(seen.overflow <= 0, "\(name) at \(seen.width)")
        #expect(seen.misplaced == [], "\(name) at \(seen.width)")
        #expect(seen.errors == [], "\(name) at \(seen.width)")
        #expect(seen.drawings == drawings, "\(name) at \(seen.width)")
        #expect(seen.hidden == [], "\(name) at \(seen.width)")
      }
    }
  }

  @Test func `A simulation page that is broken is noticed by the browser's test`() throws {
    let broken = """
      <!DOCTYPE html><html><head><title>x</title></head><body><div style="width:2000px">wide</div>
      <svg viewBox="0 0 50 50"><text x="45" y="20">outside</text></svg>
      <svg viewBox="0 0 500 50"><text x="0" y="20">one</text><text x="2" y="20">two</text></svg>
      <div style="overflow:auto;width:50px" aria-label="box"><p style="width:90px">sideways</p></div>
      <script>missing()</script></body></html>
      """
    let seen = try #require(try Browser.render(broken, widths: [390]).first)
    #expect(seen.overflow > 1000)
    #expect(seen.misplaced == ["outside: outside", "overlapping: one / two"])
    #expect(seen.errors.count == 1)
    #expect(seen.drawings == 2)
    #expect(seen.hidden == ["box"])
  }
}

private func steps(_ numbers: Range<Int>, of step: Double, above base: Double = 0) -> [Double] {
  numbers.map { base + step * Double($0) }
}
