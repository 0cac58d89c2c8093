extension Program {
  /// Returns the help on what a path names.
  ///
  /// - Parameters:
  ///   - path: The words of a command or group, or none for the program.
  ///   - columns: The width that lines are wrapped to; narrow terminals get 40.
  /// - Returns: Whole lines.
  package func help(on path: [String] = [], columns: Int = 80) -> String {
    let page = HelpPage(columns: max(40, min(columns, 100)))
    if let command = commands.first(where: { $0.path == path }) { return page.text(help(on: command)) }
    return page.text(path.isEmpty ? overview : help(onPrefix: path[0]))
  }

  /// Returns the commands of a group with their summaries; of whole lines.
  package func help(on group: CommandGroup, columns: Int = 80) -> String {
    HelpPage(columns: max(40, min(columns, 100))).text([
      .paragraphs(nil, [group.summary]),
      .table("Commands", group.commands.map { ($0.name, $0.summary) }),
      .paragraphs(nil, ["For details of a command, run '\(name) help COMMAND'."]),
    ])
  }

  /// Returns the environment variables with the options that they stand for; of whole lines.
  package func environmentHelp(columns: Int = 80) -> String {
    HelpPage(columns: max(40, min(columns, 100))).text([.table("Environment", variables)])
  }

  /// Examples of commands that begin with a word: one of each, of a few.
  static func examples(_ commands: [Command]) -> [Command.Example] {
    Array(commands.lazy.compactMap(\.examples.first).prefix(3))
  }

  private func help(on command: Command) -> [HelpPage.Section] {
    let usage = ([name] + command.path + ["[OPTIONS]"] + command.positionals.map(\.usage)).joined(
      separator: " ")
    var sections: [HelpPage.Section] = [
      .paragraphs(nil, [command.summary]), .lines("Usage", [usage]), .examples(command.examples),
    ]
    if !command.discussion.isEmpty { sections.append(.paragraphs(nil, command.discussion)) }
    sections.append(.table("Arguments", command.positionals.map { ($0.usage, $0.summary) }))
    sections.append(.table("Options", command.options.map { (Self.label($0), Self.explanation($0)) }))
    return sections
  }

  private func help(onPrefix prefix: String) -> [HelpPage.Section] {
    let below = commands.filter { $0.path.first == prefix }
    return [
      .paragraphs(nil, [prefixes[prefix] ?? ""]),
      .lines("Usage", ["\(name) \(prefix) COMMAND [OPTIONS] [ARGUMENTS]"]),
      .examples(Self.examples(below)),
      .table("Commands", below.map { ($0.name, $0.summary) }),
      .paragraphs(nil, ["For details of a command, run '\(name) \(prefix) COMMAND --help'."]),
    ]
  }

  private var overview: [HelpPage.Section] {
    [
      .paragraphs(nil, [summary]), .lines("Usage", ["\(name) COMMAND [OPTIONS] [ARGUMENTS]"]),
      .examples(examples),
      .table("Commands", groups.map { ($0.name, $0.line) }),
      .table("Options", Self.programOptions),
      .table("Exit codes", exitCodes.map { (String($0.code), $0.meaning) }),
      .paragraphs(
        nil,
        [
          "'\(name) help GROUP' lists the commands of a group with summaries, '\(name) help COMMAND' explains one, and "
            + "'\(name) help environment' lists the environment variables."
        ]),
    ]
  }

  /// The options without a command, with what they do.
  static let programOptions = [("-h, --help", "Print this help."), ("-V, --version", "Print the version.")]

  var variables: [(String, String)] {
    var variables: [(String, String)] = []
    for option in commands.flatMap(\.options) {
      guard let variable = option.environmentName, !variables.contains(where: { $0.0 == variable }) else {
        continue
      }
      variables.append((variable, "Same as \(option.name). \(option.summary)"))
    }
    variables.append(("NO_COLOR", "If set, disables colours."))
    return variables
  }

  private static func label(_ option: Option) -> String {
    let short = option.short.map { "-\($0), " } ?? "    "
    let long = option.isNegatable ? "--[no-]" + option.name.dropFirst(2) : option.name
    return short + long + (option.placeholder.map { " \($0)" } ?? "")
      + (option.isRepeatable && !option.isList ? "..." : "")
  }

  /// Returns what an option does, with its choices, its default and its variable.
  static func explanation(_ option: Option) -> String {
    var notes: [String] = []
    if case .choice(let words) = option.kind, option.placeholder != nil {
      notes.append("one of: \(words.joined(separator: ", "))")
    }
    if option.isRequired { notes.append("required") }
    if let text = option.defaultText ?? option.defaultNote { notes.append("default: \(text)") }
    if option.isNegatable { notes.append("default: on") }
    if let name = option.environmentName { notes.append("environment: \(name)") }
    return notes.isEmpty ? option.summary : "\(option.summary) [\(notes.joined(separator: "; "))]"
  }
}

/// Sections of text, laid out for a width.
private struct HelpPage {
  enum Section {
    case paragraphs(String?, [String])
    case lines(String, [String])
    case examples([Command.Example])
    case table(String, [(String, String)])
  }

  let columns: Int

  func text(_ sections: [Section]) -> String {
    sections.map(lines).filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }.joined(
      separator: "\n")
  }

  private func lines(_ section: Section) -> [String] {
    switch section {
    case .paragraphs(let title, let paragraphs):
      var lines: [String] = []
      if let title { lines.append("\(title):") }
      for (index, paragraph) in paragraphs.enumerated() {
        if index > 0 { lines.append("") }
        lines.append(contentsOf: wrap(paragraph, to: columns))
      }
      return lines
    case .lines(let title, let lines):
      // A command line is never broken, so that it can be copied.
      return ["\(title): " + lines.joined(separator: "\n")]
    case .examples(let examples):
      guard !examples.isEmpty else { return [] }
      var lines: [String] = ["Examples:"]
      for example in examples {
        for line in wrap(example.purpose, to: columns - 2) { lines.append("  \(line)") }
        lines.append("    $ \(example.line)")
      }
      return lines
    case .table(let title, let rows):
      guard !rows.isEmpty else { return [] }
      return ["\(title):"] + table(rows)
    }
  }

  private func table(_ rows: [(String, String)]) -> [String] {
    let most = columns * 2 / 5
    let width = rows.map(\.0.count).filter { $0 <= most }.max() ?? most
    return rows.flatMap { label, text in
      var lines = wrap(text, to: columns - width - 4)
      // A label that is too long has a line of its own.
      if label.count > width { lines.insert("", at: 0) }
      return lines.enumerated().map { index, line in
        let left = index == 0 ? label : ""
        let gap = String(repeating: " ", count: max(0, width - left.count) + 2)
        return line.isEmpty ? "  " + left : "  " + left + gap + line
      }
    }
  }
}

/// Breaks text at spaces into lines of at most that many letters; a longer word has a line of its own.
func wrap(_ text: String, to width: Int) -> [String] {
  var lines: [String] = []
  var line = ""
  for word in text.split(separator: " ") {
    if !line.isEmpty, line.count + 1 + word.count > width {
      lines.append(line)
      line = ""
    }
    line += line.isEmpty ? String(word) : " " + word
  }
  return line.isEmpty ? lines : lines + [line]
}
