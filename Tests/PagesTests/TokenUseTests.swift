import Ledger
import OpenSSL
import Routing
import System
import TestSupport
import Testing
import Values

struct `Last use of tokens` {
  private let now = Guarded(Instant("2026-11-24T20:00:00Z") ?? Instant(seconds: 0))

  private func wait(hours: Int64) { now.withLock { $0 = $0 + hours * Hour.milliseconds } }

  @Test func `A sign-in and a session use a token; the day is stored apart from the request, once a day`()
    throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("skan.db")
    let store = try TokenStore(path: path)
    for name in ["ann", "ben"] {
      _ = try store.add(.read, name: name, token: "token of \(name)", now: now.withLock { $0 })
    }
    let clock: WallClock = { [now] in now.withLock { $0 } }
    let access = Access(ledger: LedgerFile.existing(path), clock: clock)
    let sessions = SessionStore(access, clock: clock)
    func used() throws -> [String?] {
      try LedgerReader(path: path).tokens().map { $0.lastUsedOn.map { "\($0)" } }
    }
    let session = try #require(try sessions.begin(withToken: "token of ann"))
    #expect(try used() == [nil, nil])
    access.storeTokenUses()
    #expect(try used() == ["2026-11-24", nil])
    wait(hours: 10)
    let viewer = try #require(sessions.viewer(ofSession: session))
    access.storeTokenUses()
    #expect(try used() == ["2026-11-25", nil])
    // Nothing is stored again on the same day, and a list of sessions uses no token.
    try store.note(uses: [1: Day(number: 0)])
    _ = sessions.viewer(ofSession: session)
    access.storeTokenUses()
    wait(hours: 11)
    #expect(sessions.open(shownTo: viewer).count == 1)
    access.storeTokenUses()
    #expect(try used() == ["2026-11-25", nil])
  }

  @Test func `A use that is to be stored makes no database where the file was moved away`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("skan.db")
    _ = try TokenStore(path: path).add(.read, name: "ann", token: "t", now: now.withLock { $0 })
    let access = Access(ledger: LedgerFile.existing(path)) { [now] in now.withLock { $0 } }
    #expect(access.reader(usingTokenDigest: SHA256Digest(of: Array("t".utf8))) != nil)
    let away = try Folder(folder.path)
    for ending in ["", "-wal", "-shm", "-maintenance"] { try? away.remove("skan.db" + ending) }
    access.storeTokenUses()
    #expect(try away.entries().map(\.name) == [])
  }

  @Test func `The page of access has the day of a token's last use`() throws {
    let site = try OpenSite(at: now.withLock { $0 }) { database in
      let store = try TokenStore(path: database)
      let id = try store.add(.read, name: "ann", token: "t", now: Instant(seconds: 1_780_000_000))
      try store.note(uses: [id: Day(number: 20_780)])
    }
    let table = try site.section("tokens", of: "/access")
    #expect(table.contains("<time datetime=\"\(Day(number: 20_780))\">") && table.contains("Last use"))
  }
}
