package import Values

/// How a page that is made below the floor of pages writes sentences and numbers in its language.
///
/// ```swift
/// let heading: HTML = "<h2>\(language.phrase(Sentence("Delay of postbacks")))</h2>"
/// ```
package struct PageLanguage: Sendable {
  /// The attributes of the element `html`, beginning with a space.
  package let attributes: HTML
  /// What is between two sentences of a paragraph.
  private let space: HTML
  /// A sentence without elements, for labels and drawings.
  package let phrase: @Sendable (Sentence) -> HTML
  /// A number that is alone, such as `1,234.50` or `12.3 %`.
  package let number: @Sendable (String) -> String

  /// - Parameters:
  ///   - code: The language as HTML names it.
  ///   - direction: The direction of its script as HTML names it.
  package init(
    code: String, direction: String, space: HTML = " ",
    phrase: @escaping @Sendable (Sentence) -> HTML, number: @escaping @Sendable (String) -> String
  ) {
    attributes = " lang=\"\(code)\"\(direction == "ltr" ? "" : " dir=\"\(direction)\"" as HTML)"
    (self.space, self.phrase, self.number) = (space, phrase, number)
  }

  package static let english = PageLanguage(
    code: "en", direction: "ltr", phrase: { "\($0.english)" }, number: { $0 })

  /// A sentence, with what is between backticks as code.
  package func say(_ sentence: Sentence) -> HTML { .prose(markup: phrase(sentence)) }

  /// Sentences one after the other.
  package func say(_ sentences: [Sentence]) -> HTML {
    sentences.enumerated().reduce(into: "") { text, sentence in
      if sentence.offset > 0 { text += space }
      text += say(sentence.element)
    }
  }
}
