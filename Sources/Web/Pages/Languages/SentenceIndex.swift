import Markup

/// The English sentences that come with reports, alerts and checks, which pages show in the reader's language.
///
/// What is below the pages writes English, as commands and files have it. A page finds the message that a sentence was made
/// from by its words: what is between them becomes the arguments. `tools/text --check` compares both English texts.
struct SentenceIndex: Sendable {
  /// A message with one form for each of its plurals.
  private struct Pattern: Sendable {
    let number: Int
    /// The words before each capture, and those behind the last one.
    let words: [[UInt8]]
    /// Which argument each capture is, and whether it has to be a number.
    let captures: [(argument: Int, isNumber: Bool)]
    /// How many letters have to agree.
    let weight: Int

    init(_ number: Int, _ variant: Variant) {
      self.number = number
      (words, captures) = variant
      weight = words.reduce(0) { $0 + $1.count }
    }

    /// Whether a capture is in quotes, and so a name from outside.
    func isQuoted(_ capture: Int) -> Bool {
      SentenceIndex.quotes.contains {
        words[capture].suffix($0.count).elementsEqual($0) && words[capture + 1].starts(with: $0)
      }
    }
  }

  /// Patterns by the letter that a text of them begins with, or else ends with, each list in the order of all.
  ///
  /// A page looks hundreds of texts up, and few of a thousand patterns can be what one was made from.
  private struct Places {
    private var byFirst: [UInt8: [Int]] = [:]
    private var byLast: [UInt8: [Int]] = [:]
    private var others: [Int] = []

    mutating func add(_ pattern: Pattern, at place: Int) {
      if let first = pattern.words.first?.first {
        byFirst[first, default: []].append(place)
      } else if let last = pattern.words.last?.last {
        byLast[last, default: []].append(place)
      } else {
        others.append(place)
      }
    }

    /// The places of those that a text can be of, the first first.
    func fitting(_ text: [UInt8]) -> [Int] {
      guard let first = text.first, let last = text.last else { return [] }
      return ((byFirst[first] ?? []) + (byLast[last] ?? []) + others).sorted()
    }
  }

  /// What a sentence was made from.
  struct Found {
    let number: Int
    /// The texts of the arguments, by their places; `nil` for one that the form does not show.
    let arguments: [(text: String, kind: Kind)?]

    enum Kind {
      case number, phrase
      /// What people or networks wrote, which no language changes.
      case name
    }
  }

  /// Quotes as they are and as markup has them.
  private static let quotes = ["'", "\"", "`", "&#39;", "&quot;"].map { Array($0.utf8) }

  static let shared = SentenceIndex()

  private var exact: [String: Int] = [:]
  /// The one with the most letters first.
  private var patterns: [Pattern] = []
  private var places = Places()

  private init() {
    let table = TextTable.of(.english)
    for number in TextTables.sentences { add(number, table) }
    // A word that pages have too is the same word.
    for number in 0..<TextTables.sentences.lowerBound {
      let range = table.message(number)
      guard !table.bytes[range].contains(where: { $0 <= TextTable.Mark.close }) else { continue }
      let words = table.words(range)
      if exact[words] == nil { exact[words] = number }
    }
    patterns.sort { $0.weight > $1.weight }
    for (place, pattern) in patterns.enumerated() { places.add(pattern, at: place) }
  }

  private mutating func add(_ number: Int, _ table: TextTable) {
    for variant in Self.variants(table.bytes[table.message(number)]) {
      guard !variant.captures.isEmpty else {
        exact[String(decoding: variant.words[0], as: UTF8.self)] = number
        continue
      }
      patterns.append(Pattern(number, variant))
    }
  }

  private typealias Variant = (words: [[UInt8]], captures: [(argument: Int, isNumber: Bool)])

  /// The ways that a message can be written: one for each choice of its forms.
  private static func variants(_ bytes: ArraySlice<UInt8>) -> [Variant] {
    var found: [Variant] = [([[]], [])]
    var place = bytes.startIndex
    while place < bytes.endIndex {
      switch bytes[place] {
      case TextTable.Mark.argument, TextTable.Mark.number:
        let isNumber = bytes[place] == TextTable.Mark.number
        let argument = Int(bytes[place + 1]) - 0x30
        found = found.map { ($0.words + [[]], $0.captures + [(argument, isNumber)]) }
        place += 2
      case TextTable.Mark.plural:
        let argument = Int(bytes[place + 1]) - 0x30
        let (forms, end) = forms(bytes, from: place + 2)
        found = found.flatMap { before in
          forms.flatMap { variants($0) }.map { joined(before, $0, number: argument) }
        }
        place = end
      default:
        found = found.map { variant in
          var variant = variant
          variant.words[variant.words.count - 1].append(bytes[place])
          return variant
        }
        place += 1
      }
    }
    return found
  }

