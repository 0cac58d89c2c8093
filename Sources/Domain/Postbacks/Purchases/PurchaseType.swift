/// What happened to a purchase, as figures distinguish it; the raw value is stored and shown.
public enum PurchaseType: String, Hashable, Sendable, CaseIterable {
  /// Money for a product, a new subscription or an upgrade.
  case purchase
  /// Money for a further period of a subscription.
  case renewal
  /// A subscription that began without money.
  case trialStart = "trial-start"
  /// Money for the first period behind a free one.
  case trialConversion = "trial-conversion"
  /// Money that the App Store gave back.
  case refund
  /// A refund that the App Store took back.
  case refundReversal = "refund-reversal"
  /// Access by Family Sharing that ended; no money.
  case revocation

  /// 1 where its amounts add to proceeds, -1 where they lessen them.
  public var sign: Int64 { self == .refund ? -1 : 1 }

  /// What a transaction has at most one of.
  public enum Side: Int64, Hashable, Sendable { case charge, refund, refundReversal, revocation }

  public var side: Side {
    switch self {
    case .purchase, .renewal, .trialStart, .trialConversion: .charge
    case .refund: .refund
    case .refundReversal: .refundReversal
    case .revocation: .revocation
    }
  }
}

/// Whose word a purchase is; the raw value is stored and shown.
///
/// Figures of different environments are never added up.
public enum PurchaseEnvironment: String, Hashable, Sendable, CaseIterable {
  /// The App Store, for money.
  case production
  /// The App Store's sandbox and TestFlight, where no user pays.
  case sandbox
  /// Signed below a root that the operator trusts for tests.
  case test
}
