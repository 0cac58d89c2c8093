/// HMAC with SHA-256, which shows that somebody who knows a secret wrote a message.
///
/// Source: RFC 2104; RFC 4231 for its test vectors.
public enum HMACSHA256 {
  /// Returns the 32 bytes of a message's code.
  public static func code(for message: [UInt8], key: [UInt8]) -> [UInt8] {
    let block = 64
    let short = key.count > block ? SHA256Digest(of: key).bytes : key
    let padded = short + [UInt8](repeating: 0, count: block - short.count)
    let inner = SHA256Digest(of: padded.map { $0 ^ 0x36 } + message)
    return SHA256Digest(of: padded.map { $0 ^ 0x5C } + inner.bytes).bytes
  }
}
