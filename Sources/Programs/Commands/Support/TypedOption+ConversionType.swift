import Arguments
import Postbacks

extension TypedOption<ConversionType?> {
  /// The conversion type, by Apple's words.
  static func conversionType(_ summary: String, defaultNote: String) -> Self {
    choice("--conversion-type", "TYPE", summary, defaultNote: defaultNote)
  }
}
