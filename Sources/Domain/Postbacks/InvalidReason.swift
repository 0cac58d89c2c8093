/// Why a well-formed postback can't be judged.
public enum UnverifiableReason: Hashable, Sendable {
  /// A version that Apple had not documented when this program was built.
  case unknownVersion(String)
  /// SKAdNetwork without `attribution-signature`.
  case missingSignature
  /// A `kid` that no known key has, or none at all.
  case unknownKey(String?)

  public static let codes = ["unknown-version", "missing-signature", "unknown-key"]

  public var code: String {
    switch self {
    case .unknownVersion: "unknown-version"
    case .missingSignature: "missing-signature"
    case .unknownKey: "unknown-key"
    }
  }
}

/// Why a signature does not hold; the raw value is the stable code.
public enum InvalidReason: String, Hashable, Sendable, CaseIterable {
  /// No key of the version signed these fields.
  case signatureMismatch = "signature-mismatch"
  /// `attribution-signature` is empty or not base64.
  case signatureEncoding = "signature-encoding"
  /// `jws-string` has not exactly three segments.
  case jwsSegments = "jws-segments"
  /// A segment of `jws-string` is not base64url.
  case jwsEncoding = "jws-encoding"
  /// The JWS names another algorithm than ES256.
  case jwsAlgorithm = "jws-algorithm"
  /// The JWS demands extensions that this program does not know.
  case jwsCritical = "jws-critical"
  /// The signature of the JWS has not 64 bytes.
  case jwsSignatureLength = "jws-signature-length"

  public var code: String { rawValue }
}
