@testable import HTTPServer
import System
import Testing

@Suite struct `The shares of connections` {
  private func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)).subscriber }

  private func open(
    _ shares: inout ConnectionShares, _ count: Int, from subscriber: IPAddress, isProxy: Bool = false
  ) -> Int {
    (0..<count).count { _ in
      guard shares.open < shares.capacity, shares.admits(subscriber, isProxy: isProxy, at: 0) else {
        return false
      }
      shares.add(subscriber)
      return true
    }
  }

  @Test func `Connection shares count all addresses with the same first 64 bits as one subscriber`() throws {
    var shares = ConnectionShares(capacity: 4096, perSubscriber: 256)
    let taken = try (0..<60).reduce(0) { sum, number in
      sum + open(&shares, 80, from: try address("2001:db8:1:2:\(number)::7"))
    }
    #expect(taken == 256)
    #expect(shares.admits(try address("2001:db8:1:3::7"), isProxy: false, at: 0))
    let taken1 = try open(&shares, 300, from: address("192.0.2.1"))
    #expect(taken1 == 256)
    let taken2 = try open(&shares, 300, from: address("::ffff:192.0.2.2"))
    #expect(taken2 == 256)
    let taken3 = try open(&shares, 300, from: address("192.0.2.2"))
    #expect(taken3 == 0)
  }

  @Test
  func `Connection shares leave a place for a subscriber without connections, however many the others take`()
    throws
  {
    var shares = ConnectionShares(capacity: 4096, perSubscriber: 256)
    for number in 0..<60 { _ = open(&shares, 256, from: try address("2001:db8:0:\(number)::1")) }
    #expect(shares.open <= 4096 - shares.reserve + 60)
    #expect(shares.admits(try address("203.0.113.1"), isProxy: false, at: 0))
    #expect(!shares.admits(try address("2001:db8:0:1::1"), isProxy: false, at: 0))
  }

  @Test func `Connection shares allow a proxy to use the reserved places, up to its limit`() throws {
    var shares = ConnectionShares(capacity: 80, perSubscriber: 75)
    let taken4 = try open(&shares, 80, from: address("192.0.2.1"), isProxy: true)
    #expect(taken4 == 75)
    var unlimited = ConnectionShares(capacity: 80, perSubscriber: 0)
    let taken5 = try open(&unlimited, 100, from: address("192.0.2.1"))
    #expect(taken5 == 80)
  }

  @Test func `Connection shares leave places for holders and proxies, however many addresses strangers have`()
    throws
  {
    var shares = ConnectionShares(capacity: 512, perSubscriber: 256, keepsForHolders: true)
    let (holder, stranger, proxy) = try (
      address("192.0.2.1"), address("192.0.2.2"), address("192.0.2.3")
    )
    shares.noteHolder(at: holder, 100)
    for number in 0..<600 { _ = open(&shares, 9, from: try address("2001:db8:0:\(number)::1")) }
    // Strangers with a connection have three quarters, and those without one an eighth more.
    #expect(shares.open == 448)
    let last = 99 + ConnectionShares.secondsKnown
    #expect(!shares.admits(stranger, isProxy: false, at: last))
    #expect(shares.admits(proxy, isProxy: true, at: last))
    #expect(shares.admits(holder, isProxy: false, at: last))
    #expect(!shares.admits(holder, isProxy: false, at: last + 1))
    #expect(open(&shares, 300, from: holder) == 64)
  }

  @Test func `Connection shares begin again with the addresses of holders where these are too many`() throws {
    var shares = ConnectionShares(capacity: 8, perSubscriber: 2, keepsForHolders: true)
    let first = try address("192.0.2.1")
    shares.noteHolder(at: first, 0)
    for number in 1..<ConnectionShares.mostKnown {
      shares.noteHolder(at: try address("2001:db8:0:\(String(number, radix: 16))::1"), 0)
    }
    _ = try open(&shares, 8, from: address("192.0.2.2"))
    for number in 3...8 { _ = try open(&shares, 1, from: address("192.0.2.\(number)")) }
    #expect(shares.open == 7)
    #expect(shares.admits(first, isProxy: false, at: 0))
    let next = try address("192.0.2.99")
    shares.noteHolder(at: next, 0)
    #expect(shares.admits(next, isProxy: false, at: 0))
    #expect(!shares.admits(first, isProxy: false, at: 0))
  }

  @Test func `Connection shares release places`() throws {
    var shares = ConnectionShares(capacity: 8, perSubscriber: 2)
    let (one, other) = try (address("192.0.2.1"), address("192.0.2.2"))
    let taken6 = open(&shares, 3, from: one)
    #expect(taken6 == 2)
    shares.remove(one)
    let taken7 = open(&shares, 3, from: one)
    #expect(taken7 == 1)
    shares.remove(other)
    #expect(shares.open == 2)
  }

  @Test func `Connection shares shorten time limits only while fewer than half of the connections are free`()
    throws
  {
    var shares = ConnectionShares(capacity: 100, perSubscriber: 0)
    let one = try address("192.0.2.1")
    var allowed: [Int] = []
    for _ in 0...100 {
      allowed.append(shares.secondsAllowed(usually: 60))
      shares.add(one)
    }
    #expect(allowed[0...50].allSatisfy { $0 == 60 })
    #expect(allowed[75] == 30)
    #expect(allowed[100] == 2)
    #expect(zip(allowed, allowed.dropFirst()).allSatisfy { $0 >= $1 })
    // A time that is shorter anyway is not made longer.
    #expect(shares.secondsAllowed(usually: 1) == 1)
  }
}
