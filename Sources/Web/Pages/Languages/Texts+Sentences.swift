package import Markup
import Values

extension Texts {
  /// An English sentence of a report, an alert or a check in this language, with what is between backticks as code.
  ///
  /// A sentence that no text has stays English.
  package func sentence(_ english: String) -> HTML {
    language == .english ? .prose(english) : .prose(markup: translated("\(english)" as HTML, depth: 0))
  }

  /// The same of a word or phrase inside a label, which can hold no element.
  package func phrase(_ english: String) -> HTML {
    language == .english ? "\(english)" : translated("\(english)" as HTML, depth: 0)
  }

  /// An English sentence that is markup already.
  func markup(_ english: HTML) -> HTML { .prose(markup: translated(english, depth: 0)) }

  private static let mostDepth = 6

  private func translated(_ english: HTML, depth: Int) -> HTML {
    known(english, depth: depth) ?? parts(of: english, depth: depth) ?? english
  }

  /// The translation of a sentence that is a message; `nil` for another one.
  private func known(_ english: HTML, depth: Int) -> HTML? {
    guard depth < Self.mostDepth,
      let found = SentenceIndex.shared.found(english.text)
        ?? SentenceIndex.shared.found(Self.lowered(english.text))
    else { return nil }
    return say(
      found.number,
      found.arguments.map { argument in
        guard let argument else { return .piece("") }
        if argument.isNumber, let number = Int(argument.text.filter { $0 != "," }) { return .number(number) }
        return .piece(piece(argument.text, depth: depth + 1))
      })
  }

  /// A phrase that begins a sentence as it is inside of one.
  private static func lowered(_ text: String) -> String { text.prefix(1).lowercased() + text.dropFirst() }

  /// What an argument shows: a phrase in this language, a number as it writes it, or a name as it is.
  private func piece(_ text: String, depth: Int) -> HTML {
    if let day = NumberStyle(language).day(english: text) { return "\(day)" }
    if NumberStyle.isNumber(text) { return HTML(stringLiteral: NumberStyle(language).local(text)) }
    let trimmed = text.drop { $0 == " " }
    let markup = HTML(stringLiteral: String(trimmed))
    let space: HTML = trimmed.count < text.count ? " " : ""
    if let found = known(markup, depth: depth) ?? parts(of: markup, depth: depth) {
      return "\(space)\(found)"
    }
    // A name keeps its own direction.
    return language.direction == "rtl" ? "\(space)&#x2068;\(markup)&#x2069;" : "\(space)\(markup)"
  }

  /// The translation of a text that is several messages, with what separates them; `nil` where none of them is one.
  private func parts(of english: HTML, depth: Int) -> HTML? {
    guard depth < Self.mostDepth else { return nil }
    return sentences(of: english, depth: depth) ?? listed(english, depth: depth)
      ?? phrases(of: english, depth: depth)
      ?? unended(english, depth: depth)
  }

  /// Several sentences one after the other.
  private func sentences(of english: HTML, depth: Int) -> HTML? {
    let all = english.text.split(separator: ". ").map(String.init)
    guard all.count > 1 else { return nil }
    var hasFound = false
    let translated = all.enumerated().map { place, text -> HTML in
      let sentence = HTML(stringLiteral: place < all.count - 1 ? text + "." : text)
      guard let found = known(sentence, depth: depth + 1) ?? parts(of: sentence, depth: depth + 1) else {
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
  private func listed(_ english: HTML, depth: Int) -> HTML? {
    let all = english.text.split(separator: ", ").map(String.init)
    guard all.count > 2 else { return nil }
    var translated: [HTML] = []
    for text in all {
      guard let found = known(HTML(stringLiteral: text), depth: depth + 1) else { return nil }
      translated.append(found)
    }
    return list(translated)
  }

  /// A phrase and what follows it.
  private func phrases(of english: HTML, depth: Int) -> HTML? {
    for separator in ["; ", ": ", ", "] {
      guard let place = english.text.firstRange(of: separator) else { continue }
      let first = HTML(stringLiteral: String(english.text[..<place.lowerBound]))
      let rest = HTML(stringLiteral: String(english.text[place.upperBound...]))
      let before =
        known(first, depth: depth + 1) ?? (separator == "; " ? parts(of: first, depth: depth + 1) : nil)
      // In a list of names and codes a word by chance is no phrase of ours.
      let kept = separator == ", " ? nil : before.map { _ in rest }
      guard let after = known(rest, depth: depth + 1) ?? parts(of: rest, depth: depth + 1) ?? kept
      else { continue }
      return "\(before ?? first)\(HTML(stringLiteral: separator))\(after)"
    }
    return nil
  }

  /// A phrase that ends as a sentence does.
  private func unended(_ english: HTML, depth: Int) -> HTML? {
    guard english.text.hasSuffix("."),
      let found = known(HTML(stringLiteral: String(english.text.dropLast())), depth: depth + 1)
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
