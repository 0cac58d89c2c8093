import OpenSSL
import Routing
import System
import Testing
import Values

struct `Sessions of pages` {
  private let now = Guarded(Instant(seconds: 1_800_000_000))
  private let token = "read-0123456789abc"

  private func book(capacity: Int = 10) -> SessionStore {
    let access = Access(readTokens: [SHA256Digest(of: Array(token.utf8))])
    return SessionStore(access, clock: { [now] in now.withLock { $0 } }, capacity: capacity)
  }

  private func wait(milliseconds: Int64) { now.withLock { $0 = $0 + milliseconds } }

  @Test func `Sessions of pages begin only with a token that reads, each with an id of 256 bits`() throws {
    let book = book()
    #expect(try book.begin(withToken: "another") == nil)
    let first = try #require(try book.begin(withToken: token))
    let second = try #require(try book.begin(withToken: token))
    #expect(first != second)
    #expect(first.utf8.count == 64)
    #expect(book.viewer(ofSession: first)?.formToken != book.viewer(ofSession: second)?.formToken)
    #expect(book.viewer(ofSession: "no session") == nil)
  }

  @Test func `Sessions of pages end after twelve hours without use, and after seven days in any case`() throws
  {
    let book = book()
    let idle = try #require(try book.begin(withToken: token))
    wait(milliseconds: SessionStore.idleMilliseconds - 1)
    #expect(book.viewer(ofSession: idle) != nil)
    wait(milliseconds: SessionStore.idleMilliseconds)
    #expect(book.viewer(ofSession: idle) == nil)
    let busy = try #require(try book.begin(withToken: token))
    for _ in 0..<14 {
      wait(milliseconds: SessionStore.idleMilliseconds - 1)
      #expect(book.viewer(ofSession: busy) != nil)
    }
    wait(milliseconds: SessionStore.idleMilliseconds - 1)
    #expect(book.viewer(ofSession: busy) == nil)
    #expect(book.count == 0)
  }

  @Test func `Sessions of pages are bounded, and the one that was used the longest ago gives way`() throws {
    let book = book(capacity: 2)
    let first = try #require(try book.begin(withToken: token))
    wait(milliseconds: 1)
    let second = try #require(try book.begin(withToken: token))
    wait(milliseconds: 1)
    #expect(book.viewer(ofSession: first) != nil)
    wait(milliseconds: 1)
    _ = try book.begin(withToken: token)
    #expect(book.count == 2)
    #expect(book.viewer(ofSession: first) != nil)
    #expect(book.viewer(ofSession: second) == nil)
  }

  @Test(
    arguments: [
      ("http://skan.example", nil, true), ("https://skan.example", "same-origin", true),
      ("https://skan.example", "cross-site", false), ("https://skan.example", "none", false),
      ("null", "same-origin", false), ("https://skan.example.evil", nil, false), (nil, "same-origin", false),
      ("https://skan.example:444", nil, false),
    ] as [(String?, String?, Bool)])
  func `Sessions of pages accept forms of their own origin only`(
    origin: String?, fetchSite: String?, isSame: Bool
  ) {
    #expect(
      RequestOrigin.isSameSite(
        origin: origin, fetchSite: fetchSite, host: "skan.example", isSecure: false) == isSame)
  }

  @Test func `Sessions of pages over TLS accept forms of pages over TLS only`() {
    for (origin, isSame) in [("https://skan.example", true), ("http://skan.example", false)] {
      #expect(
        RequestOrigin.isSameSite(origin: origin, fetchSite: nil, host: "skan.example", isSecure: true)
          == isSame)
    }
  }

  @Test func `Sessions of pages take no other form token than their own`() {
    func viewer(_ token: String) -> Viewer {
      Viewer(name: "", role: .reader, formToken: token, isSignedIn: true, hasSession: true)
    }
    let letters = Array("0123456789abcdef".utf8)
    for seed in UInt8(0)..<64 {
      let token = (0..<64).map { letters[Int((seed &+ $0 &* 7) % 16)] }
      let text = String(decoding: token, as: UTF8.self)
      #expect(viewer(text).isShown(formToken: text))
      // Every bit of every letter counts, and so does the length.
      for place in token.indices {
        for bit in 0..<7 {
          var wrong = token
          wrong[place] ^= UInt8(1 << bit)
          #expect(!viewer(text).isShown(formToken: String(decoding: wrong, as: UTF8.self)))
        }
      }
      #expect(!viewer(text).isShown(formToken: String(text.dropLast())))
      #expect(!viewer(text).isShown(formToken: ""))
    }
  }

  @Test(arguments: [
    ("127.0.0.1:8081", true), ("localhost", true), ("[::1]:8081", true), ("127.1.2.3", true),
    ("127.0.0.1.evil.example", false), ("localhost.evil.example:8081", false), ("10.0.0.1", false),
    ("", false),
    ("evil.example", false), ("[::2]", false),
  ]) func `Sessions of pages know the names of this machine`(host: String, isLoopback: Bool) {
    #expect(RequestOrigin.namesLoopback(host: host) == isLoopback)
  }
}
