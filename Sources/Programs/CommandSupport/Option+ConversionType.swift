package import Arguments
package import Postbacks

extension Option {
  /// The conversion type, by Apple's words.
  package static func conversionType(
    _ summary: String, default word: ConversionType? = nil, defaultNote: String? = nil
  ) -> Option {
    .value(
      "--conversion-type", "TYPE", .choice(ConversionType.allCases.map(\.rawValue)), summary,
      defaultNote: defaultNote, default: word?.rawValue)
  }
}

extension Invocation {
  /// The conversion type that `--conversion-type` names; `nil` where it is not given and has no default.
  package var conversionType: ConversionType? {
    settings.text("--conversion-type").flatMap(ConversionType.init)
  }
}
