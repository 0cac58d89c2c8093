package import Markup

extension Language {
  /// The language for a page that is made below the pages.
  package var pageLanguage: PageLanguage {
    let texts = Texts(self)
    let numbers = NumberStyle(self)
    let hasSpaces = self != .japanese && self != .chinese
    return PageLanguage(
      code: rawValue, direction: direction, space: hasSpaces ? " " : "",
      phrase: { texts.say(phrase: $0) }, number: { numbers.local($0) })
  }
}
