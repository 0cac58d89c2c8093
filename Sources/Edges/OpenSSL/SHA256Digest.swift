import COpenSSL
import Values

/// The SHA-256 digest of some bytes.
public struct SHA256Digest: Hashable, Sendable {
  /// The 32 bytes of the digest.
  public let bytes: [UInt8]

  /// Digests `message`.
  ///
  /// The C function is `EVP_Digest`; `SHA256` searches OpenSSL's providers each time.
  public init(of message: [UInt8]) {
    bytes = unsafe [UInt8](unsafeUninitializedCapacity: 32) { digest, count in
      unsafe message.withUnsafeBufferPointer { message in
        let (start, length) = (message.baseAddress, message.count)
        if unsafe EVP_Digest(start, length, digest.baseAddress, nil, sha256.method, nil) != 1 {
          _ = unsafe SHA256(start, length, digest.baseAddress)
        }
      }
      count = 32
    }
  }

  /// Takes over a digest that is written in hexadecimal; nil where the text is not 64 digits.
  public init?(hex text: String) {
    let digits = text.compactMap { $0.isASCII ? $0.hexDigitValue : nil }
    guard digits.count == 64, text.utf8.count == 64 else { return nil }
    bytes = stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  /// Lower-case hexadecimal, 64 letters.
  public var hex: String { hexText(bytes) }
}

/// OpenSSL's SHA-256, found once; without a method, `EVP_Digest` fails.
private let sha256 = Method()

/// `@unchecked Sendable`: OpenSSL only reads a method.
@safe private final class Method: @unchecked Sendable {
  let method: OpaquePointer?

  init() { unsafe method = EVP_MD_fetch(nil, "SHA256", nil) }

  deinit { unsafe EVP_MD_free(method) }
}

/// Fresh bytes from OpenSSL's random generator, for keys and salts.
///
/// - Throws: ``OpenSSLError`` when the generator has no entropy.
public func randomBytes(_ count: Int) throws(OpenSSLError) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: count)
  let code = unsafe bytes.withUnsafeMutableBufferPointer {
    unsafe RAND_bytes($0.baseAddress, Int32($0.count))
  }
  guard code == 1 else { throw .last("RAND_bytes") }
  return bytes
}
