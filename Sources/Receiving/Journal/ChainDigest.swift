internal import OpenSSL

/// A digest of everything that a journal has up to a batch: two journals that agree on it agree on all before.
package struct ChainDigest: Hashable, Sendable {
  /// 32 bytes.
  package let bytes: [UInt8]

  /// Takes bytes over; `nil` unless they are 32.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  private init(of message: [UInt8]) { bytes = SHA256Digest(of: message).bytes }

  /// The digest of a journal that has no batch yet.
  package init(start identity: JournalIdentity) { self.init(of: identity.bytes) }

  /// The digest after one more batch: SHA-256 of this one, the node's name, the number as eight bytes with the most
  /// significant first, and the SHA-256 of the batch.
  package func next(node: NodeName, number: BatchNumber, batch: [UInt8]) -> ChainDigest {
    var message = bytes + Array(node.text.utf8)
    let bits = UInt64(bitPattern: number.number)
    for shift in stride(from: 56, through: 0, by: -8) {
      message.append(UInt8(truncatingIfNeeded: bits >> shift))
    }
    return ChainDigest(of: message + SHA256Digest(of: batch).bytes)
  }
}
