/// A language that pages can have.
package enum Language: String, CaseIterable, Sendable {
  case english = "en"
  /// English with accents and a third longer, which shows texts that are cut off or not in the file of texts.
  case accented = "en-XA"
  /// English from right to left, which shows layouts that assume a direction.
  case mirrored = "en-XB"

  /// The languages that people choose from; the others are for tests.
  package static let offered: [Language] = [.english]

  /// What it calls itself.
  package var ownName: String {
    switch self {
    case .english: "English"
    case .accented: "Accented English"
    case .mirrored: "Mirrored English"
    }
  }

  /// The direction of its script, as HTML names it.
  package var direction: String { self == .mirrored ? "rtl" : "ltr" }

  /// The first one that is known: of the address, of the cookie, of the browser; else English.
  static func chosen(query: String?, cookie: String?, accepted: String?) -> Language {
    for word in [query, cookie] {
      if let word, let language = Language(rawValue: word) { return language }
    }
    let words = (accepted ?? "").split(separator: ",").map { $0.prefix { $0 != ";" && $0 != "-" } }
    return offered.first { language in words.contains { $0.drop { $0 == " " } == language.rawValue } }
      ?? .english
  }
}
