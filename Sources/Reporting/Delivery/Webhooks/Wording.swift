/// How the texts for people in a notice are worded: in English, or as a translation has them.
package struct Wording: Sendable {
  /// Makes a sentence or phrase of an English one.
  package let sentence: @Sendable (String) -> String
  /// Makes a page of an English one.
  package let page: @Sendable (String) -> String

  package init(
    sentence: @escaping @Sendable (String) -> String, page: @escaping @Sendable (String) -> String
  ) {
    (self.sentence, self.page) = (sentence, page)
  }

  package static let english = Wording(sentence: { $0 }, page: { $0 })
}
