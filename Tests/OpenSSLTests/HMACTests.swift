import OpenSSL
import Testing
import Values

struct `HMAC-SHA256` {
  /// The cases of RFC 4231, sections 4.2 to 4.8; case 5 is cut to 128 bits.
  private static let cases: [(secret: [UInt8], message: [UInt8], code: String)] = [
    (
      Array(repeating: 0x0B, count: 20), Array("Hi There".utf8),
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      Array(repeating: 0xAA, count: 20), Array(repeating: 0xDD, count: 50),
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
    ),
    (
      Array(0x01...0x19), Array(repeating: 0xCD, count: 50),
      "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
    ),
    (
      Array(repeating: 0x0C, count: 20), Array("Test With Truncation".utf8),
      "a3b6167473100ee06e0c796c2955552b"
    ),
    (
      Array(repeating: 0xAA, count: 131),
      Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
    (
      Array(repeating: 0xAA, count: 131),
      Array(
        ("This is a test using a larger than block-size key and a larger than block-size data. The key needs to be "
          + "hashed before being used by the HMAC algorithm.").utf8),
      "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
    ),
  ]

  @Test(arguments: 0..<cases.count)
  func `HMAC-SHA256 has the values of RFC 4231`(number: Int) throws {
    let (secret, message, code) = Self.cases[number]
    #expect(hexText(try hmacSHA256(message, secret: secret)).hasPrefix(code))
  }

  @Test func `HMAC-SHA256 accepts an empty message`() throws {
    // Computed with `openssl dgst -sha256 -hmac key < /dev/null`.
    #expect(
      hexText(try hmacSHA256([], secret: Array("key".utf8)))
        == "5d5d139563c95b5967b9bd9a8c9b233a9dedb45072794cd232dc1b74832607d0")
  }

  @Test func `HMAC-SHA256 is compared over its whole length`() {
    #expect(isSame([1, 2, 3], [1, 2, 3]))
    #expect(!isSame([1, 2, 3], [1, 2, 4]))
    #expect(!isSame([1, 2, 3], [1, 2]))
    #expect(isSame([], []))
  }
}
