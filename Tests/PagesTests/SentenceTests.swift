import Pages
import Testing

struct `Sentences of reports on pages` {
  @Test func `A sentence is found by its words, whatever is between them`() {
    let english =
      "The last copy of the database is from 2026-11-21T10:00:00Z, 40.5 hours ago; the maximum is 26 hours."
    let texts = Texts(.accented)
    let shown = texts.sentence(english).text
    #expect(shown.contains("2026-11-21T10:00:00Z") && shown.contains("40.5"))
    #expect(!shown.contains("hours") && !shown.contains("copy") && !shown.contains("maximum"))
    #expect(Texts(.english).sentence(english).text == english)
  }

  @Test func `The number of a sentence chooses the form`() {
    let texts = Texts(.accented)
    #expect(texts.phrase("1 other relay is behind too.").text.contains("ŕéļàýîš") == false)
    #expect(!texts.phrase("1 other relay is behind too.").text.contains("other"))
    #expect(texts.phrase("2,000 other relays are behind too.").text.contains("2,000"))
  }

  @Test func `Code stays code, and a sentence that no text has stays as it is`() {
    let texts = Texts(.accented)
    let shown = texts.sentence("Delete old bodies with `skan prune`, or raise the limit.").text
    #expect(shown.contains("<code>skan prune</code>") && !shown.contains("bodies"))
    #expect(texts.sentence("Nothing has <these> words.").text == "Nothing has &lt;these&gt; words.")
  }

  @Test func `A text from outside costs no more than a few looks, however many parts it has`() {
    let name = String(repeating: "a, b; c: d. ", count: 2_000)
    #expect(Texts(.accented).phrase(name).text == name)
    let short = String(name.prefix(1_800))
    #expect(Texts(.accented).phrase(short).text == short)
  }

  @Test func `A name in quotes stays as people wrote it, also where it is a phrase of ours`() {
    let shown = Texts(.accented).sentence("did you mean 'all withheld'?").text
    #expect(shown.contains("all withheld") && !shown.contains("mean"), "\(shown)")
  }

  @Test func `Names in a sentence from right to left keep their own direction`() {
    let shown = Texts(.arabic).sentence("acme: 12 postbacks since 2026-11-21, 100 are needed.").text
    #expect(shown.contains("&#x2068;acme&#x2069;"))
  }

  @Test func `Every coarse rule for developers is translated, however long its condition is`() {
    let shown = Texts(.accented).sentence(
      "Coarse value of window 2, by what happened in this window: low: the revenue of all events is from 0 to below 0.8 USD; "
        + "high: the revenue of all events is from 9.5 to below 140 USD, and lock the window. The highest that holds applies."
    ).text
    #expect(!shown.contains("revenue") && !shown.contains("low:") && !shown.contains("high:"), "\(shown)")
  }

  /// What values mean, as the comparison of two mappings and the map of values show it.
  @Test(arguments: [
    "installed: every user, from the first launch on",
    "every user, from the first launch on; counts as 0 USD",
    "Kauf: at least one “purchase” with revenue from 1 to below 5 USD in all; counts as 3 USD",
    "at least one “purchase” with revenue from 100 USD in all",
    "at least one “purchase” with revenue above 0 to below 5 USD in all",
    "at least one “purchase” with revenue up to 20 USD in all", "at least 2 “purchase”; no “refund”",
    "exactly 3 “purchase”; counts as 12 EUR", "2 to 4 “purchase”",
    "any number of “purchase” with revenue from 1 USD in all",
    "the revenue of all events is from 0 to below 0.8 USD; counts as 0.4 USD",
    "the revenue of all events is up to 20 USD", "the revenue of all events is above 0 USD",
    "the newest event is 24 h or more and less than 48 h after the start; at least one “level”; counts as 2 USD",
    "Erste: at least one “purchase”; or Zweite: at least 5 “level”",
  ])
  func `What a value means is translated as a whole, and no word of it twice`(english: String) {
    let shown = Texts(.accented).phrase(english).text
    // Names of people's own are in quotes or before a colon.
    let own = ["installed", "Kauf", "purchase", "refund", "level", "Erste", "Zweite", "USD", "EUR", "quot"]
    let words = shown.replacing(/&#?[a-z0-9]+;/, with: "").split { !($0.isASCII && $0.isLetter) }.map(
      String.init)
    #expect(words.filter { $0.count > 2 && !own.contains($0) }.isEmpty, "\(shown)")
    for language in [Language.german, .spanish, .japanese, .chinese, .arabic] {
      let text = Texts(language).phrase(english).text
      #expect(!text.contains("from") && !text.contains(" the ") && !text.contains("  "), "\(text)")
    }
  }

  /// Sentences whose messages have arguments without words between them.
  @Test(arguments: [
    "Revenue fell by 421.13 USD (46 %), 90 % interval −663.54 to −178.72: number of conversions −110.09, withheld values −22.45, worth of users −244.23.",
    "Revenue rose by 421.13 USD (46 %), 90 % interval 63.54 to 678.72; no single cause is sure.",
    "US lookalike 2 % on Northstar Ads: return 0.71 within 48 hours (90 % interval 0.65 to 0.80), surely below 1; spend 1,035 USD.",
    "DE on Northstar Ads: return 1.19 within window 1 (90 % interval 1.17 to 1.22), surely above 1; spend 147.72 USD, without days that lack spend or installs.",
  ])
  func `Every part of a sentence is translated, and its currency stays beside its amount`(english: String) {
    let own = ["USD", "lookalike", "Northstar", "Ads", "purchase", "refund"]
    let shown = Texts(.accented).sentence(english).text
    let words = shown.replacing(/&#?[a-z0-9]+;/, with: "").split { !($0.isASCII && $0.isLetter) }.map(
      String.init)
    #expect(words.filter { $0.count > 2 && !own.contains($0) }.isEmpty, "\(shown)")
    for language in [Language.german, .spanish, .japanese, .chinese, .arabic] {
      let text = Texts(language).sentence(english).text
      #expect(!text.contains("  ") && !text.contains("within") && !text.contains("interval "), "\(text)")
      #expect(text.firstMatch(of: /[A-Za-z]USD/) == nil, "\(text)")
    }
  }

  @Test func `What a test of patterns found is translated inside of its alert`() {
    let shown = Texts(.accented).sentence(
      "acme: by view-share from 2026-11-01 through 2026-11-28, 43 % of installs are by views, where 12 % would be with the "
        + "change of other networks; chance and differences between networks do so in fewer than 0.01 % of cases."
    ).text
    #expect(shown.contains("43") && shown.contains("acme"))
    #expect(!shown.contains("installs") && !shown.contains("chance") && !shown.contains("fewer"), "\(shown)")
  }

  @Test func `Names of columns in an error are code`() {
    let shown = Texts(.german).sentence(
      "there is no column 'x' here; use one of `app`, `network`, `installs`, or another member of a row of --format json."
    ).text
    #expect(shown.contains("<code>app</code>, <code>network</code>, <code>installs</code>"), "\(shown)")
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
