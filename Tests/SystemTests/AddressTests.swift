import System
import Testing
import Values

struct `An address` {
  @Test(arguments: [
    ("192.0.2.7", 0 as UInt64, 0xFFFF_C000_0207 as UInt64), ("::ffff:192.0.2.7", 0, 0xFFFF_C000_0207),
    ("::", 0, 0), ("::1", 0, 1), ("2001:db8::1", 0x2001_0DB8_0000_0000, 1),
    ("2001:DB8:1:2:3:4:5:6", 0x2001_0DB8_0001_0002, 0x0003_0004_0005_0006),
    ("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .max, .max),
  ])
  func `An address is read exactly to its bits`(text: String, high: UInt64, low: UInt64) {
    #expect(IPAddress(text) == IPAddress(high: high, low: low))
  }

  @Test(arguments: [
    "", " 192.0.2.7", "192.0.2", "192.0.2.256", "192.0.2.7:80", "[::1]", "::1%eth0", "1::2::3", "localhost",
    "192.0.2.7\u{0}", "192.0.2.7\u{0}x", "0x7f.1", "10.0.0.0/8", "12345::",
    String(repeating: "1", count: 4096),
  ])
  func `An address in any other form is rejected`(text: String) { #expect(IPAddress(text) == nil) }

  @Test func `An address shows whether it is the machine itself`() throws {
    for (text, isLoopback) in [
      ("127.0.0.1", true), ("127.255.255.255", true), ("128.0.0.0", false), ("126.255.255.255", false),
      ("::1", true), ("::2", false), ("::", false), ("::ffff:127.0.0.1", true), ("::127.0.0.1", false),
    ] { #expect(try #require(IPAddress(text)).isLoopback == isLoopback, "\(text)") }
  }
}

struct `A range of addresses` {
  @Test(arguments: [
    ("10.0.0.0/8", "10.0.0.0", true), ("10.0.0.0/8", "10.255.255.255", true),
    ("10.0.0.0/8", "11.0.0.0", false), ("10.0.0.0/8", "9.255.255.255", false),
    ("10.0.0.0/8", "::ffff:10.1.2.3", true), ("::ffff:10.0.0.0/104", "10.1.2.3", true),
    ("192.0.2.7", "192.0.2.7", true), ("192.0.2.7", "192.0.2.6", false), ("192.0.2.7/32", "192.0.2.7", true),
    ("0.0.0.0/0", "255.1.2.3", true), ("0.0.0.0/0", "::1", false), ("::/0", "::1", true),
    ("::/0", "10.0.0.1", false), ("2001:db8::/32", "2001:db8:ffff::1", true),
    ("2001:db8::/32", "2001:db9::", false), ("2001:db8::/64", "2001:db8::ffff:0:0:1", true),
    ("2001:db8::/65", "2001:db8::8000:0:0:0", false), ("2001:db8::/65", "2001:db8::7fff:0:0:0", true),
    ("::1", "::1", true), ("::1/128", "::2", false),
  ])
  func `A range of addresses contains those that begin with its bits`(
    range: String, address: String, isHeld: Bool
  ) throws {
    #expect(try #require(AddressRange(range)).contains(#require(IPAddress(address))) == isHeld)
  }

  @Test(arguments: [
    "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/0008", "10.0.0.1/8",
    "::/129", "2001:db8::1/64", "10.0.0.0/8/8", "10.0.0.0/ 8", "proxy.example", "*",
  ])
  func `A range of addresses in any other form is rejected`(text: String) {
    #expect(AddressRange(text) == nil)
  }

  @Test func `A range of addresses agrees with a comparison bit by bit`() throws {
    var random = SplitMix64(seed: 11)
    for _ in 0..<2000 {
      let bits = random.number(below: 33)
      let base = UInt32(truncatingIfNeeded: random.next()) & (bits == 0 ? 0 : ~0 << UInt32(32 - bits))
      // Half of the addresses differ in few bits, so that both answers come.
      let other =
        random.happens(0.5)
        ? UInt32(truncatingIfNeeded: random.next()) : base ^ 1 << UInt32(random.number(below: 32))
      func text(_ number: UInt32) -> String {
        [24, 16, 8, 0].map { "\(number >> UInt32($0) & 255)" }.joined(separator: ".")
      }
      let range = try #require(AddressRange("\(text(base))/\(bits)"))
      let isSame = (0..<bits).allSatisfy { (base ^ other) >> UInt32(31 - $0) & 1 == 0 }
      #expect(range.contains(try #require(IPAddress(text(other)))) == isSame)
    }
  }
}

struct `A histogram` {
  @Test func `A histogram counts a value that equals a bound below it`() {
    let histogram = Histogram(below: [1, 10])
    for value in [0, 1, 2, 10, 11] { histogram.record(value) }
    #expect(histogram.reading.counts == [2, 2, 1])
    #expect(histogram.reading.sum == 24)
  }
}

struct `Metrics of the process` {
  @Test func `Metrics of the process exist and are plausible`() throws {
    #expect(try #require(ProcessFigures.residentBytes) > 1 << 20)
    #expect(try #require(ProcessFigures.openFiles) >= 3)
    let age = try #require(ProcessFigures.ageSeconds)
    #expect(age > 0 && age < 86_400)
    let start = try #require(ProcessFigures.startSeconds)
    #expect(abs(Double(systemClock().milliseconds) / 1000 - age - start) < 1)
    #expect(ProcessFigures.startSeconds == start)
    #expect(fileBytes("/does/not/exist") == nil)
    #expect(fileBytes("/proc/self/exe").map { $0 > 0 } == true)
  }
}
