import COpenSSL
import Values

/// The SHA-256 digest of bytes that come by pieces.
package struct SHA256Stream: ~Copyable {
  private let context: Owned

  /// Starts without any byte.
  ///
  /// - Throws: ``OpenSSLError`` where there is no memory or no such digest.
  package init() throws(OpenSSLError) {
    guard let context = unsafe Owned(EVP_MD_CTX_new(), free: { unsafe EVP_MD_CTX_free($0) }) else {
      throw .last("EVP_MD_CTX_new")
    }
    guard unsafe EVP_DigestInit_ex(context.pointer, EVP_sha256(), nil) == 1 else {
      throw .last("EVP_DigestInit_ex")
    }
    self.context = context
  }

  /// Adds bytes.
  package borrowing func add(_ bytes: [UInt8]) throws(OpenSSLError) {
    let code = unsafe bytes.withUnsafeBytes {
      unsafe EVP_DigestUpdate(context.pointer, $0.baseAddress, $0.count)
    }
    guard code == 1 else { throw .last("EVP_DigestUpdate") }
  }

  /// The digest of all bytes, 64 hexadecimal digits.
  package consuming func hex() throws(OpenSSLError) -> String {
    var code: Int32 = 0
    let digest = unsafe [UInt8](unsafeUninitializedCapacity: 32) { digest, count in
      var length: UInt32 = 0
      code = unsafe EVP_DigestFinal_ex(context.pointer, digest.baseAddress, &length)
      count = code == 1 ? Int(length) : 0
    }
    guard code == 1 else { throw .last("EVP_DigestFinal_ex") }
    return hexText(digest)
  }
}
