extension Program {
  /// What the manual has pages on: the program as an empty path, each word that has commands below it, each command.
  package var manualTopics: [[String]] { [[]] + prefixes.keys.sorted().map { [$0] } + commands.map(\.path) }

  /// Returns the name of a page, such as `skan-mapping-check`.
  package func manualName(of path: [String]) -> String { ([name] + path).joined(separator: "-") }

  /// Returns a page of the manual in section 1, as roff with the macros of man(7).
  ///
  /// - Parameters:
  ///   - path: The words of a command, or some that it begins with, or none for the program.
  ///   - date: The day of that version, such as `2026-11-21`.
  /// - Returns: Whole lines of ASCII.
  package func manual(on path: [String] = [], version: String, date: String) -> String {
    var page = ManualPage()
    page.title(
      manualName(of: path), section: 1, date: date, source: "\(name) \(version)", manual: "\(name) manual")
    if let command = commands.first(where: { $0.path == path }) {
      describe(command, on: &page)
    } else if let prefix = path.first {
      describe(prefix: prefix, on: &page)
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
    let above = command.path.count > 1 ? [[], [command.path[0]]] : [[]]
    page.seeAlso(above.map { (manualName(of: $0), 1) })
  }

  private func describe(prefix: String, on page: inout ManualPage) {
    let below = commands.filter { $0.path.first == prefix }
    let summary = prefixes[prefix] ?? ""
    page.heading("NAME")
    page.named(manualName(of: [prefix]), summary)
    page.heading("SYNOPSIS")
    page.synopsis("\(name) \(prefix)", ["COMMAND", "[OPTIONS]", "[WORDS]"])
    page.section("DESCRIPTION", [summary])
    page.section("COMMANDS", below.map { (.literal("\(name) \($0.name)"), $0.summary) })
    page.section("EXAMPLES", Self.examples(below))
    page.seeAlso([(name, 1)] + below.map { (manualName(of: $0.path), 1) })
  }

  private func describeProgram(on page: inout ManualPage) {
    page.heading("NAME")
    page.named(name, summary)
    page.heading("SYNOPSIS")
    page.synopsis(name, ["COMMAND", "[OPTIONS]", "[WORDS]"])
    page.section(
      "DESCRIPTION",
      [summary, "For details of a command, run '\(name) help COMMAND' or read its page, such as \(seen)."])
    page.heading("COMMANDS")
    for group in groups {
      page.subheading("\(group.name): \(group.summary)")
      page.rows(group.commands.map { (.literal($0.name), $0.summary) })
    }
    page.section("OPTIONS", Self.programOptions.map { (.literal($0.0), $0.1) })
    page.section("ENVIRONMENT", variables.map { (.literal($0.0), $0.1) })
    page.section("EXIT STATUS", exitCodes.map { (.literal(String($0.code)), $0.meaning) })
    page.section("EXAMPLES", examples)
    page.seeAlso(commands.map { (manualName(of: $0.path), 1) } + fileFormats.map { ($0, 5) })
  }

  private var seen: String { commands.first.map { "\(manualName(of: $0.path))(1)" } ?? "\(name)(1)" }
}
