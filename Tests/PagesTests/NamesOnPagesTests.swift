import Imports
import Ledger
import PostbackFixtures
import Postbacks
import Testing
import Values

struct `Names of apps and networks` {
  private let now = Instant("2026-11-24T10:00:00Z") ?? Instant(seconds: 0)

  private func site(named: Bool = true) throws -> OpenSite {
    try OpenSite(at: now) { database in
      let day = now.day.start + -86_400_000
      try OpenSite.store(
        [
          .init(at: day, value: .fine(try #require(FineValue(1)))),
          .init(app: 2, campaign: "5678", at: day, value: .fine(try #require(FineValue(1)))),
        ],
        in: database)
      try MappingStore(path: database).replaceAll(
        with: [OpenSite.mapping(1, "EUR"), OpenSite.mapping(2, "EUR")].compactMap { $0 })
      guard named else { return }
      let names = """
        network,campaign,app,from,name
        ,,1,2026-01-01,Dragon Merge
        ,,2,2026-01-01,<b>لعبة</b>
        net.skadnetwork,,,2026-01-01,Meridian Ads
        net.skadnetwork,5678,2,2026-01-01,Rewarded video
        """
      _ = try NameImport.store(
        Array(names.utf8), NoChoice(), in: LedgerFile(path: database), now: Instant(seconds: 1_780_000_000))
    }
  }

  @Test func `Menus have the name of an app first and its number behind`() throws {
    let site = try site()
    for path in [
      "/", "/campaigns", "/arrived", "/withheld", "/arrivals", "/values", "/postbacks", "/mappings",
    ] {
      let page = try site.page(path)
      #expect(
        page.contains("<option value=\"1\">\u{2068}Dragon Merge\u{2069} (\u{2068}1\u{2069})</option>")
          || page.contains(
            "<option value=\"1\" selected>\u{2068}Dragon Merge\u{2069} (\u{2068}1\u{2069})</option>"),
        "\(path)")
      #expect(
        page.contains("\u{2068}&lt;b>لعبة&lt;/b>\u{2069}") || page.contains("\u{2068}&lt;b&gt;لعبة"),
        "\(path)")
    }
  }

  @Test func `The map of values names its app, and offers no map of all apps`() throws {
    let page = try site().page("/values")
    let menu = try #require(page.firstMatch(of: /<select[^>]*name="app".*?<\/select>/.dotMatchesNewlines()))
    let options = menu.output.matches(of: /<option value="([^"]*)"( selected)?/).map {
      "\($0.output.1)\($0.output.2 == nil ? "" : " selected")"
    }
    #expect(options == ["1 selected", "2"])
  }

  @Test(arguments: ["/campaigns", "/arrived", "/withheld", "/trust?last=90d", "/postbacks", "/"])
  func `A page calls a network by its name`(path: String) throws {
    #expect(try site().page(path).contains("<bdi>Meridian Ads</bdi>"))
    #expect(try site(named: false).page(path).contains("<bdi>net.skadnetwork</bdi>"))
  }

  @Test func `Rows of withheld values have the names of campaigns, apps and networks`() throws {
    let table = try site().section("table", of: "/withheld")
    for name in ["Rewarded video", "Dragon Merge", "Meridian Ads"] {
      #expect(table.contains("<bdi>\(name)</bdi>"), "\(name)")
    }
    #expect(table.contains("78"))
  }

  @Test func `Where an app is read alone its number is beside its name`() throws {
    let site = try site()
    let name = "<bdi>Dragon Merge</bdi> <small><bdi>1</bdi></small>"
    for path in ["/mappings?app=1", "/values?app=1", "/campaigns?by=app", "/mappings/handover?app=1"] {
      #expect(try site.page(path).contains(name), "\(path)")
    }
    #expect(try site.page("/arrived?find=dragon").contains("1 campaign"))
  }