  private static func joined(_ before: Variant, _ form: Variant, number: Int) -> Variant {
    var words = before.words
    words[words.count - 1] += form.words[0]
    return (
      words + form.words.dropFirst(),
      before.captures + form.captures.map { ($0.argument, $0.isNumber || $0.argument == number) }
    )
  }

  /// The forms of a plural, and the place behind its end.
  private static func forms(
    _ bytes: ArraySlice<UInt8>, from start: Int
  ) -> (forms: [ArraySlice<UInt8>], end: Int) {
    var forms: [ArraySlice<UInt8>] = []
    var (place, depth, begin) = (start, 0, start)
    while place < bytes.endIndex {
      switch bytes[place] {
      case TextTable.Mark.plural:
        depth += 1
        place += 1
      case TextTable.Mark.argument, TextTable.Mark.number: place += 1
      case TextTable.Mark.form where depth == 0:
        if begin > start { forms.append(bytes[begin..<place]) }
        begin = place + 2
        place += 1
      case TextTable.Mark.form: place += 1
      case TextTable.Mark.close where depth == 0:
        forms.append(bytes[begin..<place])
        return (forms, place + 1)
      case TextTable.Mark.close: depth -= 1
      default: break
      }
      place += 1
    }
    return (forms, place)
  }

  // MARK: Finding

  /// The message that an escaped sentence was made from; `nil` where there is none.
  func found(_ sentence: String) -> Found? {
    if let number = exact[sentence] { return Found(number: number, arguments: []) }
    let bytes = Array(sentence.utf8)
    for place in places.fitting(bytes) {
      let pattern = patterns[place]
      // A few words in a long text are there by chance.
      guard pattern.weight >= 30 || pattern.weight * 9 >= bytes.count,
        let ranges = Self.match(pattern, bytes)
      else { continue }
      var arguments: [(text: String, kind: Found.Kind)?] = []
      for (index, (capture, range)) in zip(pattern.captures, ranges).enumerated() {
        while arguments.count <= capture.argument { arguments.append(nil) }
        arguments[capture.argument] = (
          String(decoding: bytes[range], as: UTF8.self),
          capture.isNumber ? .number : pattern.isQuoted(index) ? .name : .phrase
        )
      }
      return Found(number: pattern.number, arguments: arguments)
    }
    return nil
  }

  /// How many places of a text are compared with a pattern at most: a text from outside can fit its words in many ways.
  private static let mostPlaces = 20_000

  /// What each capture takes of a text; the first ones take as little as they can.
  private static func match(_ pattern: Pattern, _ text: [UInt8]) -> [Range<Int>]? {
    guard let first = pattern.words.first, let last = pattern.words.last,
      text.count >= pattern.weight, text.starts(with: first), text.suffix(last.count).elementsEqual(last)
    else { return nil }
    var ranges: [Range<Int>] = []
    var left = Self.mostPlaces
    func go(_ capture: Int, _ start: Int) -> Bool {
      let words = pattern.words[capture + 1]
      if capture == pattern.captures.count - 1 {
        let end = text.count - words.count
        guard start <= end, fits(pattern.captures[capture].isNumber, text[start..<end]) else { return false }
        ranges.append(start..<end)
        return true
      }
      // Of captures without words between them, each but the first can be empty, and begins with what parts phrases.
      if words.isEmpty {
        let isFirst = !pattern.words[capture].isEmpty || capture == 0
        let end =
          isFirst || mark(text, at: start) ? next(text, after: start) ?? text.count - last.count : start
        if end >= start, fits(pattern.captures[capture].isNumber, text[start..<end]) {
          ranges.append(start..<end)
          if go(capture + 1, end) { return true }
          ranges.removeLast()
        }
      }
      var end = start
      while end + words.count <= text.count, left > 0 {
        left -= 1
        if text[end..<end + words.count].elementsEqual(words),
          fits(pattern.captures[capture].isNumber, text[start..<end])
        {
          ranges.append(start..<end)
          if go(capture + 1, end + words.count) { return true }
          ranges.removeLast()
        }
        end += 1
      }
      return false
    }
    return go(0, first.count) ? ranges : nil
  }

  /// What parts the phrases of a text.
  private static let marks = [", ", "; ", ": ", " ("].map { Array($0.utf8) }

  private static func mark(_ text: [UInt8], at place: Int) -> Bool {
    marks.contains { text[place...].starts(with: $0) }
  }

  /// The place of the next mark.
  private static func next(_ text: [UInt8], after place: Int) -> Int? {
    (place + 1..<max(place + 1, text.count)).first { mark(text, at: $0) }
  }

  private static func fits(_ isNumber: Bool, _ text: ArraySlice<UInt8>) -> Bool {
    !isNumber || !text.isEmpty && text.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ",") }
  }
}
