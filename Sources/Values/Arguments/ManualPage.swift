extension Program {
  /// What the manual has pages on: the program as an empty path, each group, each command.
  package var manualTopics: [[String]] { [[]] + groups.keys.sorted().map { [$0] } + commands.map(\.path) }

  /// Returns the name of a page, such as `skan-mapping-check`.
  package func manualName(of path: [String]) -> String { ([name] + path).joined(separator: "-") }

  /// Returns a page of the manual in section 1, as roff with the macros of man(7).
  ///
  /// - Parameters:
  ///   - path: The words of a command or group, or none for the program.
  ///   - version: The version of the program.
  ///   - date: The day of that version, such as `2026-11-21`.
  /// - Returns: Whole lines of ASCII.
  package func manual(on path: [String] = [], version: String, date: String) -> String {
    var page = ManualPage()
    page.title(manualName(of: path), date: date, source: "\(name) \(version)", manual: "\(name) manual")
    if let command = commands.first(where: { $0.path == path }) {
      describe(command, on: &page)
    } else if let group = path.first {
      describe(group: group, on: &page)
    } else {
      describeProgram(on: &page)
    }
    return page.text
  }

  private func describe(_ command: Command, on page: inout ManualPage) {
    page.heading("NAME")
    page.named(manualName(of: command.path), command.summary)
    page.heading("SYNOPSIS")
    page.synopsis("\(name) \(command.name)", ["[OPTIONS]"] + command.positionals.map(\.usage))
    page.section("DESCRIPTION", command.discussion.isEmpty ? [command.summary] : command.discussion)
    page.section("ARGUMENTS", command.positionals.map { (.placeholder($0.usage), $0.summary) })
    page.section("OPTIONS", command.options.map { (.option($0), Self.explanation($0)) })
    page.section("EXAMPLES", command.examples)
    let group = command.path.count > 1 ? [[], [command.path[0]]] : [[]]
    page.seeAlso(group.map(manualName))
  }

  private func describe(group: String, on page: inout ManualPage) {
    let below = commands.filter { $0.path.first == group }
    let summary = groups[group] ?? ""
    page.heading("NAME")
    page.named(manualName(of: [group]), summary)
    page.heading("SYNOPSIS")
    page.synopsis("\(name) \(group)", ["COMMAND", "[OPTIONS]", "[WORDS]"])
    page.section("DESCRIPTION", [summary])
    page.section("COMMANDS", below.map { (.literal("\(name) \($0.name)"), $0.summary) })
    page.section("EXAMPLES", below.flatMap { $0.examples.prefix(1) })
    page.seeAlso([name] + below.map { manualName(of: $0.path) })
  }

  private func describeProgram(on page: inout ManualPage) {
    page.heading("NAME")
    page.named(name, summary)
    page.heading("SYNOPSIS")
    page.synopsis(name, ["COMMAND", "[OPTIONS]", "[WORDS]"])
    page.section(
      "DESCRIPTION",
      [summary, "'\(name) help COMMAND' and the page of a command, such as \(seen), tell more about it."])
    page.section("COMMANDS", commands.map { (.literal($0.name), $0.summary) })
    page.section("OPTIONS", Self.programOptions.map { (.literal($0.0), $0.1) })
    page.section("ENVIRONMENT", variables.map { (.literal($0.0), $0.1) })
    page.section("EXIT STATUS", exitCodes.map { (.literal(String($0.code)), $0.meaning) })
    page.section("EXAMPLES", examples)
    page.seeAlso(commands.map { manualName(of: $0.path) })
  }

  private var seen: String { commands.first.map { "\(manualName(of: $0.path))(1)" } ?? "\(name)(1)" }
}

/// Lines of roff that grow from top to bottom.
private struct ManualPage {
  /// What stands left of an explanation.
  enum Label {
    case literal(String)
    case placeholder(String)
    case option(Option)
  }

  /// The width of the lines, which only readers of the source see.
  private static let columns = 78

  private(set) var text = ""

  mutating func title(_ name: String, date: String, source: String, manual: String) {
    let left = "\"\(spelt(name.uppercased()))\" 1 "
    // A day is digits and hyphens, which formatters read only where they are not escaped.
    line(".TH " + left + "\"\(date)\" \"\(spelt(source))\" \"\(spelt(manual))\"")
  }

