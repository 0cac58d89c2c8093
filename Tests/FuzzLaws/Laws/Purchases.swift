import Postbacks
import Verification

extension FuzzTarget {
  /// Notifications of the App Store: nothing that a stranger writes counts, and every rejection has a known form.
  static let purchase = FuzzTarget("purchase", dictionary: jsonWords + purchaseWords) { bytes in
    let verifier = try purchaseVerifier.get()
    let apps = ["com.example.game": AppID(525_463_029)].compactMapValues(\.self)
    let found = Result { () throws(PurchaseRejection) in try verifier.verify(bytes, of: apps) }
    switch found {
    case .success(let purchase):
      try law(false, "only Apple signs a notification, found \(purchase.notification.type)")
    case .failure(let rejection):
      try law(!rejection.code.isEmpty && !rejection.sentence.isEmpty, "a rejection has words")
    }
  }

  private static let purchaseVerifier = Result { () throws(KeyringError) in try PurchaseVerifier() }

  private static let purchaseWords = [
    "signedPayload", "notificationType", "notificationUUID", "signedDate", "x5c", "alg", "ES256", "data",
    "bundleId",
    "eyJhbGciOiJFUzI1NiIsIng1YyI6W10sImEiOjF9", ".",
  ]
}
