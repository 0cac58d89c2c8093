@testable import Routing
@testable import Service
import System
import TestSupport
import Testing
import Values

private func address(_ text: String) -> IPAddress {
  guard let address = IPAddress(text) else { preconditionFailure("\(text) is no address") }
  return address
}

private func proxies(_ texts: String...) -> TrustedProxies {
  TrustedProxies(texts.compactMap { AddressRange($0) })
}

struct `The client of a request` {
  private let trusted = proxies("127.0.0.1", "10.0.0.0/8", "::1", "fd00::/8")

  @Test(
    arguments: [
      // From a stranger the header means nothing.
      ("192.0.2.7", ["203.0.113.1"], "192.0.2.7"), ("192.0.2.7", [], "192.0.2.7"),
      // From a proxy its last stranger counts, in whatever form.
      ("10.0.0.1", ["203.0.113.1"], "203.0.113.1"), ("10.0.0.1", ["1.1.1.1, 203.0.113.1"], "203.0.113.1"),
      ("10.0.0.1", ["203.0.113.1,10.0.0.2 ,\t127.0.0.1"], "203.0.113.1"),
      ("10.0.0.1", ["1.1.1.1", "203.0.113.1", "10.0.0.2"], "203.0.113.1"),
      ("10.0.0.1", ["203.0.113.1:4711"], "203.0.113.1"), ("10.0.0.1", ["2001:db8::5"], "2001:db8::5"),
      ("10.0.0.1", ["[2001:db8::5]"], "2001:db8::5"), ("10.0.0.1", ["[2001:db8::5]:443"], "2001:db8::5"),
      ("::1", ["::ffff:203.0.113.1"], "203.0.113.1"), ("fd00::1", ["203.0.113.1"], "203.0.113.1"),
      ("10.0.0.1", ["nonsense, 203.0.113.1"], "203.0.113.1"),
      // If no client is named, it is the proxy itself.
      ("10.0.0.1", [], "10.0.0.1"), ("10.0.0.1", [""], "10.0.0.1"), ("10.0.0.1", ["10.0.0.2"], "10.0.0.1"),
      ("10.0.0.1", ["203.0.113.1, unknown"], "10.0.0.1"), ("10.0.0.1", ["203.0.113.1,"], "10.0.0.1"),
      ("10.0.0.1", ["203.0.113.1:99999"], "10.0.0.1"), ("10.0.0.1", ["203.0.113.1:+80"], "10.0.0.1"),
      ("10.0.0.1", ["[203.0.113.1]"], "10.0.0.1"), ("10.0.0.1", ["[2001:db8::5"], "10.0.0.1"),
      ("10.0.0.1", ["[2001:db8::5]x"], "10.0.0.1"), ("10.0.0.1", ["203.0.113.1 1.1.1.1"], "10.0.0.1"),
    ] as [(String, [String], String)])
  func `The client of a request is the last address that is not one of our proxies`(
    peer: String, lines: [String], client: String
  ) {
    #expect(trusted.client(of: address(peer), forwardedFor: lines).address == address(client))
  }

  @Test func `The client of a request is the peer if no proxy is trusted`() {
    let nobody = TrustedProxies()
    #expect(
      nobody.client(of: address("127.0.0.1"), forwardedFor: ["1.1.1.1"]).address == address("127.0.0.1"))
  }

  /// What a sender may write in front of what proxies add.
  private func invention(_ random: inout SplitMix64) -> String {
    let parts = [
      "1.2.3.4", "10.0.0.1", "127.0.0.1", "::1", "[::1]:80", "", " ", ",", "unknown", "\"", "[", "]", ":",
      "%00", "é", "999.1.1.1", ", ", "10.0.0.1,", "203.0.113.9:1",
    ]
    return (0..<random.number(below: 8)).map { _ in parts[random.number(below: parts.count)] }.joined()
  }

  @Test func `The client of a request is never chosen by the client`() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<5000 {
      let lines = (0..<random.number(below: 4)).map { _ in invention(&random) }
      let own = IPAddress(high: 0x2001_0DB8_0000_0000, low: random.next())
      // Directly, whatever it writes.
      #expect(trusted.client(of: own, forwardedFor: lines).address == own)
      // Through proxies, each of which adds at the end the address it has heard.
      let heard = "2001:db8::\(groups(own.low))"
      let chain = [heard, "10.1.2.3", "fd00::9"].prefix(1 + random.number(below: 3))
      let joined = lines + [chain.joined(separator: ", ")]
      #expect(trusted.client(of: address("127.0.0.1"), forwardedFor: joined).address == own)
    }
  }

  private func groups(_ low: UInt64) -> String {
    [48, 32, 16, 0].map { String(low >> UInt64($0) & 0xFFFF, radix: 16) }.joined(separator: ":")
  }

  @Test func `The client of a request is one subscriber with all addresses of the same first 64 bits`() throws
  {
    let quota = try ClientTag()
    func tag(_ text: String) -> String { quota.tag(of: ClientAddress(address: address(text))) }
    #expect(tag("2001:db8::1") == tag("2001:db8:0:0:ffff::2"))
    #expect(tag("2001:db8::1") != tag("2001:db8:0:1::1"))
    #expect(tag("192.0.2.7") == tag("::ffff:192.0.2.7"))
    #expect(tag("192.0.2.7") != tag("192.0.2.8"))
    #expect(tag("192.0.2.7").count == 16)
  }
}
