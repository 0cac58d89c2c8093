import COpenSSL

/// A private key on one of Apple's two curves, to sign test postbacks with.
///
/// Apple's own keys never leave Apple.
///
/// `@unchecked Sendable`: the key is never changed once made and signing only reads it (openssl-threads(7)).
@safe public struct PrivateKey: ~Copyable, @unchecked Sendable {
  public let curve: Curve
  private let key: OpaquePointer

  /// Makes a new key from the system's randomness.
  ///
  /// - Throws: ``OpenSSLError`` when OpenSSL lacks the curve or has no entropy.
  public init(generateOn curve: Curve) throws(OpenSSLError) {
    guard let key = unsafe skan_ec_generate(curve.openSSLName) else { throw .last("EVP_EC_gen") }
    unsafe self.key = key
    self.curve = curve
  }

  /// Makes the key whose secret number is given, big-endian and as long as a coordinate of the curve.
  ///
  /// - Throws: ``KeyError`` when the number is out of range for the curve.
  public init(scalar: [UInt8], on curve: Curve) throws(KeyError) {
    guard scalar.count == curve.coordinateSize else {
      throw .notAKey("\(curve.rawValue) takes \(curve.coordinateSize) bytes, found \(scalar.count)")
    }
    // ECPrivateKey without its optional public part, which OpenSSL then computes. Source: RFC 5915, section 3.
    let object: [UInt8] = [0xA0, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01]
    let body =
      [0x02, 0x01, 0x01, 0x04, UInt8(scalar.count)] + scalar + object + [curve == .p256 ? 0x07 : 0x01]
    try self.init(der: [0x30, UInt8(body.count)] + body)
  }

  /// Reads a key in PKCS #8 or SEC 1 DER form.
  ///
  /// - Throws: ``KeyError`` when the bytes are not such a key or name another curve.
  public init(der: [UInt8]) throws(KeyError) {
    let parsed = unsafe der.withUnsafeBufferPointer { bytes in
      var cursor = bytes.baseAddress
      return unsafe d2i_AutoPrivateKey(nil, &cursor, bytes.count)
    }
    guard let key = unsafe parsed else { throw .notAKey(OpenSSLError.last("d2i_AutoPrivateKey").reason) }
    guard let curve = unsafe Curve(of: key) else {
      unsafe EVP_PKEY_free(key)
      throw .otherCurve
    }
    guard unsafe isConsistent(key) else {
      unsafe EVP_PKEY_free(key)
      throw .notAKey("its secret number is out of range, or its public half is another key's")
    }
    unsafe self.key = key
    self.curve = curve
  }

  deinit { unsafe EVP_PKEY_free(key) }

  /// The public half in SubjectPublicKeyInfo DER form.
  public borrowing func spki() -> [UInt8] { unsafe derBytes { unsafe i2d_PUBKEY(key, $0) } }

  /// The key itself in SEC 1 DER form.
  ///
  /// Secret; write it to files that only their owner can read.
  public borrowing func der() -> [UInt8] { unsafe derBytes { unsafe i2d_PrivateKey(key, $0) } }

  /// Signs `message` with ECDSA-SHA256; the signature is in DER form.
  ///
  /// - Throws: ``OpenSSLError`` when OpenSSL has no entropy.
  public borrowing func sign(_ message: [UInt8]) throws(OpenSSLError) -> [UInt8] {
    let digest = SHA256Digest(of: message)
    guard let context = unsafe EVP_PKEY_CTX_new(key, nil) else { throw .last("EVP_PKEY_CTX_new") }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    guard unsafe EVP_PKEY_sign_init(context) == 1 else { throw .last("EVP_PKEY_sign_init") }
    var signature = [UInt8](repeating: 0, count: 80)
    var count = signature.count
    let code = unsafe signature.withUnsafeMutableBufferPointer { signature in
      unsafe digest.bytes.withUnsafeBufferPointer { digest in
        unsafe EVP_PKEY_sign(context, signature.baseAddress, &count, digest.baseAddress, digest.count)
      }
    }
    guard code == 1 else { throw .last("EVP_PKEY_sign") }
    signature.removeLast(signature.count - count)
    return signature
  }

  /// Signs `message` with ECDSA-SHA256; the signature is `r` and `s` one after the other, as JWS wants it.
  ///
  /// - Throws: ``OpenSSLError`` when OpenSSL has no entropy.
  public borrowing func signRaw(_ message: [UInt8]) throws(OpenSSLError) -> [UInt8] {
    let signature = try sign(message)
    return rawSignature(der: signature, curve: curve) ?? []
  }
}

/// Whether the secret number lies in the curve's range and the public half belongs to it.
///
/// Reading alone does not find out. The C function is `EVP_PKEY_check`.
private func isConsistent(_ key: OpaquePointer) -> Bool {
  guard let context = unsafe EVP_PKEY_CTX_new(key, nil) else { return false }
  defer { unsafe EVP_PKEY_CTX_free(context) }
  guard unsafe EVP_PKEY_check(context) == 1 else {
    ERR_clear_error()
    return false
  }
  return true
}
