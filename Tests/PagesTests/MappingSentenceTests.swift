import MappingFormats
import Mappings
import Pages
import Postbacks
import Testing
import Values

struct `Sentences of mappings on pages` {
  private static let languages = [Language.german, .spanish, .japanese, .chinese, .arabic]

  private func mapping(_ rules: String) throws -> Mapping {
    let text =
      #"{"name":"t","app":1,"currency":"USD","effective-from":"2026-11-01","protocol":"aak",\#(rules)}"#
    return try #require(MappingDocument.read(Array(text.utf8)).document?.mapping)
  }

  /// The words that are left of English, besides names of people's own.
  private func english(_ sentence: Sentence, besides own: [String]) -> [String] {
    let shown = Texts(.accented).say(sentence).text.replacing(/&#?[a-z0-9]+;/, with: "")
    return shown.split { !($0.isASCII && $0.isLetter) }.map(String.init).filter {
      $0.count > 2 && !own.contains($0)
    }
  }

  @Test func `Every rule for developers is translated, however long its condition is`() throws {
    let mapping = try mapping(
      #"""
      "raise-only":true,"fine":[{"value":1,"events":[{"name":"level","count":{"min":2,"max":4}},"buy"],"coarse":"low"},
        {"value":2,"revenue":{"from":1,"to":5},"conversion-types":["install"],"lock":true},
        {"value":3,"revenue":{"from":5},"conversion-types":["install"],"lock":true},
        {"value":4,"active-hours":{"from":24,"to":48}}],
      "coarse":[{"window":2,"totals":"window","low":{"revenue":{"from":0,"to":0.8}},
        "high":{"revenue":{"from":9.5,"to":140},"lock":true}},{"window":3,"medium":{"events":["buy"]}}]
      """#)
    #expect(mapping.rulesInWords.count > 6)
    for rule in mapping.rulesInWords {
      #expect(english(rule, besides: ["level", "buy", "USD", "low", "medium", "high"]).isEmpty, "\(rule)")
      for language in Self.languages {
        let text = Texts(language).say(rule).text
        #expect(!text.contains("revenue") && !text.contains("window") && !text.contains("  "), "\(text)")
      }
    }
    for test in mapping.handoverCases {
      #expect(english(test.text, besides: ["level", "buy", "purchase", "USD"]).isEmpty)
    }
  }

  /// What values mean, as the comparison of two mappings and the map of values show it.
  @Test(arguments: [
    (#"{"value":1,"label":"installed"}"#, "installed: every user, from the first launch on"),
    (
      #"{"value":1,"label":"any user","events":[{"name":"purchase","revenue":{"from":1,"to":5}}]}"#,
      "any user: at least one “purchase” with revenue from 1 to below 5 USD in all; counts as 3 USD"
    ),
    (
      #"{"value":1,"events":[{"name":"purchase","revenue":{"to":20,"includes-to":true,"representative":4}}]}"#,
      "at least one “purchase” with revenue up to 20 USD in all; counts as 4 USD"
    ),
    (
      #"{"value":1,"events":[{"name":"purchase","count":{"min":2}},{"name":"refund","count":{"min":0,"max":0}}]}"#,
      "at least 2 “purchase”; no “refund”"
    ),
    (#"{"value":1,"events":[{"name":"purchase","count":{"min":3,"max":3}}]}"#, "exactly 3 “purchase”"),
    (#"{"value":1,"events":[{"name":"purchase","count":{"min":2,"max":4}}]}"#, "2 to 4 “purchase”"),
    (#"{"value":1,"events":[{"name":"purchase","count":{"min":0}}]}"#, "any number of “purchase”"),
    (
      #"{"value":1,"revenue":{"from":0,"includes-from":false}}"#,
      "the revenue of all events is above 0 USD; counts as 0 USD"
    ),
    (
      #"{"value":1,"active-hours":{"from":24,"to":48},"events":["purchase"],"conversion-types":["install"]}"#,
      "for installs; the newest event is 24 h or more and less than 48 h after the start; at least one “purchase”"
    ),
    (
      #"{"value":1,"label":"Kauf","events":["purchase"]},{"value":1,"events":["refund"]}"#,
      "Kauf: at least one “purchase”; or at least one “refund”"
    ),
  ])
  func `What a value means is translated as a whole, and no name of people's own`(
    rules: String, words: String
  ) throws {
    let value = try #require(FineValue(1))
    let meaning = try mapping("\"fine\":[\(rules)]").decode(value)
    #expect(meaning.words.english == words)
    let own = ["installed", "any", "user", "Kauf", "purchase", "refund", "USD"]
    for sentence in [meaning.words, meaning.line] {
      #expect(english(sentence, besides: own).isEmpty, "\(sentence)")
    }
    for language in Self.languages {
      let text = Texts(language).say(phrase: meaning.words).text
      #expect(!text.contains("from") && !text.contains(" the ") && !text.contains("  "), "\(text)")
      if words.hasPrefix("any user") { #expect(text.contains("any user"), "\(text)") }
    }
  }

  @Test func `What a check finds in a mapping is translated with its cure`() throws {
    let text = #"""
      {"name":"t","app":"id7","currency":"EURO","effective-from":"soon","protocol":"skan5","fin":[],"fine":[{"value":true,
      "revenue":{"from":"1,5"},"events":[{"nam":"a"}],"label":""},{"value":64,"active-hours":{"from":5,"to":5}}],"grids":"x"}
      """#
    let findings = MappingDocument.read(Array(text.utf8)).findings
    #expect(findings.count > 8)
    let own = [
      "EURO", "soon", "skan", "aak", "fine", "fin", "nam", "name", "app", "USD", "EUR", "Euro", "from", "T",
    ]
    for finding in findings {
      #expect(english(finding.sentence, besides: own).isEmpty, "\(finding)")
      if let hint = finding.hint { #expect(english(hint, besides: own).isEmpty, "\(hint)") }
    }
  }

  @Test func `What an export of a mapping loses is translated`() throws {
    let mapping = try mapping(
      #"""
      "fine":[{"value":1,"label":"whales","events":[{"name":"buy","count":{"min":2,"max":4},"revenue":{"from":1,"to":5}}],
        "lock":true,"priority":3,"active-hours":{"from":0,"to":24}},{"value":2,"revenue":{"from":1}}],
      "coarse":[{"window":2,"totals":"window","high":{"events":["buy"]}}]
      """#)
    var count = 0
    let own = [
      "buy", "low", "Meta", "Google", "Ads", "Analytics", "AppsFlyer", "Branch", "Airbridge", "Tenjin", "App",
      "Reporting", "Pack", "high", "medium",
    ]
    for format in MappingFormat.allCases {
      let context = ExportContext(cap: Amount(micros: 9_000_000), revenueEvent: "buy")
      for remark in (try? format.export(mapping, context))?.remarks ?? [] {
        count += 1
        #expect(english(remark.sentence, besides: own).isEmpty, "\(remark.sentence)")
      }
    }
    #expect(count > 40)
  }
}
