import PostbackFixtures
@testable import Routing
@testable import Service
import System
import TestSupport
import Testing
import Values

private func rate(_ perSecond: Int, _ burst: Int) -> BucketRate? {
  BucketRate(perSecond: perSecond, burst: burst)
}

private func key(_ number: Int) -> BucketTable.Key {
  BucketTable.Key(high: UInt64(number), low: 0, app: -1)
}

struct `A token bucket` {
  private let table = BucketTable(rejectedPerDay: 3)

  private func take(_ count: Int, at now: Instant, _ rate: BucketRate? = rate(10, 5)) -> Int {
    (0..<count).count { _ in table.take(key(1), rate, now: now).retrySeconds == nil }
  }

  @Test func `A token bucket gives its burst at once and then one after each interval`() {
    #expect(take(7, at: noon) == 5)
    #expect(take(1, at: noon + 99) == 0)
    #expect(take(2, at: noon + 100) == 1)
    #expect(take(1, at: noon + 199) == 0)
    #expect(take(9, at: noon + 300) == 2)
    #expect(take(9, at: noon + 799) == 4)
    #expect(take(9, at: noon + 60_000) == 5)
  }

  @Test func `A token bucket reports after how many whole seconds another try can succeed`() {
    let slow = rate(1, 2)
    #expect(take(2, at: noon, slow) == 2)
    #expect(table.take(key(1), slow, now: noon).retrySeconds == 1)
    let slowed = table.take(key(1), slow, slowed: true, now: noon).retrySeconds
    #expect(slowed == 2)
    let other = BucketTable(rejectedPerDay: 0)
    let slower = rate(1, 10)?.tenth
    #expect(other.take(key(1), slower, now: noon).retrySeconds == nil)
    #expect(other.take(key(1), slower, now: noon).retrySeconds == 10)
    #expect(other.take(key(1), slower, now: noon + 9999).retrySeconds == 1)
    #expect(other.take(key(1), slower, now: noon + 10_000).retrySeconds == nil)
  }

  @Test func `A token bucket is at worst empty after the clock went backwards`() {
    #expect(take(5, at: noon) == 5)
    #expect(take(1, at: noon + -3_600_000) == 0)
    #expect(take(2, at: noon + -3_599_900) == 1)
    #expect(take(9, at: noon + -3_599_000) == 5)
  }

  @Test func `A token bucket has no limit if a number is 0`() {
    #expect(rate(0, 5) == nil)
    #expect(rate(5, 0) == nil)
    #expect(take(10_000, at: noon, nil) == 10_000)
  }

  @Test func `A token bucket gives a tenth beyond the rejected bodies of a day, until midnight`() {
    let rate = rate(10, 50)
    for _ in 0..<3 { table.countRejected(key(1), now: noon) }
    #expect(!table.take(key(1), rate, now: noon).isSlowed)
    table.countRejected(key(1), now: noon)
    #expect(table.take(key(1), rate, now: noon + 10_000).isSlowed)
    #expect(take(50, at: noon + 60_000, rate) == 5)
    #expect(take(9, at: noon + 61_000, rate) == 1)
    let midnight = noon + 43_200_000
    #expect(take(99, at: midnight + -1, rate) == 5)
    #expect(take(99, at: midnight + 5_000, rate) == 50)
  }

  @Test func `A token bucket slows no sender if no number is set`() {
    let table = BucketTable(rejectedPerDay: 0)
    for _ in 0..<10_000 { table.countRejected(key(1), now: noon) }
    #expect(!table.take(key(1), rate(1, 1), now: noon).isSlowed)
  }
}

struct `The limiter's table` {
  @Test func `The limiter's table removes full entries first, and the oldest of them before others`() {
    let table = BucketTable(buckets: 8, rejectedPerDay: 0)
    // One after the other, so that the first ones are full again longest.
    for number in 0..<8 { _ = table.take(key(number), rate(1, 2), now: noon + Int64(number) * 100) }
    // Sender 7 empties its bucket.
    _ = table.take(key(7), rate(1, 2), now: noon + 2000)
    _ = table.take(key(7), rate(1, 2), now: noon + 2000)
    #expect(table.take(key(7), rate(1, 2), now: noon + 2000).retrySeconds != nil)
    for number in 8..<15 { _ = table.take(key(number), rate(1, 2), now: noon + 2000) }
    #expect(table.overflows == 0)
    // The empty one is still known.
    #expect(table.take(key(7), rate(1, 2), now: noon + 2000).retrySeconds != nil)
  }

  @Test func `The limiter's table restarts senders when it overflows, and rejects none for it`() {
    let table = BucketTable(buckets: 8, rejectedPerDay: 0)
    for number in 0..<10_000 {
      #expect(table.take(key(number), rate(1, 1), now: noon).retrySeconds == nil)
    }
    #expect(table.overflows == 10_000 - 8)
  }

  @Test func `The limiter's table keeps entries of slowed senders before those of others`() {
    let table = BucketTable(buckets: 8, rejectedPerDay: 1)
    for _ in 0..<2 { table.countRejected(key(0), now: noon) }
    for number in 1..<10_000 { _ = table.take(key(number), rate(1, 1), now: noon) }
    #expect(table.take(key(0), rate(1, 1), now: noon).isSlowed)
  }

