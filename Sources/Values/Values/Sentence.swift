/// What people read: its English, and what another language needs for the same.
///
/// A sentence is never read back. Commands, files and logs print ``english``; a page finds the words of its language by
/// ``key`` and puts the arguments into them. The build finds every literal and ends where a language lacks it.
///
/// ```swift
/// notes.append(Sentence("\(grouped: undated) values came while no mapping was in force"))
/// notes.append(Sentence("network \(name: network) sent nothing for \(hours, "hour")"))
/// ```
public struct Sentence: Hashable, Sendable, CustomStringConvertible {
  /// The English words with `{}` in the place of each argument, in which a counted noun is in its plural.
  public let key: String
  /// In the order of their places in ``key``.
  public let arguments: [Argument]
  public let english: String
  /// What pages show in its place: one sentence, or none; `nil` where it is the same.
  private var ofPages: [Sentence]?

  public enum Argument: Hashable, Sendable {
    /// A whole number, which decides the form of the words beside it; `isGrouped` where English sets thousands apart.
    case count(Int64, isGrouped: Bool)
    /// A number that a function of this module wrote, such as `1,234.50` or `12.3 %`.
    case number(String)
    case day(Day)
    case sentence(Sentence)
    /// A name or code, which is the same in all languages.
    case name(String)
  }

  public init(_ words: Words) {
    (key, arguments, english) = (words.key, words.arguments, words.english)
  }

  /// A sentence that was stored, perhaps by a program with other texts; pages then show its ``english``.
  package init(key: String, arguments: [Argument], english: String) {
    (self.key, self.arguments, self.english) = (key, arguments, english)
  }

  /// The same for people who know pages and no commands, columns or files; `nil` where they need nothing of it.
  public func onPages(_ sentence: Sentence?) -> Sentence {
    var copy = self
    copy.ofPages = sentence.map { [$0] } ?? []
    return copy
  }

  /// What pages show of it; `nil` for nothing.
  public var forPages: Sentence? { ofPages.map(\.first) ?? self }

  /// Sentences or phrases one after the other, with a mark such as `; ` between them.
  public static func joined(_ sentences: [Sentence], by mark: String) -> Sentence {
    var words = Words()
    for (place, sentence) in sentences.enumerated() {
      if place > 0 { words.append(mark) }
      words.append(.sentence(sentence), sentence.english)
    }
    return Sentence(words)
  }

  /// Phrases of which one holds: `a or b or c`.
  public static func either(_ phrases: [Sentence]) -> Sentence {
    guard let first = phrases.first else { return joined([], by: "") }
    return phrases.dropFirst().reduce(first) { Sentence("\($0) or \($1)") }
  }

  /// What a literal can have in the place of a name that is known later, such as the currency of a column.
  private static let hole = "{}"

  /// The sentence with a name in each place that was left open.
  public func filled(_ name: String) -> Sentence {
    var words = Words()
    words.key = key
    words.arguments = arguments.map { $0 == .name(Self.hole) ? .name(name) : $0 }
    words.english = english.replacing(Self.hole, with: name)
    return Sentence(words)
  }

  /// A name or code alone.
  public init(name: String) {
    var words = Words()
    words.append(.name(name), printable(name))
    self.init(words)
  }

  public var description: String { english }
}

extension Sentence {
  /// The words of a sentence while it is put together; literals can be joined by `+`.
  public struct Words: ExpressibleByStringInterpolation, Sendable {
    fileprivate var key = ""
    fileprivate var arguments: [Argument] = []
    fileprivate var english = ""

    public init() {}
    public init(stringLiteral literal: String) { append(literal) }
    public init(stringInterpolation: Interpolation) { self = stringInterpolation.words }

    public static func + (first: Self, second: Self) -> Self {
      var words = first
      words.key += second.key
      words.arguments += second.arguments
      words.english += second.english
      return words
    }

    fileprivate mutating func append(_ literal: String) {
      key += literal
      english += literal
      for _ in literal.ranges(of: Sentence.hole) { arguments.append(.name(Sentence.hole)) }
    }

    fileprivate mutating func append(_ argument: Argument, _ shown: String) {
      key += "{}"
      arguments.append(argument)
      english += shown
    }
  }

  /// What can be put into a sentence: a text has a label for what it is, because no language has words for what it does not know.
  public struct Interpolation: StringInterpolationProtocol {
    fileprivate var words = Words()

    public init(literalCapacity: Int, interpolationCount: Int) {
      words.english.reserveCapacity(literalCapacity + interpolationCount * 8)
      words.key.reserveCapacity(literalCapacity + interpolationCount * 2)
    }

    public mutating func appendLiteral(_ literal: String) { words.append(literal) }

    /// A whole number without marks between its thousands.
    public mutating func appendInterpolation(_ count: some BinaryInteger) {
      words.append(.count(Int64(clamping: count), isGrouped: false), "\(count)")
    }

    /// A whole number with its thousands set apart.
    public mutating func appendInterpolation(grouped count: some BinaryInteger) {
      words.append(.count(Int64(clamping: count), isGrouped: true), Values.grouped(count))
    }

    /// A count with its noun: `1 row`, `2,000 rows`.
    public mutating func appendInterpolation(_ count: some BinaryInteger, _ noun: String) {
      appendInterpolation(count, one: "# \(noun)", other: "# \(noun)s")
    }

    /// Words that depend on a count, which is in the place of `#` if anywhere: `one: "# day is", other: "# days are"`.
    public mutating func appendInterpolation(_ count: some BinaryInteger, one: String, other: String) {
      words.key += other.contains("#") ? other.replacing("#", with: "{}") : "{}" + other
      words.arguments.append(.count(Int64(clamping: count), isGrouped: true))
      words.english += (count == 1 ? one : other).replacing("#", with: Values.grouped(count))
    }

    /// A number that ``fixed(_:_:)``, ``trimmed(_:_:)``, ``percent(_:_:)`` or the like wrote.
    public mutating func appendInterpolation(number: String) { words.append(.number(number), number) }

    public mutating func appendInterpolation(_ amount: Amount) { appendInterpolation(number: "\(amount)") }
    public mutating func appendInterpolation(_ currency: CurrencyCode) {
      appendInterpolation(code: currency)
    }
    public mutating func appendInterpolation(_ day: Day) { appendInterpolation(code: day) }
    public mutating func appendInterpolation(_ moment: Instant) { appendInterpolation(code: moment) }

    /// A day as people write it, such as `12 Nov` or `12 Nov 2026`.
    public mutating func appendInterpolation(words day: Day) {
      words.append(.day(day), day.words(hasYear: true))
    }

    public mutating func appendInterpolation(_ sentence: Sentence) {
      words.append(.sentence(sentence), sentence.english)
    }

    /// A phrase that is inside of a sentence elsewhere and begins this one.
    package mutating func appendInterpolation(beginning sentence: Sentence) {
      words.append(
        .sentence(sentence), sentence.english.prefix(1).uppercased() + sentence.english.dropFirst())
    }

    /// What people or other systems wrote, without letters that move the text around.
    public mutating func appendInterpolation(name: String) {
      words.append(.name(name), printable(name))
    }

    /// A code of ours, such as the name of an option, a column or a file's member.
    public mutating func appendInterpolation(code: some CustomStringConvertible) {
      words.append(.name(code.description), code.description)
    }
  }
}
