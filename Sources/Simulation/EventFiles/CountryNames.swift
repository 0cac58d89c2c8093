import Simulation

/// The codes of countries by their English names.
///
/// `countries.tsv` has a code and its names in each line: those of tzdata's `iso3166.tab`, those of ISO 3166-1 and
/// of CLDR where they differ, and `XK`, which Apple uses for Kosovo.
enum CountryNames {
  private static let codes: [String: String] = {
    var codes: [String: String] = [:]
    for line in String(decoding: PackageResources.countries_tsv, as: UTF8.self).split(separator: "\n") {
      let texts = line.split(separator: "\t").map(String.init)
      for text in texts { codes[text.lowercased()] = texts[0] }
    }
    return codes
  }()

  /// The two capital letters of a country by its code or its English name in any case; `nil` where it is neither.
  static func code(of text: String) -> String? {
    // Any two capital letters count, as a code may be newer than the list.
    UserOrigin.isCode(text) ? text : codes[text.lowercased()]
  }
}
