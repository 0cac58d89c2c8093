import Testing
import Values

struct `Text of an address` {
  @Test(arguments: [
    ("", ""), ("aZ09-._~", "aZ09-._~"), ("a b&c=d", "a%20b%26c%3Dd"), ("ü/1,2", "%C3%BC%2F1%2C2"),
    ("100%", "100%25"),
  ])
  func `Text of an address escapes all but letters, digits and four marks, and is read back`(
    text: String, encoded: String
  ) {
    #expect(percentEncoded(text) == encoded)
    #expect(percentDecoded(encoded.utf8) == text)
  }

  @Test func `Text of an address keeps the marks that are given`() {
    #expect(percentEncoded("/a b,c", keeping: ",/") == "/a%20b,c")
  }

  @Test(arguments: ["%", "%4", "%4x", "%x4", "%FF", "a%C3"])
  func `Text of an address with a broken escape, or that is no UTF-8, is none`(text: String) {
    #expect(percentDecoded(text.utf8) == nil)
  }

  @Test func `Text of an address has a plus for a space`() {
    #expect(percentDecoded("a+b%2Bc".utf8) == "a b+c")
  }
}
