import COpenSSL

/// Returns the HMAC-SHA256 of a message under a secret, 32 bytes.
///
/// The C function is `HMAC`. Source: RFC 2104.
///
/// - Throws: ``OpenSSLError`` when the library has no memory for it, or the secret has 2 GiB or more. The secret must not be empty.
public func hmacSHA256(_ message: [UInt8], secret: [UInt8]) throws(OpenSSLError) -> [UInt8] {
  guard let length = Int32(exactly: secret.count) else { throw .last("HMAC") }
  var code = [UInt8](repeating: 0, count: 32)
  // OpenSSL takes a null pointer for "the secret of the last call", and an empty array may have none.
  guard !secret.isEmpty else { preconditionFailure("a secret has to be there") }
  let made = unsafe code.withUnsafeMutableBufferPointer { code in
    unsafe secret.withUnsafeBufferPointer { secret in
      unsafe message.withUnsafeBufferPointer { message in
        unsafe HMAC(
          EVP_sha256(), secret.baseAddress, length, message.baseAddress, message.count, code.baseAddress, nil)
          != nil
      }
    }
  }
  guard made else { throw .last("HMAC") }
  return code
}

/// Returns whether two byte strings are the same, in a time that reveals nothing about where they differ.
///
/// The C function is `CRYPTO_memcmp`. Only their lengths are not kept secret.
public func isSame(_ a: [UInt8], _ b: [UInt8]) -> Bool {
  guard a.count == b.count else { return false }
  return unsafe a.withUnsafeBufferPointer { a in
    unsafe b.withUnsafeBufferPointer { b in
      unsafe CRYPTO_memcmp(a.baseAddress, b.baseAddress, a.count) == 0
    }
  }
}
