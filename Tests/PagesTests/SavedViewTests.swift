import Ledger
import Routing
import System
import Testing
import Values

struct `Saved views` {
  private let now = Instant("2026-11-24T10:00:00Z") ?? Instant(seconds: 0)

  private func fill(_ database: String) throws {
    try OpenSite.store([.init(at: now + -86_400_000)], in: database)
  }

  private func views(_ page: String) -> [String] {
    guard let list = page.firstMatch(of: /<nav class="views".*?<\/ul><\/nav>/.dotMatchesNewlines()) else {
      return []
    }
    return list.output.matches(of: /<li><a href="([^"]*)"[^>]*>(.*?)<\/a>/).map {
      "\($0.output.1) \($0.output.2)"
    }
  }

  @Test(arguments: ["/campaigns", "/arrived"])
  func `A view keeps filters, columns and order under a name, until it is deleted`(path: String) throws {
    let site = try OpenSite(at: now, fill)
    let address = "\(path)?last=7d&columns=installs&sort=-installs"
    let saved = try site.post("\(address)&page=3", [("do", "save"), ("view", " Weekly  <cut> list ")])
    #expect(saved.status == 303)
    let name = "<bdi>Weekly &lt;cut&gt; list</bdi>"
    let listed = views(try site.page(path))
    #expect(listed.count == 1)
    let href = address.replacing("&", with: "&amp;")
    #expect(listed.first?.replacing("&lt;cut>", with: "&lt;cut&gt;") == "\(href) \(name)")
    #expect(try site.page(address).contains("<a href=\"\(href)\" aria-current=\"page\">"))
    // The same name again takes its place.
    _ = try site.post("\(path)?last=28d", [("do", "save"), ("view", "Weekly <cut> list")])
    #expect(views(try site.page(path)).map { $0.contains("last=28d") } == [true])
    let other = path == "/campaigns" ? "/arrived" : "/campaigns"
    #expect(views(try site.page(other)).isEmpty)
    _ = try site.post("\(path)?last=28d", [("do", "remove"), ("view", "Weekly <cut> list"), ("owner", "")])
    #expect(views(try site.page(path)).isEmpty)
  }

  @Test func `A view needs a name, and a person has fifty at most on a page`() throws {
    let site = try OpenSite(at: now) { database in
      try fill(database)
      try ReferenceStore(path: database).put(
        (0..<50).map {
          SavedView(path: "/campaigns", owner: .anyone, name: "v\($0)", query: "last=7d", isShared: true)
        })
    }
    for name in [" ", String(repeating: "a", count: 81), "one more"] {
      #expect(try site.post("/campaigns", [("do", "save"), ("view", name)]).status == 400, "\(name)")
    }
    #expect(try site.post("/campaigns", [("do", "save"), ("view", "v7")]).status == 303)
  }

  @Test func `Views are of the person, and those that an editor shows to everyone are of all`() throws {
    let signIn = ProxySignIn(
      header: "X-User", groupsHeader: "X-Groups", proxies: ["127.0.0.1/32"].compactMap { AddressRange($0) },
      editors: [.person("ana")], readers: [.person("ben"), .person("cem")])
    let site = try OpenSite(at: now, signIn: signIn, fill)
    func page(_ name: String) throws -> String {
      try site.answer("GET", "/campaigns", [("X-User", name)]).text
    }
    func send(_ name: String, _ fields: String) throws -> Int {
      let text = try page(name)
      let start = try #require(text.firstRange(of: "name=\"form-token\" value=\""))
      let token = text[start.upperBound...].prefix(64)
      return try site.answer(
        "POST", "/campaigns?last=7d", [("X-User", name)], "form-token=\(token)&\(fields)"
      ).status
    }
    #expect(try send("ben", "do=save&view=Mine&shared=1") == 303)
    #expect(try send("ana", "do=save&view=Draft") == 303)
    #expect(try send("ana", "do=save&view=All&shared=1") == 303)
    func names(_ name: String) throws -> [String] {
      try views(page(name)).map { String($0.drop { $0 != " " }.dropFirst()) }
    }
    #expect(try names("ben").count == 2 && names("cem").count == 1 && names("ana").count == 2)
    #expect(try names("cem").first?.contains("<bdi>All</bdi>") == true)
    // A reader cannot delete what is another person's.
    #expect(try send("cem", "do=remove&view=All&owner=proxy:ana") == 303)
    #expect(try send("ben", "do=remove&view=Draft&owner=proxy:ana") == 303)
    #expect(try names("ana").count == 2)
    #expect(try send("ana", "do=remove&view=All&owner=proxy:ana") == 303)
    #expect(try names("cem").isEmpty && names("ben").count == 1)
  }

  @Test func `Views of a token and of a proxy's user with the same name are two persons'`() throws {
    let signIn = ProxySignIn(
      header: "X-User", groupsHeader: nil, proxies: ["127.0.0.1/32"].compactMap { AddressRange($0) },
      editors: [], readers: [.everyone])
    let site = try OpenSite(at: now, signIn: signIn) { database in
      try fill(database)
      try ReferenceStore(path: database).put([
        SavedView(
          path: "/campaigns", owner: .token("ana"), name: "Of the token", query: "last=7d", isShared: false),
        SavedView(
          path: "/campaigns", owner: .proxyUser("ana"), name: "Of the user", query: "last=7d", isShared: false
        ),
      ])
    }
    func names(_ user: String) throws -> [String] {
      try views(site.answer("GET", "/campaigns", [("X-User", user)]).text).map {
        String($0.drop { $0 != " " }.dropFirst())
      }
    }
    #expect(try names("ana") == ["<bdi>Of the user</bdi>"])
    // Nor by a name that is written as the database has it.
    #expect(try names("proxy:ana").isEmpty)
    for owner in [ViewOwner.anyone, .token("ana"), .proxyUser("ana"), .proxyUser("proxy:ana")] {
      #expect(ViewOwner(stored: owner.stored) == owner)
    }
  }
}
