package import Markup
import Values

/// What one text may cost: texts that come with names from outside have as many parts as those names want.
private final class Search {
  static let mostBytes = 2000
  static let mostDepth = 6
  private var left = 64
  var isOver: Bool { left < 0 }

  /// Takes one look for a message; `false` where there were too many.
  func take() -> Bool {
    left -= 1
    return left >= 0
  }
}

extension Texts {
  /// An English sentence of a report, an alert or a check in this language, with what is between backticks as code.
  ///
  /// A sentence that no text has stays English.
  package func sentence(_ english: String) -> HTML {
    language == .english ? .prose(english) : .prose(markup: translated("\(english)" as HTML))
  }

  /// The same of a word or phrase inside a label, which can hold no element.
  package func phrase(_ english: String) -> HTML {
    language == .english ? "\(english)" : translated("\(english)" as HTML)
  }

  /// An English sentence that is markup already.
  func markup(_ english: HTML) -> HTML { .prose(markup: translated(english)) }

  private func translated(_ english: HTML) -> HTML {
    // Names in it come from outside, so that neither length nor number of parts is ours to choose.
    guard english.text.utf8.count <= Search.mostBytes else { return english }
    let search = Search()
    return known(english, search, depth: 0) ?? parts(of: english, search, depth: 0) ?? english
  }

  /// The translation of a sentence that is a message; `nil` for another one.
  private func known(_ english: HTML, _ search: Search, depth: Int) -> HTML? {
    guard depth < Search.mostDepth, search.take(),
      let found = SentenceIndex.shared.found(english.text)
        ?? SentenceIndex.shared.found(Self.lowered(english.text))
    else { return nil }
    return say(
      found.number,
      found.arguments.map { argument in
        guard let argument else { return .piece("") }
        if argument.kind == .number, let number = Int(argument.text.filter { $0 != "," }) {
          return .number(number)
        }
        if argument.kind == .name { return .piece(name(HTML(stringLiteral: argument.text))) }
        return .piece(piece(argument.text, search, depth: depth + 1))
      })
  }

  /// A phrase that begins a sentence as it is inside of one.
  private static func lowered(_ text: String) -> String { text.prefix(1).lowercased() + text.dropFirst() }

  /// What an argument shows: a phrase in this language, a number as it writes it, or a name as it is.
  private func piece(_ text: String, _ search: Search, depth: Int) -> HTML {
    if let day = NumberStyle(language).day(english: text) { return "\(day)" }
    if NumberStyle.isNumber(text) { return HTML(stringLiteral: NumberStyle(language).local(text)) }
    let trimmed = text.drop { " ,;:".contains($0) }
    let markup = HTML(stringLiteral: String(trimmed))
    let space = HTML(stringLiteral: String(text.prefix(text.count - trimmed.count)))
    if let found = listed(markup, search, depth: depth, least: 2) ?? known(markup, search, depth: depth)
      ?? parts(of: markup, search, depth: depth)
    {
      return "\(space)\(found)"
    }
    return "\(space)\(name(markup))"
  }

  /// A name, which keeps its own direction.
  private func name(_ markup: HTML) -> HTML {
    language.direction == "rtl" ? "&#x2068;\(markup)&#x2069;" : markup
  }

  /// The translation of a text that is several messages, with what separates them; `nil` where none of them is one.
  private func parts(of english: HTML, _ search: Search, depth: Int) -> HTML? {
    guard depth < Search.mostDepth, !search.isOver else { return nil }
    return sentences(of: english, search, depth: depth) ?? listed(english, search, depth: depth)
      ?? phrases(of: english, search, depth: depth)
      ?? unended(english, search, depth: depth)
  }

  /// Several sentences one after the other.
  private func sentences(of english: HTML, _ search: Search, depth: Int) -> HTML? {
    let all = english.text.split(separator: ". ").map(String.init)
    guard all.count > 1 else { return nil }
    var hasFound = false
    let translated = all.enumerated().map { place, text -> HTML in
      let sentence = HTML(stringLiteral: place < all.count - 1 ? text + "." : text)
      guard
        let found = known(sentence, search, depth: depth + 1) ?? parts(of: sentence, search, depth: depth + 1)
      else {
        return sentence
      }
      hasFound = true
      return found
    }
    let space: HTML = language == .japanese || language == .chinese ? "" : " "
    return hasFound
      ? translated.dropFirst().reduce(into: translated[0]) { $0 += "\(space)\($1)" } : nil
  }

  /// Phrases with commas between them, of which each has to be one.
  private func listed(_ english: HTML, _ search: Search, depth: Int, least: Int = 3) -> HTML? {
    let all = english.text.split(separator: ", ").map(String.init)
    guard depth < Search.mostDepth, all.count >= least else { return nil }
    var translated: [HTML] = []
    for text in all {
      guard let found = known(HTML(stringLiteral: text), search, depth: depth + 1) else { return nil }
      translated.append(found)
    }
    return list(translated)
  }

  /// A phrase and what follows it.
  private func phrases(of english: HTML, _ search: Search, depth: Int) -> HTML? {
    for separator in ["; ", ": ", ", "] {
      guard let place = english.text.firstRange(of: separator) else { continue }
      let first = HTML(stringLiteral: String(english.text[..<place.lowerBound]))
      let rest = HTML(stringLiteral: String(english.text[place.upperBound...]))
      let before =
        known(first, search, depth: depth + 1)
        ?? (separator == "; " ? parts(of: first, search, depth: depth + 1) : nil)
      // In a list of names and codes a word by chance is no phrase of ours.
      let kept = separator == ", " ? nil : before.map { _ in rest }
      guard
        let after = known(rest, search, depth: depth + 1) ?? parts(of: rest, search, depth: depth + 1) ?? kept
      else { continue }
      return "\(before ?? first)\(HTML(stringLiteral: separator))\(after)"
    }
    return nil
  }

  /// A phrase that ends as a sentence does.
  private func unended(_ english: HTML, _ search: Search, depth: Int) -> HTML? {
    guard english.text.hasSuffix("."),
      let found = known(HTML(stringLiteral: String(english.text.dropLast())), search, depth: depth + 1)
    else { return nil }
    return language == .japanese || language == .chinese ? "\(found)。" : "\(found)."
  }
}

extension Panel {
  /// Notes of a report below its table, in the language of the page.
  package static func notes(_ notes: [String], _ texts: Texts) -> HTML {
    guard !notes.isEmpty else { return "" }
    let notes = notes.map { note -> HTML in "<p class=\"note\">\(texts.sentence(note))</p>" }
    return "<div class=\"notes\">\(notes.joined())</div>"
  }
}
