@testable import Ledger
import OpenSSL
import PostbackFixtures
import Testing

struct `A network's secret` {
  private let scratch: ScratchDatabase

  init() throws { scratch = try ScratchDatabase() }

  @Test func `A network's secret is stored in clear text, and tokens are not`() throws {
    let store = try TokenStore(path: scratch.path)
    let digest = SHA256Digest(of: Array("text".utf8))
    _ = try store.add(.sign, name: "acme", token: "text", isSecret: true, now: noon)
    _ = try store.add(.forward, name: "acme", token: "", now: noon)
    let tokens = try LedgerReader(path: scratch.path).tokens()
    #expect(tokens.map(\.secret) == ["text", nil])
    #expect(tokens.map(\.use) == [.sign, .forward])
    #expect(tokens[0].digest == digest)
  }
}
