package import Markup
package import Values

extension Texts {
  /// A sentence of a report, an alert or a check in this language, with what is between backticks as code.
  package func say(_ sentence: Sentence) -> HTML {
    let sentence = sentence.forPages ?? sentence
    return .prose(markup: language == .english ? "\(sentence.english)" : message(of: sentence))
  }

  /// The same of a word or phrase inside a label, which can hold no element.
  package func say(phrase: Sentence) -> HTML {
    language == .english ? "\(phrase.english)" : message(of: phrase)
  }

  private func message(of sentence: Sentence) -> HTML {
    guard let found = SentenceKeys.shared[sentence.key] else { return unknown(sentence) }
    var arguments = [Argument](repeating: .piece(""), count: found.places.count)
    for (place, argument) in zip(found.places, sentence.arguments) {
      while arguments.count <= place { arguments.append(.piece("")) }
      arguments[place] = self.argument(argument)
    }
    return say(found.number, arguments)
  }

  private func argument(_ argument: Sentence.Argument) -> Argument {
    switch argument {
    case .count(let count, let isGrouped): .number(Int(clamping: count), isGrouped: isGrouped)
    case .number(let number): .piece("\(NumberStyle(language).local(number))")
    case .day(let day): .piece("\(NumberStyle(language).day(day, hasYear: true))")
    case .sentence(let sentence): .piece(message(of: sentence))
    case .name(let name): .piece(Self.isolated(name, in: language))
    }
  }

  /// A name, which keeps its own direction.
  private static func isolated(_ name: String, in language: Language) -> HTML {
    language.direction == "rtl" ? "&#x2068;\(name)&#x2069;" : "\(name)"
  }

  /// What has no words of its own, such as a list; one of a program with other texts is English.
  private func unknown(_ sentence: Sentence) -> HTML {
    guard !sentence.key.contains(where: \.isLetter) else { return "\(sentence.english)" }
    var rest = sentence.key[...]
    var markup: HTML = ""
    var wasSentence = false
    for argument in sentence.arguments {
      guard let hole = rest.firstRange(of: "{}") else { break }
      let isSentence = if case .sentence = argument { true } else { false }
      markup += mark(rest[..<hole.lowerBound], betweenSentences: wasSentence && isSentence)
      wasSentence = isSentence
      switch self.argument(argument) {
      case .piece(let piece): markup += piece
      case .number(let number, let isGrouped):
        markup += isGrouped ? "\(NumberStyle(language).grouped(Int64(number)))" : "\(number)"
      }
      rest = rest[hole.upperBound...]
    }
    markup += mark(rest, betweenSentences: false)
    return markup
  }

  /// A mark between sentences or phrases, as this language has it.
  private func mark(_ text: Substring, betweenSentences: Bool) -> HTML {
    let isSpaceless = language == .japanese || language == .chinese
    switch text {
    case ", ": return separator
    case " " where isSpaceless && betweenSentences: return ""
    case "." where isSpaceless: return "。"
    default: return "\(String(text))"
    }
  }
}

/// The messages that sentences are looked up by.
private struct SentenceKeys: Sendable {
  static let shared = SentenceKeys()

  private var found: [String: (number: Int, places: [Int])] = [:]

  private init() {
    let entries = TextTables.keys.utf8.split(separator: TextTable.Mark.end)
    for (number, entry) in zip(TextTables.sentences, entries) {
      guard let end = entry.lastIndex(of: TextTable.Mark.argument) else { continue }
      let places = entry[entry.index(after: end)...].map { Int($0) - 0x30 }
      found[String(decoding: entry[..<end], as: UTF8.self)] = (number, places)
    }
  }

  subscript(key: String) -> (number: Int, places: [Int])? { found[key] }
}
