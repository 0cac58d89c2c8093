import Pages
import Testing
import Values

struct `Sentences of reports on pages` {
  @Test func `A sentence inside of another one is translated, and what is between the words stays`() throws {
    let moment = try #require(Instant("2026-11-21T10:00:00Z"))
    let state = Sentence("The last copy of the database is from \(moment)")
    let sentence = Sentence(
      "\(state), \(number: "40.5") hours ago; the maximum is \(number: "26") hours.")
    let shown = Texts(.accented).say(sentence).text
    #expect(shown.contains("2026-11-21T10:00:00Z") && shown.contains("40.5"))
    #expect(!shown.contains("hours") && !shown.contains("copy") && !shown.contains("maximum"))
    #expect(
      Texts(.english).say(sentence).text
        == "The last copy of the database is from 2026-11-21T10:00:00Z, 40.5 hours ago; the maximum is 26 hours."
    )
  }

  @Test func `The number of a sentence chooses the form`() {
    func shown(_ count: Int) -> String {
      let more = Sentence(
        "\(count, one: "# other relay is behind too.", other: "# other relays are behind too.")")
      return Texts(.accented).say(phrase: more).text
    }
    #expect(!shown(1).contains("ŕéļàýš") && shown(1).contains("ŕéļàý") && !shown(1).contains("other"))
    #expect(shown(2_000).contains("2,000") && shown(2_000).contains("ŕéļàýš"))
  }

  @Test func `A stored sentence that no text has any more is shown as its English`() {
    let stored = Sentence(
      key: "{} bodies were counted by a former release", arguments: [.count(1_200, isGrouped: true)],
      english: "1,200 bodies were counted by a former release")
    #expect(Texts(.german).say(stored).text == "1,200 bodies were counted by a former release")
  }

  @Test func `Things after each other have the marks of the language`() {
    let list = Sentence.joined([Sentence("app \(code: 7)"), Sentence(name: "acme")], by: ", ")
    let known = Texts(.japanese).say(phrase: Sentence("app \(code: 7)")).text
    #expect(Texts(.japanese).say(phrase: list).text == "\(known)、acme")
    let ended = Sentence.joined([Sentence("\(list)."), Sentence("No mapping file is rejected.")], by: " ")
    let shown = Texts(.japanese).say(ended).text
    #expect(shown.hasPrefix("\(known)、acme。") && !shown.contains(" "), "\(shown)")
  }

  @Test func `Code stays code, and a sentence that no text has stays as it is`() {
    let texts = Texts(.accented)
    let shown = texts.say(Sentence("Delete old bodies with `skan prune`, or raise the limit.")).text
    #expect(shown.contains("<code>skan prune</code>") && !shown.contains("bodies"))
    #expect(
      texts.say(Sentence(name: "Nothing has <these> words.")).text == "Nothing has &lt;these&gt; words.")
  }

  @Test func `A name in quotes stays as people wrote it, also where it is a phrase of ours`() {
    let shown = Texts(.accented).say(Sentence("did you mean '\(name: "all withheld")'?")).text
    #expect(shown.contains("all withheld") && !shown.contains("mean"), "\(shown)")
  }

  @Test func `A label stays as people wrote it, also where it is a phrase of ours`() {
    for label in ["withheld", "value {}", "no mappings; load one with `skan mapping load`"] {
      #expect(Texts(.accented).say(phrase: Sentence(name: label)).text == label)
      #expect(Sentence(name: label).english == label)
    }
  }

  @Test func `Names in a sentence from right to left keep their own direction`() {
    let sentence = Sentence(
      "\(name: "acme"): \(grouped: 12) postbacks since \(code: "2026-11-21"), \(grouped: 100) are needed.")
    let shown = Texts(.arabic).say(sentence).text
    #expect(shown.contains("&#x2068;acme&#x2069;"))
  }

  @Test func `Every part of a sentence is translated, and its currency stays beside its amount`() {
    let causes = [
      Sentence("number of conversions \(number: "−110.09")"),
      Sentence("mix of campaigns \(number: "−22.45")"),
    ]
    let sentence = Sentence(
      "Estimated revenue fell by \(Sentence("\(number: "421.13") \(code: "USD") (\(number: "46 %"))")), 90 % interval \(number: "−663.54") "
        + "to \(number: "−178.72"): \(Sentence.joined(causes, by: ", ")).")
    for language in [Language.german, .spanish, .japanese, .chinese, .arabic, .accented] {
      let text = Texts(language).say(sentence).text
      #expect(!text.contains("  ") && !text.contains("interval ") && !text.contains("campaigns"), "\(text)")
      #expect(text.firstMatch(of: /[A-Za-z]USD/) == nil, "\(text)")
    }
  }

  @Test(arguments: [
    (Language.german, "1,234.5 %", "1.234,5 %"), (.spanish, "1,234.50", "1234,50"),
    (.spanish, "12,345", "12.345"), (.japanese, "12.3 %", "12.3%"), (.english, "12.3 %", "12.3 %"),
    (.arabic, "1,234", "1,234"),
  ])
  func `Numbers are written as the language writes them`(language: Language, neutral: String, local: String) {
    #expect(NumberStyle(language).local(neutral) == local)
  }
}
