public import Postbacks

/// A postback whose signed facts are verified; only ``Keyring`` can make one.
///
/// In ``Environment/claimed``, and in no other, it is unsigned: there the facts are the claim of a partner.
public struct VerifiedPostback: Hashable, Sendable {
  public let attested: AttestedFacts
  public let claimed: ClaimedFacts
  /// Whose key signed it.
  public let environment: Environment
  /// Oddities outside the signature that the reader noticed.
  public let warnings: [PostbackWarning]

  /// Makes an unsigned postback, so that a benchmark or a test of the ledger need not sign millions.
  @_spi(Unsigned)
  public static func unsigned(
    attested: AttestedFacts, claimed: ClaimedFacts, environment: Environment = .test
  ) -> VerifiedPostback {
    VerifiedPostback(attested: attested, claimed: claimed, environment: environment, warnings: [])
  }
}
