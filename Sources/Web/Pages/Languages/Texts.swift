import Markup
import Values

/// All sentences and words of the pages in one language.
///
/// The functions are generated from `Text/en.json`, one for each message: a message that is missing, or an argument that
/// is wrong, does not compile. Arguments are pieces of markup, so names from outside are escaped where they become one.
package struct Texts: Sendable {
  package let language: Language

  package init(_ language: Language) { self.language = language }

  enum Part {
    case words(String)
    case piece(HTML)
    case number(Int)
  }

  /// The parts of a message in this language.
  func say(_ parts: [Part]) -> HTML {
    var message: HTML = ""
    var letters = 0
    for part in parts {
      switch part {
      case .words(let words):
        letters += words.unicodeScalars.count
        message += spelled(words)
      case .piece(let piece): message += piece
      case .number(let number): message += "\(grouped(number))"
      }
    }
    guard language == .accented else { return message }
    // Other languages need about a third more room than English.
    let padding = String(repeating: "·", count: (letters + 2) / 3)
    return "⟦\(message)\(padding)⟧"
  }

  /// The form of a message for a number.
  ///
  /// Source: Unicode CLDR, "Language Plural Rules", English.
  func plural(_ count: Int, one: [Part], other: [Part]) -> [Part] { count == 1 ? one : other }

  private func spelled(_ words: String) -> HTML {
    switch language {
    case .english: "\(words)"
    case .accented:
      "\(String(String.UnicodeScalarView(words.unicodeScalars.map { Self.accents[$0] ?? $0 })))"
    // U+202E turns the letters round, as those of a script from right to left would be, until U+202C. Both are entities,
    // because text from outside must not have them.
    case .mirrored: "&#x202E;\(words)&#x202C;"
    }
  }

  private static let accents: [Unicode.Scalar: Unicode.Scalar] = Dictionary(
    uniqueKeysWithValues: zip(
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".unicodeScalars,
      "àƀçđéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýžÀƁÇĐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽ".unicodeScalars))
}
