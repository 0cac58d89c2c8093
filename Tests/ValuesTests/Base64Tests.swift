import Testing
import Values

struct `Strict base64` {
  @Test(
    arguments: [
      ("", []), ("AA==", [0]), ("AAA=", [0, 0]), ("AAAA", [0, 0, 0]), ("+/+/", [0xFB, 0xFF, 0xBF]),
      ("/w==", [0xFF]),
    ] as [(String, [UInt8])])
  func `Strict base64 reads its own output`(text: String, bytes: [UInt8]) {
    #expect(Base64.decode(Array(text.utf8)) == bytes)
    #expect(Base64.encode(bytes) == Array(text.utf8))
  }

  @Test(arguments: [
    "A", "AA", "AAA", "AA=", "A===", "====", "AB==", "AAB=", "AA==\n", " AA==", "AA= =", "A A=", "-_-_",
    "AA==AA==",
    "AA==A", "=AAA", "A=AA", "AAA\u{0}", "AAÄ", "\nAAA", "AAAA\n\n\n\n",
  ])
  func `Strict base64 rejects any second spelling`(text: String) {
    #expect(Base64.decode(Array(text.utf8)) == nil)
  }

  @Test(
    arguments: [
      ("", []), ("AA", [0]), ("AAA", [0, 0]), ("AAAA", [0, 0, 0]), ("-_-_", [0xFB, 0xFF, 0xBF]),
      ("_w", [0xFF]),
    ] as [(String, [UInt8])])
  func `Strict base64 reads the URL alphabet without padding`(text: String, bytes: [UInt8]) {
    #expect(Base64.decodeURL(Array(text.utf8)) == bytes)
    #expect(Base64.encodeURL(bytes) == Array(text.utf8))
  }

  @Test(arguments: ["A", "AAAAA", "AA==", "AAA=", "+/+/", "AB", "AAB", "AA\n", " AA", "A.", "AA AA"])
  func `Strict base64 rejects any second spelling in the URL alphabet`(text: String) {
    #expect(Base64.decodeURL(Array(text.utf8)) == nil)
  }

  @Test func `Strict base64 reads back bytes of every length`() {
    for count in 0..<200 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
      #expect(Base64.decode(Base64.encode(bytes)) == bytes)
      #expect(Base64.decodeURL(Base64.encodeURL(bytes)) == bytes)
    }
  }
}