  mutating func heading(_ words: String) { line(".SH \(words)") }

  /// Writes the line that makewhatis and apropos read: a name, a hyphen, a sentence without its full stop.
  mutating func named(_ name: String, _ summary: String) {
    let sentence = summary.hasSuffix(".") ? String(summary.dropLast()) : summary
    paragraph("\(spelt(name)) \\- \(spelt(sentence))", isRoff: true)
  }

  mutating func synopsis(_ literal: String, _ words: [String]) {
    paragraph("\(bold(literal)) \(words.map(spelt).joined(separator: " "))", isRoff: true)
  }

  mutating func section(_ title: String, _ paragraphs: [String]) {
    heading(title)
    for (index, each) in paragraphs.enumerated() {
      if index > 0 { line(".PP") }
      paragraph(each)
    }
  }

  mutating func section(_ title: String, _ rows: [(Label, String)]) {
    guard !rows.isEmpty else { return }
    heading(title)
    for (label, explanation) in rows {
      line(".TP")
      line(guarded(roff(label)))
      paragraph(explanation)
    }
  }

  mutating func section(_ title: String, _ examples: [Command.Example]) {
    guard !examples.isEmpty else { return }
    heading(title)
    for (index, example) in examples.enumerated() {
      if index > 0 { line(".PP") }
      paragraph(example.purpose + ":")
      line(".PP")
      line(".RS 4")
      line(".nf")
      for each in example.line.split(separator: "\n", omittingEmptySubsequences: false) {
        commandLine(String(each))
      }
      line(".fi")
      line(".RE")
    }
  }

  mutating func seeAlso(_ pages: [String]) {
    heading("SEE ALSO")
    for (index, page) in pages.enumerated() {
      line(".BR \(spelt(page)) (1)" + (index + 1 < pages.count ? "," : ""))
    }
  }

  /// Writes a line that is shown as one however long it is, so that it can be copied.
  private mutating func commandLine(_ words: String) {
    let roff = bold(words)
    let parts =
      roff.utf8.count > Self.columns && !words.contains("  ") ? wrap(roff, to: Self.columns) : [roff]
    line(parts.joined(separator: " \\\n"))
  }

  private mutating func paragraph(_ words: String, isRoff: Bool = false) {
    let plain = words.split(separator: "\n").joined(separator: " ")
    for each in wrap(isRoff ? plain : spelt(plain), to: Self.columns) { line(guarded(each)) }
  }

  private mutating func line(_ roff: String) { text += roff + "\n" }

  private func roff(_ label: Label) -> String {
    switch label {
    case .literal(let word): return bold(word)
    case .placeholder(let word): return italic(word)
    case .option(let option):
      let long = option.isNegatable ? "--[no-]" + option.name.dropFirst(2) : option.name
      return (option.short.map { bold("-\($0)") + ", " } ?? "") + bold(long)
        + (option.placeholder.map { " " + italic($0) } ?? "")
        + (option.isRepeatable && !option.isList ? "..." : "")
    }
  }

  private func bold(_ words: String) -> String { "\\fB\(spelt(words))\\fR" }
  private func italic(_ words: String) -> String { "\\fI\(spelt(words))\\fR" }
}

/// Makes a line text that would otherwise be a request, because of its first letter.
private func guarded(_ line: String) -> String {
  line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
}

/// Spells text such that roff shows each letter as it is, wherever it stands.
///
/// Unescaped, roff typesets `-` as a hyphen that can't be copied, turns quotes into curly ones and `^` and `~` into
/// accents. Source: groff_char(7), mandoc_char(7).
private func spelt(_ text: String) -> String {
  var roff = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\\": roff += "\\e"
    case "-": roff += "\\-"
    case "'": roff += "\\(aq"
    case "\"": roff += "\\(dq"
    case "`": roff += "\\(ga"
    case "^": roff += "\\(ha"
    case "~": roff += "\\(ti"
    case " "..."~": roff.unicodeScalars.append(scalar)
    // Lines and tabs are the renderer's own; there is nothing to show of a control character.
    case _ where scalar.value < 0x80: roff += " "
    default:
      let digits = String(scalar.value, radix: 16, uppercase: true)
      roff += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
    }
  }
  return roff
}
