/// The identifier of an ad network, such as `example123.skadnetwork`.
///
/// Signatures cover the letters as the network registered them, so ``text`` keeps their case, while networks are
/// compared by ``canonical``. Source: Apple, "Identifying the parameters in install-validation postbacks"; a
/// genuine postback with an upper-case identifier exists.
public struct AdNetworkID: Sendable {
  /// The identifier as it was sent and signed.
  public let text: String
  /// The identifier in lower case, for comparing and counting.
  public let canonical: String

  /// Wraps an identifier; `nil` when it is empty.
  public init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    self.text = text
    // Most identifiers are lower case already; lowercased() would copy them.
    let hasUpperCase = text.utf8.contains { !(0x61...0x7A).contains($0) && $0 > 0x39 }
    canonical = hasUpperCase ? text.lowercased() : text
  }
}

extension AdNetworkID: Hashable {
  /// Compares without regard to case.
  public static func == (a: Self, b: Self) -> Bool { a.canonical.utf8.elementsEqual(b.canonical.utf8) }
  public func hash(into hasher: inout Hasher) { hasher.combine(canonical) }
}
