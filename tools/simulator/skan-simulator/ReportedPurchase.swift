import Ledger
import Postbacks
import Values

/// A notification of the App Store: a charge, and under the next number what was undone of it.
struct ReportedPurchase {
  private static let charges = [
    ("ONE_TIME_CHARGE", "PAY_UP_FRONT"), ("SUBSCRIBED", "FREE_TRIAL"), ("DID_RENEW", "PAY_UP_FRONT"),
  ]
  private static let others = ["REFUND", "REFUND_REVERSED", "REVOKE"]

  let number: Int

  init(_ number: Int) { self.number = number }

  /// Counts it as those who have verified it do; `nil` where it has nothing to count.
  func store(in changes: any ChangeWriter) throws -> PurchaseStoring.Outcome? {
    let key = try changes.write(PurchaseKeyStoring(key: [UInt8](repeating: 7, count: 32)))
    guard let app = AppID(525_463_029), let change = try change(app, key) else { return nil }
    return try changes.write(change)
  }

  private func change(_ app: AppID, _ key: [UInt8]) throws -> PurchaseStoring? {
    let transaction = number / 2
    let (charge, offer) = Self.charges[transaction % 3]
    let type = number % 2 == 0 ? charge : Self.others[transaction % 3]
    // A year later, so that no prune removes it.
    let at = 1_830_000_000_000 + Int64(transaction) * 86_400_000
    let zeros = String(repeating: "0", count: 12 - "\(number)".count)
    let uuid = "00000000-0000-4000-8000-\(zeros)\(number)"
    let notification = try AppStoreNotification(
      jws(
        """
        {"notificationType":"\(type)","notificationUUID":"\(uuid)","signedDate":\(at),\
        "data":{"bundleId":"com.example","environment":"Production"}}
        """))
    let bought = try AppStoreTransaction(
      jws(
        """
        {"transactionId":"\(transaction)","originalTransactionId":"\(transaction % 5)",\
        "bundleId":"com.example","environment":"Production","productId":"coins-\(transaction % 2)","purchaseDate":\(at),"price":\
        \(990 + transaction),"currency":"EUR","offerDiscountType":"\(offer)","signedDate":\(at)}
        """))
    guard let event = PurchaseEvent(notification, of: bought) else { return nil }
    let digest = PurchaseDigest(key: key, app: app, environment: .production)
    let digests = PurchaseStoring.Digests(
      account: try digest.account(bought.originalID), transaction: try digest.transaction(bought.id))
    return PurchaseStoring(
      event, app: app, environment: .production, digests: digests, notification: notification.id)
  }

  /// A text as if the App Store had signed it; the ledger believes who verified it.
  private func jws(_ payload: String) throws -> AppStoreJWS {
    let header = #"{"alg":"ES256","x5c":["AA==","AA==","AA=="]}"#
    let parts = [Array(header.utf8), Array(payload.utf8), [UInt8](repeating: 1, count: 64)]
    let letters = parts.map { String(decoding: Base64.encodeURL($0), as: UTF8.self) }
    return try AppStoreJWS(letters.joined(separator: "."))
  }
}
