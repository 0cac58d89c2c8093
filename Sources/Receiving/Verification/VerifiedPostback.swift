public import Postbacks

/// Whose money a postback is about, by the key that signed it.
///
/// Figures of different environments are never added up.
public enum Environment: String, Hashable, Sendable, CaseIterable {
  /// Signed by Apple's production key.
  case production
  /// Signed by one of Apple's development keys, or marked as a test by Apple's rules (`source-app-id` 0).
  case development
  /// Signed by a key that the operator trusts for tests.
  case test

  /// The timers that its devices can run by.
  public var timers: DeviceTimers { self == .development ? .development : .full }
}

/// A postback whose signed facts are verified; only ``Keyring`` can make one.
public struct VerifiedPostback: Hashable, Sendable {
  /// What the signature covers.
  public let attested: AttestedFacts
  /// The unsigned facts beside it.
  public let claimed: ClaimedFacts
  /// Whose key signed it.
  public let environment: Environment
  /// Oddities outside the signature that the reader noticed.
  public let warnings: [PostbackWarning]

  /// Makes an unsigned postback, so that a benchmark or a test of the ledger need not sign millions.
  @_spi(Unsigned)
  public static func unsigned(attested: AttestedFacts, claimed: ClaimedFacts) -> VerifiedPostback {
    VerifiedPostback(attested: attested, claimed: claimed, environment: .test, warnings: [])
  }
}
