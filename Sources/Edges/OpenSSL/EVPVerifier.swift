import COpenSSL
import System

/// A public key together with OpenSSL's ordinary way to check its signatures.
///
/// `@unchecked Sendable`: the key is never changed once read, OpenSSL only reads it during a check
/// (openssl-threads(7)), and the contexts that a check does change are handed out under a lock.
@safe package final class EVPVerifier: @unchecked Sendable {
  package let curve: Curve
  private let key: OpaquePointer
  /// Contexts set up for this key.
  ///
  /// Setting one up costs several microseconds, so they are used again.
  private let idleContexts = Guarded<[VerifyContext]>([])

  /// Reads a key in SubjectPublicKeyInfo DER form.
  ///
  /// - Throws: ``KeyError`` when the bytes are not a key, carry anything behind it, or name another curve.
  package init(spki: [UInt8]) throws(KeyError) {
    var consumed = 0
    let parsed = unsafe spki.withUnsafeBufferPointer { bytes in
      var cursor = bytes.baseAddress
      let key = unsafe d2i_PUBKEY(nil, &cursor, bytes.count)
      if let cursor = unsafe cursor, let start = bytes.baseAddress { consumed = unsafe cursor - start }
      return unsafe key
    }
    guard let key = unsafe parsed else { throw .notAKey(OpenSSLError.last("d2i_PUBKEY").reason) }
    guard consumed == spki.count else {
      unsafe EVP_PKEY_free(key)
      throw .notAKey("\(spki.count - consumed) bytes follow the key")
    }
    guard let curve = unsafe Curve(of: key) else {
      unsafe EVP_PKEY_free(key)
      throw .otherCurve
    }
    unsafe self.key = key
    self.curve = curve
  }

  deinit { unsafe EVP_PKEY_free(key) }

  /// The encoded public point; `nil` when OpenSSL does not give it.
  package var point: [UInt8]? {
    var point = [UInt8](repeating: 0, count: 1 + 2 * curve.coordinateSize)
    var count = 0
    let code = unsafe point.withUnsafeMutableBufferPointer {
      unsafe EVP_PKEY_get_octet_string_param(
        key, OSSL_PKEY_PARAM_PUB_KEY, $0.baseAddress, $0.count, &count)
    }
    guard code == 1 else {
      ERR_clear_error()
      return nil
    }
    point.removeLast(point.count - count)
    return point
  }

  /// Whether `der` is a signature of the 32 bytes of `digest`.
  ///
  /// The C function is `EVP_PKEY_verify`; it rejects BER that is not DER.
  package func isValid(der: [UInt8], digest: [UInt8]) -> Bool {
    guard let context = takeContext() else { return false }
    let verdict = unsafe der.withUnsafeBufferPointer { signature in
      unsafe digest.withUnsafeBufferPointer { digest in
        unsafe EVP_PKEY_verify(
          context.pointer, signature.baseAddress, signature.count, digest.baseAddress, digest.count)
      }
    }
    idleContexts.withLock { $0.append(context) }
    // 1 is valid, 0 a mismatch, below 0 a signature that is not DER; the last two leave an error behind.
    if verdict != 1 { ERR_clear_error() }
    return verdict == 1
  }

  private func takeContext() -> VerifyContext? {
    if let idle = idleContexts.withLock({ $0.popLast() }) { return idle }
    return unsafe VerifyContext(for: key)
  }
}

/// A context that is set up to check signatures of one key.
///
/// `@unchecked Sendable`: the pool hands it to one check at a time.
@safe private final class VerifyContext: @unchecked Sendable {
  let pointer: OpaquePointer

  /// The context keeps a reference of its own to the key; see EVP_PKEY_CTX_new(3).
  init?(for key: OpaquePointer) {
    guard let pointer = unsafe EVP_PKEY_CTX_new(key, nil) else { return nil }
    unsafe self.pointer = pointer
    guard unsafe EVP_PKEY_verify_init(pointer) == 1 else {
      ERR_clear_error()
      return nil
    }
  }

  deinit { unsafe EVP_PKEY_CTX_free(pointer) }
}
