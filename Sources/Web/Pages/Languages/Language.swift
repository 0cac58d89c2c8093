import Routing

/// A language that pages can have.
package enum Language: String, CaseIterable, Sendable {
  case english = "en"
  case german = "de"
  case spanish = "es"
  case japanese = "ja"
  case chinese = "zh-Hans"
  case arabic = "ar"
  /// English with accents and a third longer, which shows texts that are cut off or not in the file of texts.
  case accented = "en-XA"
  /// English from right to left, which shows layouts that assume a direction.
  case mirrored = "en-XB"

  /// The languages that people choose from; the others are for tests.
  package static let offered: [Language] = [.english, .german, .spanish, .japanese, .chinese, .arabic]

  /// What it calls itself.
  package var ownName: String {
    switch self {
    case .english: "English"
    case .german: "Deutsch"
    case .spanish: "Español"
    case .japanese: "日本語"
    case .chinese: "简体中文"
    case .arabic: "العربية"
    case .accented: "Accented English"
    case .mirrored: "Mirrored English"
    }
  }

  /// The direction of its script, as HTML names it.
  package var direction: String { self == .mirrored || self == .arabic ? "rtl" : "ltr" }

  /// The language that a page is being made in, for numbers and days.
  @TaskLocal package static var ofPage = Language.english

  /// The first one that is known: of the address, of the cookie, of the browser; else English.
  static func chosen(query: String?, cookie: String?, accepted: String?) -> Language {
    for word in [query, cookie] {
      if let word, let language = Language(rawValue: word) { return language }
    }
    return preferred(accepted ?? "") ?? .english
  }

  /// The offered language that a browser likes best; `nil` where it likes none.
  ///
  /// Source: RFC 9110, section 12.5.4; of ranges with one quality the first counts.
  private static func preferred(_ accepted: String) -> Language? {
    let list = String(decoding: accepted.utf8.prefix(ContentChoice.mostBytes), as: UTF8.self)
    let ranges = list.lowercased().split(separator: ",").compactMap { entry -> (String, Double)? in
      let parts = entry.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
      guard let range = parts.first else { return nil }
      let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
      return (range, quality)
    }
    var best: (language: Language, quality: Double)?
    for (range, quality) in ranges where quality > best?.quality ?? 0 {
      if let language = language(ofRange: range) { best = (language, quality) }
    }
    return best?.language
  }

  /// The offered language of a range such as `de-AT`, `zh-CN` or `*`.
  private static func language(ofRange range: String) -> Language? {
    if range == "*" { return .english }
    let parts = range.split(separator: "-")
    // Readers of traditional Chinese are not served by simplified letters.
    if parts.first == "zh", parts.contains(where: { ["hant", "tw", "hk", "mo"].contains($0) }) { return nil }
    return offered.first { $0.rawValue.prefix { $0 != "-" } == parts.first ?? "" }
  }
}
