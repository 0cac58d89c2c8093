import COpenSSL
import Platform

/// A public key on one of Apple's two curves, to check signatures against.
///
/// `@unchecked Sendable`: the key is never changed once read, OpenSSL only reads it during a check
/// (openssl-threads(7)), and the contexts that a check does change are handed out under a lock.
@safe public struct PublicKey: ~Copyable, @unchecked Sendable {
  /// The curve the key lies on.
  public let curve: Curve
  /// The key in SubjectPublicKeyInfo DER form.
  public let spki: [UInt8]
  private let key: OpaquePointer
  /// Contexts set up for this key.
  ///
  /// Setting one up costs several microseconds, so they are used again.
  private let idleContexts = Guarded<[VerifyContext]>([])

  /// Reads a key in SubjectPublicKeyInfo DER form.
  ///
  /// - Throws: ``KeyError`` when the bytes are not a key, carry anything behind it, or name another curve.
  public init(spki: [UInt8]) throws(KeyError) {
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
    self.spki = spki
  }

  deinit { unsafe EVP_PKEY_free(key) }

  /// Whether `signature`, in DER form, is an ECDSA-SHA256 signature of `message` by this key.
  ///
  /// A malformed signature is an answer (`false`), not an error. On P-192 the leftmost 192 bits of the digest
  /// are signed. Both halves of the range of `s` are accepted, because Apple produces both.
  /// The C function is `EVP_PKEY_verify`; it refuses BER that is not DER.
  public borrowing func isValid(signature: [UInt8], for message: [UInt8]) -> Bool {
    let digest = SHA256Digest(of: message)
    guard let context = takeContext() else { return false }
    let verdict = unsafe signature.withUnsafeBufferPointer { signature in
      unsafe digest.bytes.withUnsafeBufferPointer { digest in
        unsafe EVP_PKEY_verify(
          context.pointer, signature.baseAddress, signature.count, digest.baseAddress, digest.count)
      }
    }
    idleContexts.withLock { $0.append(context) }
    // 1 is valid, 0 a mismatch, below 0 a signature that is not DER; the last two leave an error behind.
    if verdict != 1 { ERR_clear_error() }
    return verdict == 1
  }

  /// Whether `rawSignature`, the two halves `r` and `s` one after the other, signs `message`.
  ///
  /// Source: RFC 7518, section 3.4.
  public borrowing func isValid(rawSignature: [UInt8], for message: [UInt8]) -> Bool {
    guard let signature = derSignature(raw: rawSignature, curve: curve) else { return false }
    return isValid(signature: signature, for: message)
  }

  private borrowing func takeContext() -> VerifyContext? {
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

/// Why bytes were refused as a key.
public enum KeyError: Error, Hashable, Sendable {
  /// The bytes are not a key at all; OpenSSL's words say why.
  case notAKey(String)
  /// A key, but on neither P-256 nor P-192.
  case otherCurve
}

extension KeyError: CustomStringConvertible {
  /// The text that people read.
  public var description: String {
    switch self {
    case .notAKey(let reason): "not a key in DER or PEM form (\(reason))"
    case .otherCurve: "a key, but neither on P-256 nor on P-192"
    }
  }
}

extension Curve {
  /// The curve of an OpenSSL key, or `nil` when it is not one of Apple's two.
  init?(of key: OpaquePointer) {
    var name = [CChar](repeating: 0, count: 64)
    let code = unsafe name.withUnsafeMutableBufferPointer {
      unsafe EVP_PKEY_get_group_name(key, $0.baseAddress, $0.count, nil)
    }
    let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard code == 1, let curve = Self.allCases.first(where: { $0.openSSLName == text }) else {
      ERR_clear_error()
      return nil
    }
    self = curve
  }
}

/// Turns `r || s` into DER; `nil` when the length is not that of the curve.
func derSignature(raw: [UInt8], curve: Curve) -> [UInt8]? {
  let size = curve.coordinateSize
  guard raw.count == 2 * size, let pair = unsafe ECDSA_SIG_new() else { return nil }
  defer { unsafe ECDSA_SIG_free(pair) }
  let isSet = unsafe raw.withUnsafeBufferPointer { bytes in
    guard let start = bytes.baseAddress else { return false }
    let r = unsafe BN_bin2bn(start, Int32(size), nil)
    let s = unsafe BN_bin2bn(start + size, Int32(size), nil)
    // ECDSA_SIG_set0 owns both numbers if it succeeds, and neither if it fails.
    guard unsafe ECDSA_SIG_set0(pair, r, s) == 1 else {
      unsafe BN_free(r)
      unsafe BN_free(s)
      return false
    }
    return true
  }
  guard isSet else { return nil }
  return unsafe derBytes { unsafe i2d_ECDSA_SIG(pair, $0) }
}

/// Turns DER into `r || s`; `nil` when the bytes are not a signature.
func rawSignature(der: [UInt8], curve: Curve) -> [UInt8]? {
  let parsed = unsafe der.withUnsafeBufferPointer { bytes in
    var cursor = bytes.baseAddress
    return unsafe d2i_ECDSA_SIG(nil, &cursor, bytes.count)
  }
  guard let pair = unsafe parsed else {
    ERR_clear_error()
    return nil
  }
  defer { unsafe ECDSA_SIG_free(pair) }
  let size = Int32(curve.coordinateSize)
  return unsafe [UInt8](unsafeUninitializedCapacity: Int(2 * size)) { raw, count in
    guard let start = raw.baseAddress else { return }
    let r = unsafe BN_bn2binpad(ECDSA_SIG_get0_r(pair), start, size)
    let s = unsafe BN_bn2binpad(ECDSA_SIG_get0_s(pair), start + Int(size), size)
    count = r == size && s == size ? Int(2 * size) : 0
  }
}

/// Collects what an `i2d_` function writes; empty when it fails.
func derBytes(_ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8] {
  let size = Int(write(nil))
  guard size > 0 else { return [] }
  return unsafe [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
    var cursor = bytes.baseAddress
    count = max(0, Int(unsafe write(&cursor)))
  }
}
