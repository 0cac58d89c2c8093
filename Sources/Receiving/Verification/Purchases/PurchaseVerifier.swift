import OpenSSL
package import Postbacks
import Values

/// Apple's root and those the operator trusts; it alone decides whether a notification is the App Store's.
///
/// As Apple's own libraries do, it takes three certificates, has them valid at the `signedDate`, and wants Apple's
/// extensions on the first two. Revocation is not looked up: that would be a request to Apple for each notification.
/// Source: Apple, app-store-server-library, `SignedDataVerifier`.
package final class PurchaseVerifier: Sendable {
  private let appleRoot: [UInt8]
  /// Public keys of further roots, in SubjectPublicKeyInfo DER form.
  private let roots: [[UInt8]: PurchaseSigner]

  /// Loads Apple's root and adds others.
  ///
  /// - Parameter extra: Keys to trust beside Apple's, from ``KeyFile``; those of purchases count here.
  /// - Throws: ``KeyringError`` when the built-in root has not its fingerprint.
  package init(trusting extra: [TrustedKey] = []) throws(KeyringError) {
    appleRoot = try AppStoreRoot.load()
    var roots: [[UInt8]: PurchaseSigner] = [:]
    for key in extra where key.use == .purchases {
      roots[key.spki] = key.environment == .production ? .appStore : .test
    }
    self.roots = roots
  }

  /// Verifies a body with everything that is signed in it.
  ///
  /// - Parameter apps: The apps that count, by bundle id.
  package func verify(_ body: [UInt8], of apps: [String: AppID]) throws(PurchaseRejection) -> VerifiedPurchase
  {
    var chains = KnownChain()
    let text = try reading { () throws(AppStoreDefect) in try AppStoreNotification.signedPayload(of: body) }
    let (outer, signer) = try verified(text, &chains)
    let notification = try reading { () throws(AppStoreDefect) in try AppStoreNotification(outer) }
    guard let app = apps[notification.bundleID], notification.app == nil || notification.app == app else {
      throw .otherApp(bundle: notification.bundleID, app: notification.app)
    }
    let environment = try signer.environment(of: notification.environment)
    // Apple states the app's number for everything that is not of the sandbox.
    guard environment != .production || notification.environment == nil || notification.app != nil else {
      throw .otherApp(bundle: notification.bundleID, app: nil)
    }
    var transaction: AppStoreTransaction?
    if let text = notification.signedTransaction {
      let (part, partSigner) = try verified(text, &chains)
      let found = try reading { () throws(AppStoreDefect) in try AppStoreTransaction(part) }
      guard found.bundleID == notification.bundleID else {
        throw .otherApp(bundle: found.bundleID, app: nil)
      }
      guard found.environment == notification.environment, partSigner == signer else {
        throw .otherEnvironment
      }
      transaction = found
    }
    if let text = notification.signedRenewal {
      guard try verified(text, &chains).signer == signer else { throw .otherEnvironment }
    }
    return VerifiedPurchase(
      notification: notification, transaction: transaction, app: app, environment: environment)
  }

  /// The chain that was verified last: the parts of a notification mostly have one and the same.
  private struct KnownChain {
    var certificates: [[UInt8]] = []
    var seconds: Int64 = 0
    var key: [UInt8] = []
    var signer = PurchaseSigner.test
  }

  private func verified(
    _ text: String, _ known: inout KnownChain
  ) throws(PurchaseRejection) -> (jws: AppStoreJWS, signer: PurchaseSigner) {
    let jws = try reading { () throws(AppStoreDefect) in try AppStoreJWS(text) }
    if known.certificates != jws.certificates || known.seconds != jws.signedAt.seconds {
      known = try chain(jws)
    }
    let key: PublicKey
    do throws(KeyError) { key = try PublicKey(spki: known.key, arithmetic: .evp) } catch {
      throw .brokenChain("the first certificate has \(error)")
    }
    guard key.curve == .p256 else { throw .brokenChain("the first certificate has no key on P-256") }
    guard key.isValid(rawSignature: jws.signature, for: jws.signedMessage) else { throw .signatureMismatch }
    return (jws, known.signer)
  }

  private func chain(_ jws: AppStoreJWS) throws(PurchaseRejection) -> KnownChain {
    let certificates = jws.certificates
    do throws(ChainDefect) {
      let chain = try CertificateChain(
        leaf: certificates[0], intermediate: certificates[1], root: certificates[2])
      if let signer = certificates[2] == appleRoot ? .appStore : roots[chain.rootKey()] {
        let key = try chain.leafKey(
          at: jws.signedAt.seconds, leafMark: AppStoreRoot.leafMark,
          intermediateMark: AppStoreRoot.intermediateMark)
        return KnownChain(
          certificates: certificates, seconds: jws.signedAt.seconds, key: key, signer: signer)
      }
    } catch {
      throw PurchaseRejection(error)
    }
    throw .foreignRoot
  }
}

/// A notification whose signatures are verified; only ``PurchaseVerifier`` can make one.
package struct VerifiedPurchase: Equatable, Sendable {
  package let notification: AppStoreNotification
  /// `nil` for notifications without one, such as those of a test.
  package let transaction: AppStoreTransaction?
  package let app: AppID
  package let environment: PurchaseEnvironment

  fileprivate init(
    notification: AppStoreNotification, transaction: AppStoreTransaction?, app: AppID,
    environment: PurchaseEnvironment
  ) {
    (self.notification, self.transaction) = (notification, transaction)
    (self.app, self.environment) = (app, environment)
  }

  /// What it adds to the figures; `nil` for nothing.
  package var event: PurchaseEvent? { transaction.flatMap { PurchaseEvent(notification, of: $0) } }
}

/// Below whose root something is signed.
private enum PurchaseSigner: Hashable {
  case appStore, test

  /// The environment in which a notification counts that names one.
  func environment(of named: AppStoreEnvironment?) throws(PurchaseRejection) -> PurchaseEnvironment {
    switch (self, named) {
    case (.test, _): .test
    case (.appStore, .sandbox): .sandbox
    // Those without an environment have no transaction.
    case (.appStore, .production), (.appStore, nil): .production
    case (.appStore, .xcode), (.appStore, .localTesting): throw .otherEnvironment
    }
  }
}

private func reading<Value>(
  _ body: () throws(AppStoreDefect) -> Value
) throws(PurchaseRejection) -> Value {
  do throws(AppStoreDefect) { return try body() } catch { throw PurchaseRejection(error) }
}
