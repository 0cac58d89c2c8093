import Explanations
import Markup
import Pages

/// What a body contains and whether it is genuine, as parts of a page.
enum FactsView {
  /// The verdict in a word.
  static func badges(_ facts: ExplainedBody, _ texts: Texts) -> HTML {
    let isValid = facts.state == "valid"
    let word = isValid ? texts.postbackValid : texts.postbackNotValid(state: "\(facts.state)")
    return "<span class=\"badge \(isValid ? "good" : "bad")\">\(isValid ? "✓" : "✕") \(word)</span>"
  }

  /// Why it is not valid, and what is odd about it.
  static func reason(_ facts: ExplainedBody, _ texts: Texts) -> HTML {
    let reason: HTML = facts.reason.map { Panel.banner(texts.say($0), .bad) } ?? ""
    let warnings = facts.warnings.map { warning -> HTML in "<p class=\"note\">\(texts.say(warning))</p>" }
    return "\(reason)\(warnings.joined())"
  }

  static func panels(_ facts: ExplainedBody, _ number: Int, _ texts: Texts) -> HTML {
    guard !facts.signed.isEmpty else { return "" }
    let parts = facts.signedText.enumerated().map { index, part -> HTML in
      let separator: HTML = index == 0 ? "" : "<span class=\"sep\" aria-hidden=\"true\"> ¦ </span>"
      return "\(separator)<span>\(part)</span>"
    }
    return """
      \(Panel.section("signed-\(number)", texts.postbackSigned, list(facts.signed, texts)))\
      \(Panel.section("unsigned-\(number)", texts.postbackUnsigned, list(facts.unsigned, texts)))\
      \(Panel.section(
        "text-\(number)", texts.postbackSignedText,
        """
        <div class="bytes" tabindex="0" role="group" aria-label="\(texts.postbackSignedText)">\(parts.joined())</div>\
        <p class="hint">\(texts.postbackSeparator)</p>
        """))
      """
  }

  private static func list(_ lines: [ExplainedBody.Line], _ texts: Texts) -> HTML {
    Panel.list(
      lines.map { (texts.say(phrase: $0.fact.words), "<bdi>\(texts.say(phrase: $0.text))</bdi>") })
  }
}
