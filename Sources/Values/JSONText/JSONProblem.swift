package import Values

/// What is wrong with one value of a JSON document that people write, or with a member of it.
///
/// The reader decides what becomes of it: ``JSONFile`` stops at the first, a checker collects all of them.
public struct JSONProblem: Error, Equatable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The value is of another type than the one that belongs there.
    case wrongType(expected: Sentence)
    case emptyText
    case outOfRange(ClosedRange<Int64>, found: Sentence)
    case amount(Amount.Defect)
    case unknownWord(String, known: [String])
    /// ISO 4217 lists no such currency.
    case unknownCurrency(String)
    case invalidDate(String)
    case tooMany(Int, most: Int)
    /// The object may not have the member of that name.
    case unknownMember(String, of: String, known: [String], meant: String?)
    case missingMember(String, of: String)
    /// Something that only this document's reader knows of, as the words behind the value's path.
    case other(String)
  }

  package let kind: Kind
  /// The first byte of the value, or of the member's name.
  public let offset: Int
  public let path: JSONPath
  public let found: JSONType
  package let cure: Sentence?

  private static func article(_ name: String) -> String {
    name.first.map { "aeio".contains($0) } == true ? "an" : "a"
  }

  static func words(_ range: ClosedRange<Int64>) -> Sentence {
    range == .min...(.max)
      ? Sentence("a whole number")
      : Sentence("a whole number from \(range.lowerBound) to \(range.upperBound)")
  }

  /// The words behind the value's path or name, such as `must be an array, found a string`.
  package var predicate: Sentence {
    switch kind {
    case .wrongType(let expected): Sentence("must be \(expected), found \(found.words)")
    case .emptyText: Sentence("is empty")
    case .outOfRange(let range, let number): Sentence("must be \(Self.words(range)), found \(number)")
    case .amount(let defect): Sentence("must be an amount: \(defect.sentence)")
    case .unknownWord(let word, let known):
      Sentence("must be one of \(code: known.joined(separator: ", ")), found \(name: quoted(word))")
    case .unknownCurrency(let code):
      Sentence("must be a code of ISO 4217, such as \"USD\", found \(name: quoted(code))")
    case .invalidDate(let text): Sentence("must be RFC 3339 text or a date, found \(name: quoted(text))")
    case .tooMany(let count, let most): Sentence("has \(count) elements; the maximum is \(most)")
    // Files of the command line alone have these.
    case .unknownMember(let name, let words, _, _):
      Sentence("\(code: "is unknown: \(words) has no member \(quoted(name))")")
    case .missingMember(let name, _): Sentence("\(code: "needs \(Self.article(name)) \(quoted(name))")")
    case .other(let words): Sentence("\(code: words)")
    }
  }
}
