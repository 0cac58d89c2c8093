import Crypto

/// Turns client addresses into tags for the quota of refused bodies.
///
/// The salt is new with every start, so a tag in the database does not lead back to an address. For IPv6 the first
/// 64 bits count, because one subscriber has all addresses behind them.
struct QuotaSource: Sendable {
  private let salt: [UInt8]

  init() throws(OpenSSLError) { salt = try randomBytes(16) }

  /// The tag of an address, 16 letters.
  func tag(of address: String) -> String {
    let digest = SHA256Digest(of: salt + Array(prefix(of: address).utf8))
    return hexText(digest.bytes.prefix(8))
  }

  private func prefix(of address: String) -> String {
    guard address.contains(":") else { return address }
    var groups: [Substring] = []
    for group in address.split(separator: ":", omittingEmptySubsequences: false) {
      // An empty group stands for zeros; nothing behind it is needed.
      if group.isEmpty || groups.count == 4 { break }
      groups.append(group)
    }
    return groups.joined(separator: ":")
  }
}
