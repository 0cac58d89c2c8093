/// An AdAttributionKit postback that was read; nothing in it is trusted yet.
public struct AdAttributionKitPostback: Hashable, Sendable {
  /// The content of the JWS payload; true if the signature holds.
  public let attested: AttestedFacts
  /// What is in the envelope, beside the JWS.
  public let claimed: ClaimedFacts
  /// `kid`: the name of the key that signed it, after JSON unescaping; `nil` when there is none.
  public let keyID: String?
  /// The exact bytes that are signed: the first two segments as they were received, and the dot between them.
  ///
  /// Source: RFC 7515, section 5.2. Apple's header escapes a slash, so writing it anew would change it.
  public let signedMessage: [UInt8]
  /// The signature, 64 bytes: `r` and `s` one after the other.
  ///
  /// Source: RFC 7518, section 3.4.
  public let signature: [UInt8]
}
