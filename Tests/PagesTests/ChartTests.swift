import Ledger
import Markup
import Postbacks
import Testing
import Values

struct `Charts on pages` {
  private let now = Instant("2026-11-24T10:00:00Z") ?? Instant(seconds: 0)

  /// A site with a second version, an alert and an import in its days.
  private func site(imports: Int = 1, isEnded: Bool = false) throws -> OpenSite {
    try OpenSite(at: now) { database in
      try OpenSite.store([.init(at: now, delay: -86_400_000 * 3), .init(at: now)], in: database)
      let first = try #require(OpenSite.mapping(1, "EUR"))
      let second = StoredMapping(
        source: "m2", app: first.app, effectiveFrom: now + -86_400_000 * 5, digest: "e",
        loadedAt: now, document: first.document)
      try MappingStore(path: database).replaceAll(with: [first, second])
      try AlertStore(path: database).save(
        [
          AlertRecord(
            id: "a", kind: "network-silent", severity: "warning", app: nil, network: "net.skadnetwork",
            campaign: nil, origin: nil, since: now + -86_400_000 * 2, value: 1, bound: 2,
            sentence: Sentence(name: "nothing came from `net.skadnetwork`"), remedy: Sentence(""),
            command: "",
            resolvedAt: isEnded ? now + -86_400_000 : nil)
        ], [], forgettingBefore: now + -86_400_000 * 90)
      let row = RateRow(day: now.day, currency: "EUR", quote: "USD", picos: 1_100_000_000_000)
      for _ in 0..<imports { _ = try ReferenceStore(path: database).put([row], importedAt: now) }
    }
  }

  @Test(arguments: [
    "/?from=2026-10-28&through=2026-11-24",
    "/campaign?network=net.skadnetwork&campaign=1234&from=2026-10-28&through=2026-11-24", "/arrivals",
    "/organic",
  ])
  func `New versions, alerts and imports are numbered lines with words and links`(path: String) throws {
    let site = try site()
    if path == "/organic" {
      let row = OwnInstallsRow(day: now.day, app: try #require(AppID(1)), installs: 5)
      _ = try ReferenceStore(path: site.database).put([row])
    }
    let page = try site.page(path)
    let list = try #require(
      page.firstMatch(of: /<details class="more marks".*?<\/details>/.dotMatchesNewlines()), "\(path)"
    ).output
    for words in [
      "Version 2 of app", "/mappings?app=1&amp;old=1&amp;new=2#h-differences", "nothing came from",
      "/alerts#h-alerts", "1 row added, changed or removed", "/data/rates",
    ] {
      #expect(list.contains(words), "\(words)")
    }
    #expect(list.matches(of: /<li><time/).count == 3)
    #expect(page.matches(of: /<line class="mark"/).count == 3)
    #expect(page.contains("Something happened, see the list"))
  }

  @Test
  func `An alert that ended has its end and leads nowhere, because the page of alerts no longer has it`()
    throws
  {
    let site = try site(isEnded: true)
    let page = try site.page("/arrivals")
    let alert = try #require(page.firstMatch(of: /<li><span class="badge warn">.*?<\/li>/)).output
    #expect(alert.contains("nothing came from") && alert.contains("(ended on <time datetime=\"2026-11-23\">"))
    let alerts = try site.page("/alerts")
    #expect(!alert.contains("href") && !alerts.contains("nothing came from"))
  }

  @Test func `An import that changes nothing is no mark, and a chart without marks has no list`() throws {
    let twice = try site(imports: 2).page("/?from=2026-10-28&through=2026-11-24")
    #expect(twice.contains("1 row added, changed or removed"))
    let plain = try OpenSite(at: now) { database in
      try OpenSite.store([.init(at: now)], in: database)
    }.page("/")
    #expect(!plain.contains("class=\"more marks\"") && !plain.contains("see the list"))
  }

  /// The labels of a class with their places, as a box of a width shows them.
  private func labels(_ markup: String, _ kind: String, at width: Double) -> [(x: Double, text: String)] {
    markup.matches(of: /<text class="([^"]*)" x="([0-9.]+)%"[^>]*>([^<]*)<\/text>/).compactMap { found in
      let classes = found.1.split(separator: " ")
      guard classes.first == Substring(kind), width >= 520 || !classes.contains("from-middle"),
        width >= 740 || !classes.contains("from-wide"), let x = Double(found.2)
      else { return nil }
      // The axis at the side takes some of the box.
      return (x / 100 * (width - 50), String(found.3))
    }
  }

  @Test(arguments: [7, 28, 90, 366], [300.0, 390, 520, 740, 1024])
  func `Labels of days do not touch at any width, and phones have some too`(days: Int, width: Double) {
    let names = (0..<days).map { "\($0 % 28 + 1) Nov" }
    var chart = SeriesChart(names, most: 5)
    chart.marks(Array(0..<days))
    let markup = chart.markup(label: "").text
    for (kind, size) in [("ax", 6.6), ("b", 6.6)] {
      let shown = labels(markup, kind, at: width)
      #expect(shown.count > 1)
      for (one, other) in zip(shown, shown.dropFirst()) {
        let room = size * Double(one.text.count + other.text.count) / 2
        #expect(other.x - one.x >= room, "\(one) \(other)")
      }
    }
  }

  @Test(arguments: [300.0, 520, 740, 1024])
  func `Names of points do not lie on one another`(width: Double) throws {
    var random = SplitMix64(seed: 5)
    var chart = ScatterChart(x: "", y: "")
    for index in 0..<60 {
      chart.point(
        x: 1 + 99 * random.fraction(), y: random.fraction(), link: "/", label: "", name: "campaign \(index)")
    }
    let markup = chart.markup(label: "").text
    var shown: [(left: Double, right: Double, y: Double)] = []
    for point in markup.matches(of: /<svg x="([0-9.]+)%" y="([0-9.]+)"[^>]*>(.*?)<\/svg>/) {
      guard
        let text = point.3.firstMatch(
          of: /<text class="([^"]*)" x="(-?9)" y="4"(?: text-anchor="end")?>([^<]*)</),
        width >= 520 || !text.1.contains("from-middle"), width >= 740 || !text.1.contains("from-wide")
      else { continue }
      let (x, y) = (try #require(Double(point.1)) / 100 * (width - 50), try #require(Double(point.2)))
      let length = 6.6 * Double(text.3.count)
      shown.append(text.2 == "9" ? (x + 9, x + 9 + length, y) : (x - 9 - length, x - 9, y))
    }
    #expect(shown.count > 3)
    for (index, one) in shown.enumerated() {
      for other in shown[(index + 1)...] where abs(one.y - other.y) < 12 {
        #expect(one.right <= other.left || other.right <= one.left)
      }
    }
  }
}
