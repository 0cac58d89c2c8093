import Glibc

/// A numeric IP address; an IPv4 address and the IPv6 address that it is mapped to are the same one.
public struct IPAddress: Hashable, Sendable {
  /// The first 64 bits, in IPv6 those of the network.
  public let high: UInt64
  /// The last 64 bits; an IPv4 address is in the last 32 of them, behind 16 bits that are set.
  public let low: UInt64

  /// The address that stands for no address, `::`.
  public static let unspecified = IPAddress(high: 0, low: 0)

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Joins the bytes of an address in network order, 4 of IPv4 or 16 of IPv6; nil for any other number.
  public init?(bytes: some Collection<UInt8>) {
    func number(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    switch bytes.count {
    case 4: self.init(high: 0, low: Self.mappedMark | number(bytes))
    case 16: self.init(high: number(bytes.prefix(8)), low: number(bytes.dropFirst(8)))
    default: return nil
    }
  }

  /// Reads an address such as `192.0.2.7` or `2001:db8::1`, without brackets, port and zone.
  ///
  /// Returns nil where the text is anything else. The C function is `inet_pton`.
  public init?(_ text: String) {
    // The C function would stop at a zero byte and take what is before it.
    guard text.utf8.count <= 45, !text.utf8.contains(0) else { return nil }
    if text.utf8.contains(UInt8(ascii: ":")) {
      var address = in6_addr()
      guard unsafe inet_pton(AF_INET6, text, &address) == 1 else { return nil }
      (high, low) = unsafe withUnsafeBytes(of: &address) { bytes in
        unsafe (
          UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
          UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        )
      }
    } else {
      var address = in_addr()
      guard unsafe inet_pton(AF_INET, text, &address) == 1 else { return nil }
      (high, low) = (0, Self.mappedMark | UInt64(UInt32(bigEndian: address.s_addr)))
    }
  }

  /// Whether it is an IPv4 address.
  ///
  /// Source: RFC 4291, section 2.5.5.2.
  public var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

  /// Whether it means the machine itself: `127.0.0.0/8` or `::1`.
  public var isLoopback: Bool { isIPv4 ? low >> 24 & 0xFF == 127 : high == 0 && low == 1 }

  /// What of the address belongs to one subscriber, who has all IPv6 addresses behind the first 64 bits.
  ///
  /// Source: RFC 6177, section 2; a site gets at least a /64.
  public var subscriber: IPAddress { isIPv4 ? self : IPAddress(high: high, low: 0) }

  private static let mappedMark: UInt64 = 0xFFFF << 32
}

/// Addresses that begin with the same bits, such as `10.0.0.0/8`, `2001:db8::/32` or a single one.
public struct AddressRange: Equatable, Sendable {
  private let first: IPAddress
  private let mask: IPAddress

  /// Reads an address, or an address and the count of bits that all addresses of the range share.
  ///
  /// Returns nil where the text is anything else, or where bits after the prefix are set, which is treated as an error.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first.flatMap({ IPAddress(String($0)) }) else { return nil }
    let isWrittenAsIPv4 = !parts[0].utf8.contains(UInt8(ascii: ":"))
    var bits = 128
    if parts.count == 2 {
      let digits = parts[1].utf8
      let most = isWrittenAsIPv4 ? 32 : 128
      guard (1...3).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
        let count = Int(parts[1]), count <= most
      else { return nil }
      bits = 128 - most + count
    }
    mask = IPAddress(high: Self.ones(min(bits, 64)), low: Self.ones(max(bits - 64, 0)))
    guard first.high & ~mask.high == 0, first.low & ~mask.low == 0 else { return nil }
    self.first = first
  }

  /// Whether no bit is shared, so that every address of its kind lies in it.
  public var isEveryAddress: Bool { mask.low == 0 && mask.high == 0 || isEveryIPv4 }

  private var isEveryIPv4: Bool { first.isIPv4 && mask.low & 0xFFFF_FFFF == 0 }

  /// Whether an address lies in the range; no range of IPv6 addresses holds one of IPv4.
  public func contains(_ address: IPAddress) -> Bool {
    address.high & mask.high == first.high && address.low & mask.low == first.low
      && address.isIPv4 == first.isIPv4
  }

  /// As many bits as asked for, from the highest on.
  private static func ones(_ count: Int) -> UInt64 { count == 0 ? 0 : ~0 << UInt64(64 - count) }
}
