/// A public key on one of Apple's two curves, to check signatures against.
public struct PublicKey: ~Copyable, Sendable {
  public let curve: Curve
  /// The key in SubjectPublicKeyInfo DER form.
  public let spki: [UInt8]
  private let ordinary: EVPVerifier
  private let table: FixedKeyTable

  /// Reads a key in SubjectPublicKeyInfo DER form.
  ///
  /// - Throws: ``KeyError`` when the bytes are not a key, carry anything behind it, or name another curve.
  public init(spki: [UInt8]) throws(KeyError) { try self.init(spki: spki, arithmetic: .fixedKey) }

  /// Reads a key that is checked with the given arithmetic, if this OpenSSL and the curve allow it.
  ///
  /// - Throws: ``KeyError`` as ``init(spki:)`` does.
  package init(spki: [UInt8], arithmetic: SignatureArithmetic) throws(KeyError) {
    ordinary = try EVPVerifier(spki: spki)
    table = FixedKeyTable(of: ordinary, isWanted: arithmetic == .fixedKey)
    curve = ordinary.curve
    self.spki = spki
  }

  /// Whether `signature`, in DER form, is an ECDSA-SHA256 signature of `message` by this key.
  ///
  /// A malformed signature is an answer (`false`), not an error. On P-192 the leftmost 192 bits of the digest
  /// are signed. Both halves of the range of `s` are accepted, because Apple produces both. BER that is not
  /// DER is rejected.
  public borrowing func isValid(signature: [UInt8], for message: [UInt8]) -> Bool {
    isValid(signature: signature, digest: SHA256Digest(of: message).bytes)
  }

  /// Whether `rawSignature`, the two halves `r` and `s` one after the other, signs `message`.
  ///
  /// Source: RFC 7518, section 3.4.
  public borrowing func isValid(rawSignature: [UInt8], for message: [UInt8]) -> Bool {
    isValid(rawSignature: rawSignature, digest: SHA256Digest(of: message).bytes)
  }

  /// Computes now what the key's first hundreds of checks would lead to, and returns how checks are done then.
  ///
  /// Takes about 30 ms for a key on P-256 the first time, and nothing afterwards. Checks that run meanwhile
  /// are not held up. ``SignatureArithmetic/evp`` is the answer on P-192, and where OpenSSL has no tables or
  /// they failed their test.
  @discardableResult
  public borrowing func prepare() -> SignatureArithmetic { table.prepared() == nil ? .evp : .fixedKey }

  /// Whether `signature`, in DER form, signs the 32 bytes of `digest`.
  package borrowing func isValid(signature: [UInt8], digest: [UInt8]) -> Bool {
    switch table.verifier()?.verdict(der: signature, digest: digest) {
    case .valid: true
    case .invalid: false
    case .undecided, nil: ordinary.isValid(der: signature, digest: digest)
    }
  }

  /// Whether `rawSignature`, in the form `r || s`, signs the 32 bytes of `digest`.
  package borrowing func isValid(rawSignature: [UInt8], digest: [UInt8]) -> Bool {
    switch table.verifier()?.verdict(raw: rawSignature, digest: digest) {
    case .valid: true
    case .invalid: false
    case .undecided, nil:
      derSignature(raw: rawSignature, curve: curve).map { ordinary.isValid(der: $0, digest: digest) } ?? false
    }
  }
}

/// Why bytes were rejected as a key.
public enum KeyError: Error, Equatable, Sendable {
  /// The bytes are not a key at all; OpenSSL's words give the reason.
  case notAKey(String)
  /// A key, but on neither P-256 nor P-192.
  case otherCurve
}

extension KeyError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notAKey(let reason): "not a key in DER or PEM form (\(reason))"
    case .otherCurve: "a key, but neither on P-256 nor on P-192"
    }
  }
}
