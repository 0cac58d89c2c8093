import System
import Testing

@testable import HTTPServer

private let capacity = 1 << 20

private func stranger(_ address: String) throws -> RequestSender {
  .stranger(try #require(IPAddress(address)).subscriber)
}

@Suite struct `The shares of bodies` {
  @Test func `The shares of bodies bound a stranger, all strangers and all senders`() throws {
    var shares = BodyShares(capacity: capacity)
    let first = try stranger("192.0.2.1")
    #expect(shares.take(capacity / 8, for: first) == nil)
    #expect(shares.take(1, for: first) == .senderHasTooManyBodies)
    for number in 2...4 { #expect(shares.take(capacity / 8, for: try stranger("192.0.2.\(number)")) == nil) }
    #expect(shares.take(1, for: try stranger("192.0.2.5")) == .tooManyBodies)
    // The other half is there for those with a token.
    let network = RequestSender.holder("adnet")
    #expect(shares.take(capacity / 2, for: network) == nil)
    #expect(shares.take(1, for: network) == .senderHasTooManyBodies)
    #expect(shares.take(1, for: .holder("other")) == .tooManyBodies)
    #expect(shares.held.count == capacity)
  }

  @Test func `The shares of bodies count all addresses with the same first 64 bits as one sender`() throws {
    var shares = BodyShares(capacity: capacity)
    #expect(shares.take(capacity / 8, for: try stranger("2001:db8::1")) == nil)
    #expect(shares.take(1, for: try stranger("2001:db8::ffff")) == .senderHasTooManyBodies)
    #expect(shares.take(1, for: try stranger("2001:db8:0:1::1")) == nil)
  }

  @Test func `The shares of bodies are free again when bodies have gone`() throws {
    var shares = BodyShares(capacity: capacity)
    let first = try stranger("192.0.2.1")
    for _ in 0..<100 {
      #expect(shares.take(capacity / 8, for: first) == nil)
      shares.give(capacity / 16, of: first)
      shares.give(capacity / 16, of: first)
    }
    #expect(shares.held.count == 0)
  }

  @Test func `The shares of bodies report once that much memory can be given back`() throws {
    var shares = BodyShares(capacity: 64 << 20)
    let network = RequestSender.holder("adnet")
    #expect(shares.take(16 << 20, for: network) == nil)
    let early = shares.held.takeRelease()
    shares.give(16 << 20, of: network)
    let due = shares.held.takeRelease()
    let again = shares.held.takeRelease()
    #expect([early, due, again] == [false, true, false])
  }
}
