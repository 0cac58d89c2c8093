package import OpenSSL
package import Postbacks
import Values

/// Digests of accounts and transactions, which only the database's key leads back to a number, and which no other app or
/// environment has.
package struct PurchaseDigest: Sendable {
  /// Secret.
  private let key: [UInt8]
  private let app: AppID
  private let environment: PurchaseEnvironment

  package init(key: [UInt8], app: AppID, environment: PurchaseEnvironment) {
    (self.key, self.app, self.environment) = (key, app, environment)
  }

  /// - Parameter originalTransaction: The first transaction of a subscription or purchase.
  package func account(_ originalTransaction: String) throws(OpenSSLError) -> [UInt8] {
    try digest("account", originalTransaction)
  }

  package func transaction(_ id: String) throws(OpenSSLError) -> [UInt8] { try digest("transaction", id) }

  private func digest(_ kind: String, _ id: String) throws(OpenSSLError) -> [UInt8] {
    let parts = [kind, environment.rawValue, "\(app.number)", id]
    return try hmacSHA256(Array(parts.joined(separator: "\u{1F}").utf8), secret: key)
  }
}