  @Test func `A campaign has its name first, or those that its digits fit, and its digits small behind`()
    throws
  {
    let site = try OpenSite(at: now) { database in
      let day = now.day.start + -86_400_000
      let value = ConversionValue.fine(try #require(FineValue(1)))
      try OpenSite.store(
        [.init(at: day, value: value), .init(campaign: "5678", at: day, value: value)], in: database)
      try MappingStore(path: database).replaceAll(with: [OpenSite.mapping(1, "EUR")].compactMap { $0 })
      let names = """
        network,campaign,from,name
        net.skadnetwork,1234,2026-01-01,Summer
        net.skadnetwork,5634,2026-01-01,Winter
        net.skadnetwork,5678,2026-01-01,Rewarded
        """
      _ = try NameImport.store(
        Array(names.utf8), NoChoice(), in: LedgerFile(path: database), now: Instant(seconds: 1_780_000_000))
    }
    let both = "<bdi>Summer</bdi> / <bdi>Winter</bdi>"
    let campaigns = try site.page("/campaigns")
    #expect(campaigns.contains(">\(both)</a><span class=\"sub\">"), "\(campaigns)")
    #expect(campaigns.contains("<bdi>34</bdi></span><span class=\"sub\">2 names fit</span>"))
    #expect(campaigns.contains("><bdi>Rewarded</bdi></a>") && campaigns.contains(" · <bdi>78</bdi></span>"))
    let overview = try site.page("/")
    #expect(overview.contains("<b>\(both)</b><span class=\"id\">"), "\(overview)")
    #expect(overview.contains(" · <bdi>34</bdi> · 2 names fit</span>"))
    let arrived = try site.page("/arrived?digits=2")
    #expect(
      arrived.contains("<b>\(both)</b><span class=\"id\"><bdi>34</bdi> · 2 names fit</span>"), "\(arrived)")
    let page = try site.page("/campaign?network=net.skadnetwork&campaign=34&digits=2")
    #expect(
      page.contains("<h1>\(both)</h1>") && page.contains(" · <bdi>34</bdi> · 2 names fit · "), "\(page)")
    let unnamed = try site.page("/campaign?network=net.skadnetwork&campaign=99&digits=2")
    #expect(unnamed.contains("<h1>Campaign <bdi>99</bdi></h1>"))
  }

  @Test func `Apps are named on the page of names, after a preview`() throws {
    let site = try site(named: false)
    let sent = try site.post(
      "/data/names", [("do", "name-apps"), ("name-1", "Dragon, the \"game\""), ("name-2", " ")])
    let preview = try #require(sent.header("Location"))
    #expect(sent.status == 303 && preview.hasPrefix("/data/names?upload="))
    let page = try site.page(preview)
    #expect(page.contains("Dragon, the") && !page.contains("name=\"name-1\""))
    let upload = try #require(preview.split(separator: "=").last)
    let expected = try #require(page.firstMatch(of: /name="expected" value="([^"]*)"/)).output.1
    let stored = try site.post(
      preview, [("do", "import"), ("upload", String(upload)), ("expected", String(expected))])
    #expect(stored.text.contains("1 name stored"))
    #expect(
      try site.page("/mappings?app=1").contains("<bdi>Dragon, the &quot;game&quot;</bdi>")
        || site.page("/mappings?app=1").contains("<bdi>Dragon, the \"game\"</bdi>"))
    // What has not changed is no row.
    let same = try site.post("/data/names", [("do", "name-apps"), ("name-1", "Dragon, the \"game\"")])
    #expect(same.text.contains("No rows were sent"))
  }

  @Test func `Names that networks sent are proposed on the page of names, after a preview`() throws {
    func sent(_ id: String, _ campaign: String, _ name: String, days: Int64 = 1) -> Receipt {
      valid(
        id, at: now + -days * 86_400_000, origin: Origin(.forwarded, name: "acme"),
        network: "net.skadnetwork", app: 1,
        campaign: campaign, environment: .production,
        body: #"{"id":"\#(id)","ad-network-campaign-name":"\#(name)"}"#)
    }
    let site = try OpenSite(at: now) { database in
      try PostbackFixtures.store(
        [
          sent("a", "1234", "Autumn & more"), sent("b", "1234", "Autumn & more"), sent("c", "4321", "One"),
          sent("d", "4321", "Other"), sent("e", "5555", "Long ago", days: 31),
        ], in: database)
    }
    #expect(try site.page("/data/names").contains("value=\"propose-names\""))
    let answer = try site.post("/data/names", [("do", "propose-names")])
    let preview = try #require(answer.header("Location"))
    #expect(answer.status == 303 && preview.hasPrefix("/data/names?upload="))
    let page = try site.page(preview)
    #expect(page.contains("Autumn &amp; more") && page.contains("1234"))
    // A campaign with two names is in no proposal.
    #expect(!page.contains("4321") && !page.contains("Long ago"))
    let upload = try #require(preview.split(separator: "=").last)
    let expected = try #require(page.firstMatch(of: /name="expected" value="([^"]*)"/)).output.1
    let stored = try site.post(
      preview, [("do", "import"), ("upload", String(upload)), ("expected", String(expected))])
    #expect(stored.text.contains("1 name stored"))
    let none = try site.post("/data/names", [("do", "propose-names")])
    #expect(none.status == 200 && none.text.contains("No name to propose"))
  }

  @Test func `A campaign without an imported name has the only one that networks sent, marked as unsigned`()
    throws
  {
    func sent(_ id: String, _ campaign: String, _ name: String) -> Receipt {
      valid(
        id, at: now + -86_400_000, origin: Origin(.forwarded, name: "acme"), network: "net.skadnetwork",
        app: 1,
        campaign: campaign, environment: .production,
        body: #"{"id":"\#(id)","ad-network-campaign-name":"\#(name)"}"#)
    }
    let site = try OpenSite(at: now) { database in
      try PostbackFixtures.store(
        [
          sent("a", "1234", "Autumn & more"), sent("b", "4321", "One"), sent("c", "4321", "Other"),
          sent("d", "5678", "Sent"),
        ], in: database)
      _ = try NameImport.store(
        Array("network,campaign,from,name\nnet.skadnetwork,5678,2026-01-01,Imported\n".utf8), NoChoice(),
        in: LedgerFile(path: database), now: Instant(seconds: 1_780_000_000))
    }
    let page = try site.page("/arrived")
    #expect(page.contains("<bdi>Autumn &amp; more</bdi> <span class=\"badge null\">unsigned</span>"))
    // Of several names none is chosen, and an imported name is the only one.
    #expect(!page.contains("<bdi>One</bdi>") && !page.contains("<bdi>Other</bdi>"))
    #expect(page.contains("<bdi>Imported</bdi>") && !page.contains("<bdi>Sent</bdi>"))
  }
}
