import Ledger
import Testing
import Values

struct `The list of tokens` {
  @Test func `A token that has ended is not called valid`() throws {
    let now = try #require(Instant("2026-11-24T10:00:00Z"))
    let site = try OpenSite(at: now) { database in
      let store = try TokenStore(path: database)
      _ = try store.add(.read, name: "ended", token: "a", expiresAt: now + -1, now: now + -Day.milliseconds)
      _ = try store.add(.read, name: "runs", token: "b", expiresAt: now + 1, now: now + -Day.milliseconds)
    }
    let list = try site.section("tokens", of: "/access")
    #expect(list.components(separatedBy: "✓").count == 2)
    #expect(list.contains("ended on"))
    #expect(list.contains("1 valid token"))
  }
}
