/// The words of a command line, sorted into options and the rest.
package struct ParsedArguments: Equatable, Sendable {
  /// The texts given for each option, in order; a switch has `true` or `false`.
  package private(set) var options: [String: [String]] = [:]
  package private(set) var positionals: [String] = []
  /// Whether help was asked for; then nothing else is checked.
  package private(set) var wantsHelp = false

  /// Sorts and checks the words after the command's path.
  ///
  /// `--option value` and `--option=value` are the same, `--` ends the options, and `-` is a word like any other.
  ///
  /// - Parameters:
  ///   - program: The name of the program, for messages.
  /// - Throws: ``UsageError`` on the first word that is wrong.
  package init(_ words: [String], for command: Command, of program: String) throws(UsageError) {
    let reader = WordReader(command: command, helpLine: "\(program) \(command.name) --help")
    if reader.asksForHelp(words) {
      wantsHelp = true
      return
    }
    var rest = words[...]
    var areOptionsOver = false
    while let word = rest.popFirst() {
      if !areOptionsOver, word == "--" {
        areOptionsOver = true
      } else if !areOptionsOver, word.hasPrefix("-"), word != "-" {
        let (option, text) = try reader.option(word, rest: &rest)
        if !option.isRepeatable, option.placeholder != nil, let before = options[option.name]?.first {
          throw reader.error("The option '\(option.name)' was given twice: '\(before)' and '\(text)'.")
        }
        // Of a switch and its opposite the last one counts.
        options[option.name] = option.isRepeatable ? options[option.name, default: []] + [text] : [text]
      } else {
        positionals.append(word)
      }
    }
    try reader.check(positionals)
  }

  /// The text of a setting on the command line, or else in the environment; for those that name where others are.
  package func text(of option: Option, environment: [String: String]) -> String? {
    options[option.name]?.last
      ?? option.environmentName.flatMap { environment[$0] }.flatMap { $0.isEmpty ? nil : $0 }
  }
}

private struct WordReader {
  let command: Command
  let helpLine: String

  func error(_ problem: String, hint: String? = nil) -> UsageError {
    UsageError(problem, hint: hint, see: helpLine)
  }

  /// Whether help is asked for before any `--`, even beside mistakes.
  func asksForHelp(_ words: [String]) -> Bool {
    words.prefix { $0 != "--" }.contains { word in
      Option.help.spellings.contains(word) && command.options.contains(.help)
    }
  }

  /// Reads an option, and the next word where it holds the value.
  func option(_ word: String, rest: inout ArraySlice<String>) throws(UsageError) -> (Option, String) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let name = parts[0]
    guard let option = command.options.first(where: { $0.spellings.contains(name) }) else {
      // One letter is near to everything, so short forms are neither guessed nor offered.
      let longNames = command.options.flatMap(\.spellings).filter { $0.hasPrefix("--") }
      let hint = name.hasPrefix("--") ? UsageError.suggestion(name, among: longNames) : nil
      throw error("There is no option '\(name)'.", hint: hint)
    }
    guard option.placeholder != nil else {
      guard parts.count == 1 else { throw error("The option '\(name)' takes no value, found '\(parts[1])'.") }
      return (option, name == option.negatedName ? "false" : "true")
    }
    let text: String
    if parts.count == 2 {
      text = parts[1]
    } else if let next = rest.first, !next.hasPrefix("--"), !isOption(next) {
      text = rest.removeFirst()
    } else {
      throw error("The option '\(name)' needs a value: \(option.kind.expectation).")
    }
    for part in option.parts(of: text) where !option.allows(part) {
      throw .value(part, of: "'\(name)'", isNot: option.kind, see: helpLine)
    }
    return (option, text)
  }

  private func isOption(_ word: String) -> Bool { command.options.contains { $0.spellings.contains(word) } }

  func check(_ words: [String]) throws(UsageError) {
    for (index, positional) in command.positionals.enumerated()
    where positional.isRequired && index >= words.count {
      throw error("The \(positional.placeholder) is missing: \(positional.summary)")
    }
    for (index, word) in words.enumerated() {
      let last = command.positionals.last.flatMap { $0.isRepeatable ? $0 : nil }
      guard let positional = index < command.positionals.count ? command.positionals[index] : last else {
        throw error("Unexpected argument '\(word)'.")
      }
      guard positional.kind.allows(word) else {
        throw .value(word, of: positional.placeholder, isNot: positional.kind, see: helpLine)
      }
    }
  }
}
