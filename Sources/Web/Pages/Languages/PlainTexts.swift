import Markup
package import Values

/// Sentences in a language for what is no page: notices, mails and terminals.
package struct PlainTexts: Sendable {
  private let texts: Texts

  package init(_ language: Language) { texts = Texts(language) }

  package var wording: Wording {
    Wording(language: texts.language.rawValue, isRightToLeft: texts.language.direction == "rtl") {
      sentence($0)
    }
  }

  package func sentence(_ sentence: Sentence) -> String {
    guard texts.language != .english else { return sentence.english }
    return texts.say(phrase: sentence).text.replacing("&lt;", with: "<").replacing("&gt;", with: ">")
      .replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&#x2068;", with: "\u{2068}")
      .replacing("&#x2069;", with: "\u{2069}").replacing("&amp;", with: "&")
  }
}
