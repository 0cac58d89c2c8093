import OpenSSL
public import Postbacks
public import Verification

/// What makes two postbacks copies of one another.
///
/// Identifiers are compared byte for byte, networks without regard to case. The environment belongs to the key, so
/// that a postback signed by a test key can never take the place of a genuine one.
/// Source: Apple, "Verifying an install-validation postback" (count unique identifiers); the sequence index is in the
/// key because Apple does not state whether the postbacks of one conversion share an identifier.
public struct ConversionKey: Equatable, Sendable {
  public let environment: Environment
  public let kind: PostbackKind
  /// The network, in lower case.
  public let network: String
  /// `transaction-id` or `postback-identifier`.
  public let identifier: String
  public let window: ConversionWindow

  /// The key in 64 bits: 56 of the identifier's SHA-256, then 8 of the rest.
  ///
  /// Fingerprints may collide, so a match is only a candidate. All keys of one identifier lie side by side.
  let fingerprint: UInt64

  public init(of postback: VerifiedPostback) {
    environment = postback.environment
    kind = postback.attested.version.kind
    network = postback.attested.network.canonical
    identifier = postback.attested.id
    window = postback.attested.window
    var rest: UInt8 = UInt8(truncatingIfNeeded: environment.code &* 31 &+ (kind == .skan ? 0 : 7))
    for byte in network.utf8 { rest = (rest ^ byte) &* 167 &+ 13 }
    fingerprint = Self.fingerprints(of: identifier).lowerBound | UInt64(rest &+ UInt8(window.rawValue) &* 85)
  }

  static func fingerprints(of identifier: String) -> ClosedRange<UInt64> {
    let digest = SHA256Digest(of: Array(identifier.utf8)).bytes
    let high = digest.prefix(7).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } << 8
    return high...(high | 0xFF)
  }
}
