package import Markup
import Values

/// All sentences and words of the pages in one language.
///
/// The functions are generated from `Text/en.json`, one for each message: a message that is missing, or an argument that
/// is wrong, does not compile. Arguments are pieces of markup, so names from outside are escaped where they become one.
package struct Texts: Sendable {
  package let language: Language
  private let table: TextTable

  package init(_ language: Language) {
    self.language = language
    table = TextTable.of(language)
  }

  /// What is put into a message.
  enum Argument {
    case piece(HTML)
    case number(Int, isGrouped: Bool = true)
  }

  /// A message in this language.
  func say(_ number: Int, _ arguments: [Argument] = []) -> HTML {
    var writer = Writer(language: language, table: table, arguments: arguments)
    writer.write(table.message(number))
    guard language == .accented else { return writer.message }
    // Other languages need about a third more room than English.
    let padding = String(repeating: "·", count: (writer.letters + 2) / 3)
    return "⟦\(writer.message)\(padding)⟧"
  }

  /// Things one after the other, as the language separates them.
  package func list(_ things: [HTML]) -> HTML {
    things.enumerated().reduce(into: "") { list, thing in
      if thing.offset > 0 { list += separator }
      list += thing.element
    }
  }

  /// What is between the things of a list.
  var separator: HTML {
    switch language {
    case .japanese, .chinese: "、"
    case .arabic: "، "
    default: ", "
    }
  }
}

/// Puts a message together.
private struct Writer {
  let language: Language
  let table: TextTable
  let arguments: [Texts.Argument]
  var message: HTML = ""
  /// Letters that are not of arguments.
  var letters = 0

  mutating func write(_ range: Range<Int>) {
    var place = range.lowerBound
    while place < range.upperBound {
      switch table.bytes[place] {
      case TextTable.Mark.argument, TextTable.Mark.number:
        write(argument: place + 1)
        place += 2
      case TextTable.Mark.plural: place = write(plural: place)
      default:
        var end = place
        while end < range.upperBound, table.bytes[end] > TextTable.Mark.close { end += 1 }
        write(words: table.words(place..<end))
        place = max(end, place + 1)
      }
    }
  }

  private func argument(at place: Int) -> Texts.Argument? {
    let index = Int(table.bytes[place]) - 0x30
    return arguments.indices.contains(index) ? arguments[index] : nil
  }

  private mutating func write(argument place: Int) {
    switch argument(at: place) {
    case .piece(let piece): message += piece
    case .number(let number, let isGrouped):
      message += isGrouped ? "\(NumberStyle(language).grouped(Int64(number)))" : "\(number)"
    case nil: break
    }
  }

  /// Writes the form for the number, and returns where the plural ends.
  private mutating func write(plural start: Int) -> Int {
    let number: Int = if case .number(let number, _)? = argument(at: start + 1) { number } else { 0 }
    let wanted = language.category(of: number).rawValue
    var form: Range<Int>?
    var place = start + 2
    while place < table.bytes.count, table.bytes[place] == TextTable.Mark.form {
      let end = self.end(ofForm: place + 2)
      // The last form is that of all other numbers.
      if table.bytes[place + 1] == wanted || form == nil && table.bytes[end] == TextTable.Mark.close {
        form = place + 2..<end
      }
      place = end
    }
    if let form { write(form) }
    return place + 1
  }

  /// Where a form's words end: at the next form or the end of the plural, not those of a plural inside.
  private func end(ofForm start: Int) -> Int {
    var place = start
    var depth = 0
    while place < table.bytes.count {
      switch table.bytes[place] {
      case TextTable.Mark.plural:
        depth += 1
        place += 1
      case TextTable.Mark.close:
        if depth == 0 { return place }
        depth -= 1
      case TextTable.Mark.form:
        if depth == 0 { return place }
        place += 1
      case TextTable.Mark.argument, TextTable.Mark.number: place += 1
      default: break
      }
      place += 1
    }
    return place
  }

  /// Writes words that are escaped already.
  private mutating func write(words: String) {
    letters += words.unicodeScalars.count
    switch language {
    case .accented: message += HTML(stringLiteral: Self.accented(words))
    // U+202E turns the letters round, as those of a script from right to left would be, until U+202C. Both are entities,
    // because text from outside must not have them.
    case .mirrored: message += "&#x202E;\(HTML(stringLiteral: words))&#x202C;"
    default: message += HTML(stringLiteral: words)
    }
  }

  /// The words with accents on all letters but those of entities and of code.
  private static func accented(_ words: String) -> String {
    var isKept = false
    var isCode = false
    var result = String.UnicodeScalarView()
    for letter in words.unicodeScalars {
      if letter == "&" { isKept = true }
      if letter == "`" { isCode.toggle() }
      result.append(isKept || isCode ? letter : accents[letter] ?? letter)
      if letter == ";" { isKept = false }
    }
    return String(result)
  }

  private static let accents: [Unicode.Scalar: Unicode.Scalar] = Dictionary(
    uniqueKeysWithValues: zip(
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".unicodeScalars,
      "àƀçđéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýžÀƁÇĐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽ".unicodeScalars))
}
