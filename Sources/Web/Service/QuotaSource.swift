import OpenSSL
import System

/// Turns client addresses into tags for the quota of refused bodies.
///
/// The salt is new with every start, so a tag in the database does not lead back to an address. For IPv6 the first
/// 64 bits count, because one subscriber has all addresses behind them.
struct QuotaSource: Sendable {
  private let salt: [UInt8]

  init() throws(OpenSSLError) { salt = try randomBytes(16) }

  /// The tag of a client, 16 letters.
  func tag(of client: ClientAddress) -> String {
    let subscriber = client.subscriber
    let bytes = [subscriber.high, subscriber.low].flatMap { half in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> UInt64($0)) }
    }
    return hexText(SHA256Digest(of: salt + bytes).bytes.prefix(8))
  }
}
