import System
import Testing

@testable import HTTPServer

private let capacity = 1 << 20

private func sender(_ address: String, isKnown: Bool = false) throws -> BodySender {
  BodySender(subscriber: try #require(IPAddress(address)).subscriber, isKnown: isKnown)
}

@Suite struct `The shares of bodies` {
  @Test func `The shares of bodies bound a stranger, all strangers and all senders`() throws {
    var shares = BodyShares(capacity: capacity)
    let first = try sender("192.0.2.1")
    #expect(shares.take(capacity / 8, for: first) == nil)
    #expect(shares.take(1, for: first) == .senderHasTooManyBodies)
    for number in 2...4 { #expect(shares.take(capacity / 8, for: try sender("192.0.2.\(number)")) == nil) }
    #expect(shares.take(1, for: try sender("192.0.2.5")) == .tooManyBodies)
    // The other half is there for those with a token, at the same address too.
    let network = try sender("192.0.2.1", isKnown: true)
    #expect(shares.take(capacity / 2, for: network) == nil)
    #expect(shares.take(1, for: network) == .senderHasTooManyBodies)
    #expect(shares.take(1, for: try sender("192.0.2.9", isKnown: true)) == .tooManyBodies)
    #expect(shares.held == capacity)
  }

  @Test func `The shares of bodies count all addresses with the same first 64 bits as one sender`() throws {
    var shares = BodyShares(capacity: capacity)
    #expect(shares.take(capacity / 8, for: try sender("2001:db8::1")) == nil)
    #expect(shares.take(1, for: try sender("2001:db8::ffff")) == .senderHasTooManyBodies)
    #expect(shares.take(1, for: try sender("2001:db8:0:1::1")) == nil)
  }

  @Test func `The shares of bodies are free again when bodies have gone`() throws {
    var shares = BodyShares(capacity: capacity)
    let first = try sender("192.0.2.1")
    for _ in 0..<100 {
      #expect(shares.take(capacity / 8, for: first) == nil)
      shares.give(capacity / 16, of: first)
      shares.give(capacity / 16, of: first)
    }
    #expect(shares.held == 0)
  }

  @Test func `The shares of bodies report once that much memory can be given back`() throws {
    var shares = BodyShares(capacity: 64 << 20)
    let network = try sender("192.0.2.1", isKnown: true)
    #expect(shares.take(16 << 20, for: network) == nil)
    let early = shares.takeRelease()
    shares.give(16 << 20, of: network)
    let due = shares.takeRelease()
    let again = shares.takeRelease()
    #expect([early, due, again] == [false, true, false])
  }

  @Test func `The shares of answers bound a client and all clients, and a single answer passes`() throws {
    var shares = BodyShares(capacity: capacity)
    let first = try sender("192.0.2.1", isKnown: true)
    #expect(shares.takeAnswer(2 * capacity, for: first) == nil)
    #expect(shares.rejection(of: first) == .clientHasUnreadAnswers)
    #expect(shares.takeAnswer(1, for: first) == .clientHasUnreadAnswers)
    let second = try sender("192.0.2.2", isKnown: true)
    #expect(shares.takeAnswer(1, for: second) == .tooManyUnreadAnswers)
    #expect(shares.rejection(of: second) == .tooManyUnreadAnswers)
    shares.give(2 * capacity, of: first)
    #expect(shares.takeAnswer(capacity / 4, for: first) == nil)
    #expect(shares.takeAnswer(capacity / 4, for: first) == nil)
    #expect(shares.takeAnswer(1, for: first) == .clientHasUnreadAnswers)
    #expect(shares.rejection(of: second) == nil)
    #expect(shares.takeAnswer(capacity / 2, for: second) == nil)
    // The answer to what was done is there in any case.
    shares.add(capacity, of: second)
    #expect(shares.held == 2 * capacity)
  }
}
