import JSONText
import Testing

struct `Secret texts` {
  private let secrets: SecretTexts = {
    var secrets = SecretTexts()
    secrets.add("geheim 1/2")
    secrets.add("geheim 1/2 \"longer\"")
    return secrets
  }()

  @Test(arguments: [
    ("a geheim 1/2 b", "a *** b"), ("geheim%201%2F2", "***"), ("geheim 1/2 \"longer\"", "***"),
    (#"{"a":"geheim 1/2 \"longer\""}"#, #"{"a":"***"}"#), ("nothing", "nothing"),
  ])
  func `Secret texts are masked, the longest first, also in addresses and in JSON`(
    text: String, shown: String
  ) {
    #expect(secrets.redacted(text) == shown)
    #expect(secrets.shown(Array(text.utf8), atMost: 200) == shown)
  }

  @Test func `Secret texts in another encoding leave nothing of what they are in`() {
    #expect(secrets.shown(Array("a geheim+1%2f2 b".utf8), atMost: 200).isEmpty)
    #expect(secrets.shown(Array("a\n\tb  c\u{1B}[31m".utf8), atMost: 6) == "a b c\\")
    // What arrived ends within a secret.
    #expect(secrets.shown(Array("a geheim".utf8), atMost: 200) == "a ***")
    #expect(secrets.shown(Array("a geheim 1/2 \"lon".utf8), atMost: 200) == "a *** \"lon")
    #expect(SecretTexts().shown(Array("geheim".utf8), atMost: 3) == "geh")
  }
}
