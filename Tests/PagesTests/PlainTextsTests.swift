import Pages
import Testing
import Values

struct `Sentences that are on no page` {
  @Test func `A sentence for a notice is plain text`() throws {
    let moment = try #require(Instant("2026-11-21T10:00:00Z"))
    let sentence = Sentence(
      "The mapping file '\(name: "a<b>.json")' is rejected since \(moment): \(name: "it has errors").")
    #expect(
      PlainTexts(.english).sentence(sentence)
        == "The mapping file 'a<b>.json' is rejected since 2026-11-21T10:00:00Z: it has errors.")
    let shown = PlainTexts(.accented).sentence(sentence)
    #expect(shown.contains("'a<b>.json'") && !shown.contains("&") && !shown.contains("rejected"))
  }
}
