/// How texts for people are worded that are on no page, for example those of a notice: in English, or in a language.
package struct Wording: Sendable {
  /// The code of the language, as HTML has it.
  package let language: String
  /// Whether its letters go from right to left.
  package let isRightToLeft: Bool
  /// Makes plain text of a sentence.
  package let say: @Sendable (Sentence) -> String

  package init(
    language: String, isRightToLeft: Bool = false, say: @escaping @Sendable (Sentence) -> String
  ) {
    (self.language, self.isRightToLeft, self.say) = (language, isRightToLeft, say)
  }

  package static let english = Wording(language: "en") { $0.english }
}
