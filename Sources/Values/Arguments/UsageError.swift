package import Values

/// A command line or setting that cannot be understood.
package struct UsageError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong: one sentence that names the word and what was expected.
  package let problem: String
  /// What may have been meant, as a sentence.
  package let hint: String?
  /// The command line that shows more.
  package let helpLine: String

  package init(_ problem: String, hint: String? = nil, see helpLine: String) {
    self.problem = problem
    self.hint = hint
    self.helpLine = helpLine
  }

  /// The problem, the hint and where to read more.
  package var description: String {
    let sentences = [problem, hint.map { $0.prefix(1).uppercased() + $0.dropFirst() }].compactMap(\.self)
    return sentences.map(Self.ended).joined(separator: " ") + "\nSee '\(helpLine)'."
  }

  /// A sentence with its full stop; problems of files and addresses have none.
  private static func ended(_ sentence: String) -> String {
    sentence.last.map { ".?!".contains($0) } ?? true ? sentence : sentence + "."
  }

  static func suggestion(_ word: String, among candidates: [String]) -> String? {
    nearest(to: word, among: candidates).map { "Did you mean '\($0)'?" }
  }

  /// A value that is not of its kind, wherever it came from.
  static func value(_ text: String, of origin: String, isNot kind: ValueKind, see helpLine: String)
    -> UsageError
  {
    guard !text.isEmpty else {
      return UsageError("The value of \(origin) is empty; it has to be \(kind.expectation).", see: helpLine)
    }
    var hint: String?
    if case .choice(let words) = kind { hint = suggestion(text, among: words) }
    return UsageError(
      "The value '\(text)' of \(origin) is not \(kind.expectation).", hint: hint, see: helpLine)
  }
}

extension UsageError: UserFacingError {
  package var exitCode: ExitCode { .usage }
}
