/// What a command is for and how it is written: the only source of its parser, help, completions and manual.
package struct Command: Equatable, Sendable {
  package struct Example: Equatable, Sendable {
    package let purpose: String
    package let line: String

    package init(_ purpose: String, _ line: String) {
      self.purpose = purpose
      self.line = line
    }
  }

  /// The words that select it after the program's name, such as `["mapping", "check"]`.
  package let path: [String]
  /// One sentence that begins with a verb.
  package let summary: String
  /// Paragraphs on what the summary leaves open.
  package let discussion: [String]
  package let examples: [Example]
  package let positionals: [Positional]
  /// The options, most used first.
  package let options: [Option]

  package init(
    _ path: String, _ summary: String, discussion: [String] = [], examples: [Example],
    positionals: [Positional] = [], options: [Option] = []
  ) {
    self.path = path.split(separator: " ").map(String.init)
    self.summary = summary
    self.discussion = discussion
    self.examples = examples
    self.positionals = positionals
    self.options = options
  }

  package var name: String { path.joined(separator: " ") }

  func adding(_ more: [Option]) -> Command {
    Command(
      name, summary, discussion: discussion, examples: examples, positionals: positionals,
      options: options + more)
  }
}
