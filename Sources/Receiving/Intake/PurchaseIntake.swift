package import Ledger
import OpenSSL
package import Postbacks
import Values
package import Verification

/// The way in for notifications of the App Store: verifies a body and has the ledger count what is in it.
package final class PurchaseIntake: Sendable {
  /// What became of a verified notification.
  package enum Effect: Hashable, Sendable {
    case stored(PurchaseStoring.Outcome, PurchaseEnvironment)
    /// It has nothing that a figure needs.
    case notNeeded(PurchaseEnvironment)
  }

  private let verifier: PurchaseVerifier
  /// The apps that count, by bundle id.
  private let apps: [String: AppID]
  private let changes: any ChangeWriter & Sendable
  /// The database's key for digests.
  private let key: [UInt8]

  /// - Throws: ``LedgerError`` when the database's key can't be read or stored; `OpenSSLError` when there is no randomness.
  package init(
    verifier: PurchaseVerifier, apps: [String: AppID], changes: any ChangeWriter & Sendable
  ) throws {
    (self.verifier, self.apps, self.changes) = (verifier, apps, changes)
    let known = try LedgerReader(path: changes.path).purchaseKey()
    key = try known ?? changes.write(PurchaseKeyStoring(key: try randomBytes(32)))
  }

  package func verify(_ body: [UInt8]) throws(PurchaseRejection) -> VerifiedPurchase {
    try verifier.verify(body, of: apps)
  }

  /// Counts a notification; when it returns, that is on disk.
  ///
  /// - Throws: ``LedgerError`` when it can't be stored.
  package func store(_ purchase: VerifiedPurchase) throws(LedgerError) -> Effect {
    guard let event = purchase.event, let transaction = purchase.transaction else {
      return .notNeeded(purchase.environment)
    }
    let digests: PurchaseStoring.Digests
    do throws(OpenSSLError) {
      digests = PurchaseStoring.Digests(
        account: try digest("account", transaction.originalID, of: purchase),
        transaction: try digest("transaction", transaction.id, of: purchase))
    } catch {
      throw .unavailable
    }
    let change = PurchaseStoring(
      event, app: purchase.app, environment: purchase.environment, digests: digests,
      notification: purchase.notification.id)
    return .stored(try changes.write(change), purchase.environment)
  }

  /// A digest that only the database's key leads back to a number, and that no other app or environment has.
  private func digest(
    _ kind: String, _ id: String, of purchase: VerifiedPurchase
  ) throws(OpenSSLError) -> [UInt8] {
    let parts = [kind, purchase.environment.rawValue, "\(purchase.app.number)", id]
    return try hmacSHA256(Array(parts.joined(separator: "\u{1F}").utf8), secret: key)
  }
}
