public import Values

/// What is wrong with one value of a JSON document that people write, or with a member of it.
///
/// The reader decides what becomes of it: ``JSONFile`` stops at the first, a checker collects all of them.
public struct JSONProblem: Error, Equatable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// The value is of another type than the one that belongs there.
    case wrongType(expected: String)
    case emptyText
    case outOfRange(ClosedRange<Int64>, found: String)
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

  public let kind: Kind
  /// The first byte of the value, or of the member's name.
  public let offset: Int
  public let path: JSONPath
  public let found: JSONType
  public let cure: String?

  private static func article(_ name: String) -> String {
    name.first.map { "aeio".contains($0) } == true ? "an" : "a"
  }

  static func words(_ range: ClosedRange<Int64>) -> String {
    range == .min...(.max)
      ? "a whole number" : "a whole number from \(range.lowerBound) to \(range.upperBound)"
  }

  /// The words behind the value's path or name, such as `must be an array, found a string`.
  public var predicate: String {
    switch kind {
    case .wrongType(let expected): "must be \(expected), found \(found.rawValue)"
    case .emptyText: "is empty"
    case .outOfRange(let range, let number):
      "must be \(Self.words(range)), found \(number)"
    case .amount(let defect): "must be an amount: \(defect.sentence)"
    case .unknownWord(let word, let known):
      "must be one of \(known.joined(separator: ", ")), found \(quoted(word))"
    case .unknownCurrency(let code):
      "must be a code of ISO 4217, such as \"USD\", found \(quoted(code))"
    case .invalidDate(let text): "must be RFC 3339 text or a date, found \(quoted(text))"
    case .tooMany(let count, let most): "has \(count) elements; the maximum is \(most)"
    case .unknownMember(let name, let words, _, _): "is unknown: \(words) has no member \(quoted(name))"
    case .missingMember(let name, _): "needs \(Self.article(name)) \(quoted(name))"
    case .other(let words): words
    }
  }
}
