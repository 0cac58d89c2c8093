import JSONText
package import Values

/// A transaction that the App Store signed, as far as figures need it.
///
/// Source: Apple, "JWSTransactionDecodedPayload".
package struct AppStoreTransaction: Equatable, Sendable {
  package let id: String
  /// The first transaction of the same subscription, or the transaction itself.
  package let originalID: String
  package let bundleID: String
  package let environment: AppStoreEnvironment
  package let product: String
  package let purchasedAt: Instant
  package let revokedAt: Instant?
  /// Millionths of the whole that were refunded.
  package let refundedShare: Int64?
  /// The amount of the whole transaction; `nil` where the App Store states none.
  package let amount: Money?
  /// Whether it is a period without money.
  package let isFreeTrial: Bool
  /// Whether another member of the family paid.
  package let isShared: Bool

  /// Reads the payload of a verified JWS.
  ///
  /// - Throws: ``AppStoreDefect`` where a member is missing or of another type.
  package init(_ jws: AppStoreJWS) throws(AppStoreDefect) {
    self = try AppStoreDefect.reading { () throws(JSONProblem) in try Self(jws.payload.members()) }
  }

  private init(_ members: JSONMembers) throws(JSONProblem) {
    id = try members.required("transactionId").text()
    originalID = try members.required("originalTransactionId").text()
    bundleID = try members.required("bundleId").text()
    environment = try members.required("environment").word()
    product = try members.required("productId").text()
    purchasedAt = try members.required("purchaseDate").moment()
    revokedAt = try members["revocationDate"]?.moment()
    // The App Store has 100,000 for all of it.
    refundedShare = try members["revocationPercentage"].map { (place) throws(JSONProblem) in
      try place.integer(in: 0...100_000) * 10
    }
    if let price = members["price"], let currency = members["currency"] {
      // Milliunits: Int64 holds the millionths, and sums of several.
      let milliunits = try price.integer(in: 0...1_000_000_000_000_000)
      amount = Money(micros: milliunits * 1000, currency: try currency.currency())
    } else {
      amount = nil
    }
    isFreeTrial = try members["offerDiscountType"]?.text() == "FREE_TRIAL"
    isShared = try members["inAppOwnershipType"]?.text() == "FAMILY_SHARED"
  }
}

/// What a notification adds to the figures.
package struct PurchaseEvent: Equatable, Sendable {
  /// A renewal may turn out to be a conversion of a trial, which only the ledger knows.
  package let type: PurchaseType
  package let at: Instant
  package let product: String
  /// `nil` where the App Store states none.
  package let amount: Money?

  /// - Returns: `nil` for notifications that no figure needs, such as one of a changed setting.
  package init?(_ notification: AppStoreNotification, of transaction: AppStoreTransaction) {
    guard let type = Self.type(notification, of: transaction) else { return nil }
    self.type = type
    product = transaction.product
    switch type {
    case .purchase, .renewal, .trialStart, .trialConversion:
      at = transaction.purchasedAt
      amount = transaction.amount
    case .refund:
      at = transaction.revokedAt ?? notification.signedAt
      amount = transaction.amount.map { $0.share(transaction.refundedShare ?? 1_000_000) }
    case .refundReversal:
      at = notification.signedAt
      amount = transaction.amount
    case .revocation:
      at = transaction.revokedAt ?? notification.signedAt
      amount = nil
    }
  }

  /// Source: Apple, "notificationType" and "subtype".
  private static func type(
    _ notification: AppStoreNotification, of transaction: AppStoreTransaction
  ) -> PurchaseType? {
    if notification.type == "REVOKE" { return .revocation }
    // Who paid has a notification of the same purchase.
    guard !transaction.isShared else { return nil }
    let bought: PurchaseType = transaction.isFreeTrial ? .trialStart : .purchase
    switch (notification.type, notification.subtype) {
    case ("SUBSCRIBED", _), ("ONE_TIME_CHARGE", _): return bought
    // A downgrade and a changed preference take effect with the next renewal, which has a notification of its own.
    case ("OFFER_REDEEMED", "DOWNGRADE"): return nil
    case ("OFFER_REDEEMED", _), ("DID_CHANGE_RENEWAL_PREF", "UPGRADE"): return bought
    case ("DID_RENEW", _): return .renewal
    case ("REFUND", _): return .refund
    case ("REFUND_REVERSED", _): return .refundReversal
    default: return nil
    }
  }
}

extension Money {
  /// A share of it in millionths, rounded towards zero.
  fileprivate func share(_ millionths: Int64) -> Money {
    let (high, low) = amount.micros.multipliedFullWidth(by: millionths)
    let quotient = Int64(1_000_000).dividingFullWidth((high, low)).quotient
    return Money(micros: quotient, currency: currency)
  }
}
