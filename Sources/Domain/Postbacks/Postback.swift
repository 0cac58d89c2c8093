/// A postback that was read, with every field in place and nothing trusted yet.
public enum Postback: Hashable, Sendable {
  case skan(SKAdNetworkPostback)
  case aak(AdAttributionKitPostback)

  /// The part that is true if the signature holds.
  public var attested: AttestedFacts {
    switch self {
    case .skan(let postback): postback.attested
    case .aak(let postback): postback.attested
    }
  }

  /// The part that anyone could have written.
  public var claimed: ClaimedFacts {
    switch self {
    case .skan(let postback): postback.claimed
    case .aak(let postback): postback.claimed
    }
  }

  /// The exact bytes that the signature is of.
  public var signedMessage: [UInt8] {
    switch self {
    case .skan(let postback): postback.signedMessage
    case .aak(let postback): postback.signedMessage
    }
  }
}
