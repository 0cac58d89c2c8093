public import Postbacks

/// A postback whose signed facts are verified; only ``Keyring`` can make one.
///
/// In ``Environment/claimed``, and in no other, it is unsigned: there the facts are the claim of a partner.
public struct VerifiedPostback: Equatable, Sendable {
  public let attested: AttestedFacts
  public let claimed: ClaimedFacts
  /// Whose key signed it.
  public let environment: Environment
  /// Oddities outside the signature that the reader noticed.
  public let warnings: [PostbackWarning]

  /// Takes a body whose signature was checked when it came, by the key that gave the environment; `nil` where it holds no
  /// postback.
  package init?(checkedBefore reading: PostbackReading, environment: Environment) {
    guard let postback = reading.postback else { return nil }
    self.init(
      attested: postback.attested, claimed: postback.claimed, environment: environment,
      warnings: reading.warnings)
  }

  init(
    attested: AttestedFacts, claimed: ClaimedFacts, environment: Environment, warnings: [PostbackWarning]
  ) {
    (self.attested, self.claimed) = (attested, claimed)
    (self.environment, self.warnings) = (environment, warnings)
  }

  /// Makes an unsigned postback, so that a benchmark or a test of the ledger need not sign millions.
  @_spi(Unsigned)
  public static func unsigned(
    attested: AttestedFacts, claimed: ClaimedFacts, environment: Environment = .test
  ) -> VerifiedPostback {
    VerifiedPostback(attested: attested, claimed: claimed, environment: environment, warnings: [])
  }
}