  @Test func `The limiter's table gives no sender more than its rate while it has room`() {
    let table = BucketTable(buckets: 1 << 12, rejectedPerDay: 0)
    var random = SplitMix64(seed: 3)
    var now = noon
    var given: [Int: Int] = [:]
    for _ in 0..<20_000 {
      now = now + Int64(random.number(below: 3))
      let sender = random.number(below: 40)
      if table.take(key(sender), rate(2, 3), now: now).retrySeconds == nil { given[sender, default: 0] += 1 }
    }
    let seconds = Int((now.milliseconds - noon.milliseconds) / 1000)
    for count in given.values {
      #expect(count <= 3 + 2 * (seconds + 1))
      #expect(count >= 2 * seconds - 2)
    }
  }
}

struct `The limits of clients` {
  private let clock = Guarded(noon)

  private func limiter(_ limits: RateLimits, proxies: TrustedProxies = TrustedProxies()) -> RateLimiter {
    RateLimiter(limits, proxies: proxies, clock: { [clock] in clock.withLock { $0 } })
  }

  private func client(_ text: String) throws -> ClientAddress {
    ClientAddress(address: try #require(IPAddress(text)))
  }

  private func small() -> RateLimits {
    var limits = RateLimits()
    (limits.requestsPerSecond, limits.burst) = (10, 20)
    (limits.requestsPerSecondPerApp, limits.burstPerApp) = (5, 10)
    limits.rejectedPerDay = 2
    return limits
  }

  private func admitted(_ limiter: RateLimiter, _ client: ClientAddress, _ count: Int) -> Int {
    (0..<count).count { _ in if case .success = limiter.admit(client) { true } else { false } }
  }

  @Test func `The limits of clients are separate for each one, and shared by all addresses of a subscriber`()
    throws
  {
    let limiter = limiter(small())
    #expect(admitted(limiter, try client("192.0.2.7"), 25) == 20)
    #expect(admitted(limiter, try client("192.0.2.8"), 25) == 20)
    #expect(admitted(limiter, try client("2001:db8::1"), 15) == 15)
    #expect(admitted(limiter, try client("2001:db8::2"), 15) == 5)
    #expect(admitted(limiter, try client("2001:db8:0:1::1"), 15) == 15)
    #expect(limiter.limitedRequests(.address) == 5 + 5 + 10)
    clock.withLock { $0 = $0 + 1000 }
    #expect(admitted(limiter, try client("192.0.2.7"), 25) == 10)
  }

  @Test func `The limits of clients are separate for each app of an address`() throws {
    let limiter = limiter(small())
    let admission = try limiter.admit(try client("192.0.2.7")).get()
    let other = try limiter.admit(try client("192.0.2.8")).get()
    func taken(_ admission: RateLimiter.Admission, _ app: Int64) -> Int {
      (0..<12).count { _ in limiter.rejection(of: admission, app: app) == nil }
    }
    #expect(taken(admission, 1) == 10)
    #expect(taken(admission, 2) == 10)
    #expect(taken(other, 1) == 10)
    #expect(limiter.limitedRequests(.app) == 6)
    let limited = try #require(limiter.rejection(of: admission, app: 1))
    #expect(limited.scope == .app)
    #expect(limited.retrySeconds == 1)
    #expect(Problem.limited(limited).headers.contains(.init("Retry-After", "1")))
  }

  @Test func `The limits of clients shrink to a tenth after too many rejected bodies, and never to nothing`()
    throws
  {
    let limiter = limiter(small())
    #expect(admitted(limiter, try client("192.0.2.7"), 1) == 1)
    for _ in 0..<3 { limiter.countRejected(try client("192.0.2.7")) }
    clock.withLock { $0 = $0 + 60_000 }
    #expect(admitted(limiter, try client("192.0.2.7"), 25) == 2)
    clock.withLock { $0 = $0 + 1000 }
    let slowed = try limiter.admit(try client("192.0.2.7")).get()
    #expect(limiter.rejection(of: slowed, app: 1) == nil)
    #expect(limiter.rejection(of: slowed, app: 1) != nil)
    #expect(admitted(limiter, try client("192.0.2.8"), 25) == 20)
  }

  @Test func `The limits of clients apply to a network's batches by network`() {
    let limiter = limiter(small())
    #expect((0..<25).count { _ in limiter.rejection(ofNetwork: "a") == nil } == 20)
    #expect((0..<25).count { _ in limiter.rejection(ofNetwork: "b") == nil } == 20)
    #expect(limiter.limitedRequests(.network) == 10)
  }

  @Test
  func `The limits of clients exclude the machine itself, unless it is a proxy without a client's address`()
    throws
  {
    #expect(admitted(limiter(small()), try client("127.0.0.1"), 100) == 100)
    let proxies = TrustedProxies([try #require(AddressRange("127.0.0.1"))])
    #expect(admitted(limiter(small(), proxies: proxies), try client("127.0.0.1"), 100) == 20)
  }

  @Test func `The limits of clients are off if they are set to 0`() throws {
    let limiter = limiter(.none)
    let client = try client("192.0.2.7")
    #expect(admitted(limiter, client, 5000) == 5000)
    let admission = try limiter.admit(client).get()
    for _ in 0..<5000 { limiter.countRejected(client) }
    #expect((0..<5000).allSatisfy { _ in limiter.rejection(of: admission, app: 1) == nil })
    #expect((0..<5000).allSatisfy { _ in limiter.rejection(ofNetwork: "a") == nil })
  }
}
