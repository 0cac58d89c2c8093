import JSONText
import Testing

struct `Secret texts` {
  private let secrets: SecretTexts = {
    var secrets = SecretTexts()
    secrets.add("ab/C+d1-ef3")
    secrets.add("a b")
    secrets.add("word")
    return secrets
  }()

  @Test(arguments: [
    "key ab/C+d1-ef3 is wrong", "ab/c+d1-ef", "b/C+d1-ef3...", "ABCD1EF", "ab%2fc%2bd1%2def3",
    "ab%2FC%2Bd1-ef3",
    #"{"a":"ab\\/C+d1-ef3"}"#, #"\\u0061b/C+d1-ef3"#, "a b / C + d 1 e", "ab/C+\nd1-ef3",
    "ab/C+d1-ef3\u{301}",
    "YWIvQytkMS1lZjM=", "a word",
  ])
  func `Secret texts are found cut, escaped, in base64, in other letters and with marks in between`(
    text: String
  ) {
    #expect(secrets.areRepeated(in: text.utf8))
    #expect(!secrets.areRepeated(in: secrets.shown(text.utf8, atMost: 200).utf8))
  }

  @Test(arguments: ["", "ab/C+d", "a b c", "error code 100, see page 1"])
  func `Secret texts leave other texts as they are`(text: String) {
    #expect(!secrets.areRepeated(in: text.utf8) && secrets.shown(text.utf8, atMost: 200) == text)
  }

  @Test func `Secret texts are masked in words of this program, and what is shown has one line and an end`() {
    #expect(secrets.redacted("https://a.example/ab%2FC%2Bd1-ef3/x") == "https://a.example/***/x")
    #expect(secrets.shown("no ab/C+d1-ef3 here".utf8, atMost: 200) == "no *** here")
    #expect(secrets.shown("no AB/C+d1-ef3 here".utf8, atMost: 200).isEmpty)
    #expect(SecretTexts().shown("a\n\tb  c\u{1B}[31m".utf8, atMost: 6) == "a b c\\")
  }

  @Test func `Secret texts of a megabyte cost no more than their length`() {
    var secrets = SecretTexts()
    secrets.add(String(repeating: "t", count: 1 << 20) + "end")
    #expect(secrets.areRepeated(in: "tttend".utf8) && !secrets.areRepeated(in: "tend".utf8))
  }
}
