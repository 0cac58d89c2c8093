import Arguments
import Pages

extension TypedOption where Value == Language {
  /// The language of texts for people.
  static func language(_ help: String) -> Self {
    .choice("--language", "CODE", among: Language.offered, help, default: .english)
  }
}
