package import OpenSSL
import System
import Values

/// Turns client addresses into tags for the quota of rejected bodies.
///
/// The salt is new with every start, so a tag in the database does not lead back to an address. For IPv6 the first
/// 64 bits count, because one subscriber has all addresses behind them.
package struct ClientTag: Sendable {
  private let salt: [UInt8]

  package init() throws(OpenSSLError) { salt = try randomBytes(16) }

  /// The tag of a client, 16 letters.
  ///
  /// It costs a digest, so a route passes it on unmade: only a rejected body or a conflicting copy needs it.
  package func tag(of client: ClientAddress) -> String {
    let subscriber = client.subscriber
    var bytes = salt
    bytes.reserveCapacity(salt.count + 16)
    for half in [subscriber.high, subscriber.low] {
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: half >> shift))
      }
    }
    return hexText(SHA256Digest(of: bytes).bytes.prefix(8))
  }
}
