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
    // base64 of "me:" and of "x" before it, in hexadecimal, in HTML, escaped twice.
    "bWU6YWIvQytkMS1lZjM=", "eGFiL0MrZDEtZWYz", "YWE6YWIvQytkMS1lZjM6", "61622f432b64312d656633",
    "&#97;&#98;/&#67;+&#100;1-e&#102;&#51;",
    "&#x61;&#x62;&#x2f;&#x43;&#x2b;&#x64;&#x31;&#x2D;&#x65;&#x66;&#x33;",
    "ab&#47;C&#43;d1-ef3", "%2561%2562%252fC%252bd1-ef3", #"\x61\x62/\x43+d1-ef3"#,
    "&amp;#97;&amp;#98;&amp;#67;d1ef3",
    "a%20word", "%77%6Frd", "w&#111;rd",
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

  @Test(arguments: [
    "?!;&<\u{FC}>", "?!;&amp;&lt;\u{FC}&gt;", "%3F%21%3B%26%3C%C3%BC%3E", #"\u003f!;\u0026\u003C\u00fc>"#,
  ])
  func `A secret without letters and digits of ASCII is found as well`(text: String) {
    var secrets = SecretTexts()
    secrets.add("?!;&<\u{FC}>")
    #expect(secrets.areRepeated(in: "the key \(text) is old".utf8) || secrets.redacted(text) == "***")
    #expect(!secrets.shown("the key \(text) is old".utf8, atMost: 200).contains("\u{FC}"))
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
