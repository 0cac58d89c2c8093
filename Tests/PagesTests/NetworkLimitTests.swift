import Ledger
import Pages
import PostbackFixtures
import Postbacks
import Screens
import TestSupport
import Testing
import Values

/// A partner who may see one network of two.
struct `A token that is limited to networks` {
  private let now = Instant("2026-11-24T10:00:00Z") ?? Instant(seconds: 0)
  private let own = "own.skadnetwork"

  /// What only the other network has: its ids, its names, and figures that nothing else comes to.
  private static let secrets = ["other.skadnetwork", "7788", "4242424242", "Secret", "99887"]
  private static let figures = ["365", "366", "731", "771"]

  private func site(_ limit: ReadLimit) throws -> OpenSite {
    let other = "other.skadnetwork"
    return try OpenSite(at: now, asksForTokens: true) { database in
      var receipts: [Receipt] = []
      for (network, campaign, count) in [(own, "1122", 40), (other, "7788", 731)] {
        for number in 0..<count {
          receipts.append(
            valid(
              "\(network) \(number)",
              value: number % 4 == 0 ? .absent : .fine(try #require(FineValue(Int64(number % 2)))),
              at: now + Int64(-number % 20) * 86_400_000, network: network,
              app: network == other && number % 2 == 0 ? 4_242_424_242 : 1, campaign: campaign,
              environment: .production))
        }
      }
      receipts.sort { $0.arrival.receivedAt < $1.arrival.receivedAt }
      try store(receipts, in: database)
      try MappingStore(path: database).replaceAll(
        with: [OpenSite.mapping(1, "EUR"), OpenSite.mapping(4_242_424_242, "USD")].compactMap { $0 })
      let store = try ReferenceStore(path: database)
      func name(_ network: String, _ campaign: String, _ app: Int64?, _ name: String) -> CampaignNameRow {
        CampaignNameRow(
          network: network, campaign: campaign, app: app, from: Day(number: 0), to: nil, name: name,
          adSet: nil, creative: nil, country: nil)
      }
      _ = try store.put([
        name(own, "1122", nil, "Own campaign"), name(own, "", nil, "Own network"), name("", "", 1, "Own app"),
        name(other, "7788", nil, "Secret campaign"), name(other, "", nil, "Secret network"),
        name("", "", 4_242_424_242, "Secret app"),
      ])
      _ = try store.put(
        [(own, "1122", 5_000_000), (other, "7788", 99_887_000_000)].map {
          SpendRow(
            day: Day(number: now.day.number - 3), network: $0, campaign: $1, app: 1, currency: "EUR",
            micros: $2)
        }, importedAt: now)
      _ = try store.put([
        SavedView(
          path: "/arrived", owner: .token("ed"), name: "Secret view", query: "network=\(other)",
          isShared: true)
      ])
      _ = try store.put([
        OwnInstallsRow(day: Day(number: now.day.number - 3), app: try #require(AppID(1)), installs: 99_887)
      ])
      try AlertStore(path: database).save(
        [
          AlertRecord(
            id: "a", kind: "network-silent", severity: "warning", app: nil, network: other, campaign: nil,
            origin: nil, since: now + -86_400_000 * 2, value: 1, bound: 2,
            sentence: Sentence(name: "Secret alert of `\(other)`"),
            remedy: Sentence(""), command: "")
        ], [], forgettingBefore: now + -86_400_000 * 90)
      let tokens = try TokenStore(path: database)
      _ = try tokens.add(.read, name: "partner", token: "limited", limit: limit, now: now)
      _ = try tokens.add(.read, name: "ann", token: "open", now: now)
    }
  }

  private func limit(apps: [AppID] = []) throws -> ReadLimit {
    ReadLimit(apps: apps, networks: [try #require(AdNetworkID(own))])
  }

  private func expectNoSecret(_ text: String, _ path: String) {
    for secret in Self.secrets { #expect(!text.contains(secret), "\(path) has \(secret)") }
    for figure in Self.figures {
      // Not a part of the name of an asset, or of the coordinates of a chart.
      let found = text.matches(of: /[0-9A-Za-z.\-]+/).contains { $0.output == figure }
      #expect(!found, "\(path) has \(figure)")
    }
  }

  private static let variants = [
    "", "from=2026-10-01&through=2026-11-24", "format=csv", "format=json", "format=ndjson", "by=network",
    "by=app", "by=name", "by=publisher", "compare=previous", "digits=tree", "digits=4", "currency=EUR",
    "value=1", "color=estimated", "environment=test", "from=2026-01-01&through=2026-01-05",
    "sort=-spend", "table=windows&format=csv", "network=own.skadnetwork", "find=e", "campaign=1122",
  ]

  @Test func `Nothing of another network is on any page, in any file or in any answer`() throws {
    let site = try site(limit())
    let (cookie, _) = try site.signIn("limited")
    let (open, _) = try site.signIn("open")
    var seen = 0
    for screen in allScreens where screen.isOfNetworks {
      let usual = screen.path == "/campaign" ? "network=own.skadnetwork&campaign=1122&app=1" : ""
      for variant in Self.variants {
        let names = Set(variant.split(separator: "&").map { String($0.prefix { $0 != "=" }) })
        guard names.isSubset(of: screen.parameterNames) || variant.isEmpty else { continue }
        let query = [usual, names.contains("campaign") || names.contains("network") ? "" : variant]
          .filter { !$0.isEmpty }.joined(separator: "&")
        let path = "\(screen.path)?\(query.isEmpty ? variant : query)"
        let answer = try site.answer("GET", path, [("Cookie", cookie)])
        #expect([200, 303, 400].contains(answer.status), "\(path): \(answer.status)")
        expectNoSecret(answer.text + answer.headers.map(\.value).joined(), path)
        seen += answer.status == 200 ? 1 : 0
      }
      // The same pages have the other network for those who may see it.
      if screen.path == "/arrived" {
        let all = try site.answer("GET", screen.path, [("Cookie", open)]).text
        #expect(all.contains("other.skadnetwork") && all.contains("Secret campaign") && all.contains("771"))
        #expect(all.contains("Secret view"))
        let mine = try site.answer("GET", screen.path, [("Cookie", cookie)]).text
        #expect(mine.contains("Own campaign") && mine.contains("Own network") && mine.contains("5.00"))
      }
    }
    #expect(seen > 30)
  }

  @Test func `Every route that is not of networks answers 403 with the pages that are`() throws {
    let site = try site(limit())
    let (cookie, next) = try site.signIn("limited")
    #expect(next == "/arrived")
    let screens = Dictionary(uniqueKeysWithValues: allScreens.map { ($0.path, $0) })
    let token = try #require(
      site.answer("GET", "/arrived", [("Cookie", cookie)]).text.firstMatch(
        of: /name="form-token" value="([0-9a-f]+)"/)
    ).output.1
    var (covered, refused) = (0, 0)
    for route in site.paths {
      let path = route.replacing(/\{[a-z]+\}/, with: "1")
      let answer = try site.answer("GET", path, [("Cookie", cookie)])
      expectNoSecret(answer.text, path)
      guard let screen = screens[route] else {
        // Assets, sign-in, sign-out and settings have no data.
        #expect(route.hasPrefix("/assets/") || ["/sign-in", "/sign-out", "/preferences"].contains(route))
        continue
      }
      if screen.opensByLink {
        #expect(answer.status == 404 || answer.status == 429, "\(path)")
        continue
      }
      if screen.isOfNetworks {
        covered += 1
        #expect([200, 303].contains(answer.status), "\(path): \(answer.status)")
        let other = try site.answer("GET", "\(path)?network=other.skadnetwork", [("Cookie", cookie)])
        #expect(other.status == 403, "\(path)")
      } else {
        refused += 1
        #expect(answer.status == 403, "\(path)")
        #expect(answer.text.contains("limited to networks") || screen.role == .editor, "\(path)")
        for title in ["Arrived postbacks", "Withheld values"] {
          #expect(answer.text.contains(title), "\(path)")
        }
      }
      guard screen.formRole != nil else { continue }
      let form = "form-token=\(token)&do=save&view=x"
      #expect(try site.answer("POST", path, [("Cookie", cookie)], form).status == 403, "POST \(path)")
    }
    #expect(covered == 5 && refused > 15)
  }

  @Test func `The navigation has the pages of networks alone`() throws {
    let site = try site(limit())
    let (cookie, _) = try site.signIn("limited")
    let page = try site.answer("GET", "/withheld", [("Cookie", cookie)]).text
    let navigation = try #require(page.firstMatch(of: /<nav class="nav".*?<\/nav>/.dotMatchesNewlines()))
    let paths = navigation.output.matches(of: /href="([^"?]*)/).map { String($0.output.1) }
    #expect(Set(paths) == ["/arrived", "/values", "/withheld", "/arrivals"])
    #expect(page.contains("<a class=\"brand\" href=\"/arrived\">"))
  }

  @Test func `No page leads to one that does not open`() throws {
    let site = try site(limit())
    let (cookie, _) = try site.signIn("limited")
    let screens = Dictionary(uniqueKeysWithValues: allScreens.map { ($0.path, $0.isOfNetworks) })
    for path in [
      "/arrived", "/arrived?by=network", "/arrived?digits=tree", "/values?value=1", "/arrivals",
      "/withheld",
      "/campaign?network=own.skadnetwork&campaign=1122&app=1",
      "/arrived?from=2026-01-01&through=2026-01-02",
      "/withheld?from=2026-01-01&through=2026-01-02", "/",
    ] {
      let page = try site.answer("GET", path, [("Cookie", cookie)]).text
      let links = Set(page.matches(of: /(?:href|action)="(\/[^"?#]*)/).map { String($0.output.1) })
      for link in links {
        guard let opens = screens[link] else {
          #expect(
            link.hasPrefix("/assets/") || ["/sign-out", "/preferences"].contains(link), "\(path): \(link)")
          continue
        }
        #expect(opens, "\(path): \(link)")
      }
    }
  }

  @Test func `A limit to networks and apps leaves what is of both`() throws {
    let site = try site(limit(apps: [try #require(AppID(4_242_424_242))]))
    let (cookie, _) = try site.signIn("limited")
    let page = try site.answer("GET", "/arrived", [("Cookie", cookie)])
    #expect(page.status == 200 && !page.text.contains("Own campaign") && !page.text.contains("7788"))
  }

  @Test func `An empty page of a viewer of some apps names no other app, and no day of one`() throws {
    let site = try site(ReadLimit(apps: [try #require(AppID(7))]))
    let (cookie, _) = try site.signIn("limited")
    for path in ["/arrived", "/withheld", "/", "/arrivals", "/values", "/causes", "/campaigns", "/plan"] {
      let page = try site.answer("GET", path, [("Cookie", cookie)])
      #expect(page.status == 200, "\(path)")
      expectNoSecret(page.text, path)
    }
    let empty = try site.answer("GET", "/withheld", [("Cookie", cookie)]).text
    #expect(empty.contains("Nothing of the apps or networks that you may see has arrived"))
  }

  @Test func `The page of access shows and sets the limit`() throws {
    let site = try site(limit())
    let (cookie, _) = try site.signIn("open")
    let page = try site.answer("GET", "/access", [("Cookie", cookie)]).text
    let start = try #require(page.firstRange(of: "aria-labelledby=\"h-tokens\""))
    #expect(page[start.upperBound...].contains("Own network"))
  }
}
