import Values

extension Sentence {
  /// `a and b and c`; `nil` without any.
  static func all(of parts: [Sentence]) -> Sentence? {
    guard let last = parts.last else { return nil }
    return parts.dropLast().reversed().reduce(last) { rest, part in Sentence("\(part) and \(rest)") }
  }
}
