import OpenSSL

/// What a node that only receives stores in place of a body: a zero, with which no body begins that can be verified, and
/// the body's SHA-256.
enum BodyDigest {
  /// Its bytes.
  static let length = 33

  static func bytes(of digest: SHA256Digest) -> [UInt8] { [0] + digest.bytes }

  /// Whether what was stored is the digest of a body.
  static func isOne(_ stored: [UInt8]) -> Bool { stored.count == length && stored.first == 0 }

  /// Whether what was stored is the body of an arrival, or its digest.
  static func isOf(_ arrival: Arrival, _ stored: [UInt8]) -> Bool {
    isOne(stored) ? stored == bytes(of: arrival.digest) : stored == arrival.body
  }
}
