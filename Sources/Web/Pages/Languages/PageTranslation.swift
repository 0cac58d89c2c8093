import Markup

/// An English page that is made below the pages, for example that of a simulation, in another language.
package struct PageTranslation: Sendable {
  private let texts: Texts

  package init(_ language: Language) { texts = Texts(language) }

  /// The attributes that people read or hear.
  private static let labels: Set<String> = ["aria-label", "title", "alt"]
  /// Elements whose text is not for people, or is a name or code.
  private static let kept: Set<String> = ["style", "script", "pre", "bdi", "code"]

  /// A sentence as plain text.
  package func sentence(_ english: String) -> String {
    guard texts.language != .english else { return english }
    return texts.phrase(english).text.replacing("&lt;", with: "<").replacing("&gt;", with: ">")
      .replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&#x2068;", with: "\u{2068}")
      .replacing("&#x2069;", with: "\u{2069}").replacing("&amp;", with: "&")
  }

  /// The page with its texts and labels in the language.
  package func page(_ english: String) -> String {
    guard texts.language != .english else { return english }
    // What is between backticks in a sentence is code in its markup.
    let source = english.replacing("<code>", with: "`").replacing("</code>", with: "`")
    var page = ""
    page.reserveCapacity(source.utf8.count)
    var rest = source[...]
    var open: String?
    while let start = rest.firstIndex(of: "<") {
      page += open == nil ? text(rest[..<start]) : String(rest[..<start])
      guard let end = rest[start...].firstIndex(of: ">") else { break }
      let tag = rest[start...end]
      let name = String(tag.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "/" })
      if open == nil, Self.kept.contains(name) { open = name } else if name == "/\(open ?? "")" { open = nil }
      page += self.tag(tag, name)
      rest = rest[source.index(after: end)...]
    }
    return page + rest
  }

  /// A text between tags, with the spaces around it.
  private func text(_ text: Substring) -> String {
    let begin = text.prefix { $0.isWhitespace }
    let inner = text.dropFirst(begin.count)
    let end = inner.reversed().prefix { $0.isWhitespace }.count
    let words = inner.dropLast(end)
    guard words.contains(where: \.isLetter) else { return String(text) }
    // Lines of the source end where there is room no more.
    let line = words.split(whereSeparator: { $0 == " " || $0.isNewline }).joined(separator: " ")
    return begin + texts.markup(HTML(stringLiteral: line)).text + inner.suffix(end)
  }

  private func tag(_ tag: Substring, _ name: String) -> String {
    if name == "html" {
      let language = texts.language
      return "<html lang=\"\(language.rawValue)\" dir=\"\(language.direction)\">"
    }
    guard Self.labels.contains(where: { tag.contains(" \($0)=\"") }) else { return String(tag) }
    var result = ""
    var rest = tag
    while let equals = rest.firstRange(of: "=\"") {
      let attribute = rest[..<equals.lowerBound].split(separator: " ").last.map(String.init) ?? ""
      let value = rest[equals.upperBound...].prefix { $0 != "\"" }
      result += rest[..<equals.upperBound]
      result +=
        Self.labels.contains(attribute)
        ? texts.markup(HTML(stringLiteral: String(value))).words.text : String(value)
      rest = rest[value.endIndex...]
    }
    return result + rest
  }
}
