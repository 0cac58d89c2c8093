import OpenSSL

/// What a node that only receives stores in place of a body: a zero, with which no body begins that can be verified, and
/// the body's SHA-256.
enum BodyDigest {
  /// Its bytes.
  static let length = 33

  static func bytes(of body: [UInt8]) -> [UInt8] { [0] + SHA256Digest(of: body).bytes }

  /// Whether what was stored is a body, or its digest.
  static func isOf(_ body: [UInt8], _ stored: [UInt8]) -> Bool {
    stored.count == length && stored.first == 0 ? stored == bytes(of: body) : stored == body
  }
}
