package import Ledger
import OpenSSL
package import Postbacks
import Values
package import Verification

/// The way in for notifications of the App Store: verifies a body and has the ledger count what is in it.
package final class PurchaseIntake: Sendable {
  /// What became of a verified notification.
  package enum Effect: Equatable, Sendable {
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
    let digest = PurchaseDigest(key: key, app: purchase.app, environment: purchase.environment)
    let digests: PurchaseStoring.Digests
    do throws(OpenSSLError) {
      digests = PurchaseStoring.Digests(
        account: try digest.account(transaction.originalID),
        transaction: try digest.transaction(transaction.id))
    } catch {
      throw .unavailable
    }
    let change = PurchaseStoring(
      event, app: purchase.app, environment: purchase.environment, digests: digests,
      notification: purchase.notification.id)
    return .stored(try changes.write(change), purchase.environment)
  }
}
