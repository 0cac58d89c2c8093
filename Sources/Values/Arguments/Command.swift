/// What a command is for and how it is written: the only source of its parser, help, completions and manual.
public struct Command: Hashable, Sendable {
  /// A command line that works as it stands.
  public struct Example: Hashable, Sendable {
    /// What it does.
    public let purpose: String
    /// The line.
    public let line: String

    /// Joins a purpose and a line.
    public init(_ purpose: String, _ line: String) {
      self.purpose = purpose
      self.line = line
    }
  }

  /// The words that select it after the program's name, such as `["mapping", "check"]`.
  public let path: [String]
  /// One sentence that begins with a verb.
  public let summary: String
  /// Paragraphs on what the summary leaves open.
  public let discussion: [String]
  /// Command lines that work as they stand.
  public let examples: [Example]
  /// The words that are told by their place.
  public let positionals: [Positional]
  /// The options, most used first.
  public let options: [Option]

  /// Describes a command.
  public init(
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

  /// The path as one text.
  public var name: String { path.joined(separator: " ") }

  /// Returns the command with more options.
  func adding(_ more: [Option]) -> Command {
    Command(
      name, summary, discussion: discussion, examples: examples, positionals: positionals,
      options: options + more)
  }

  /// Returns the option of that name.
  func option(_ name: String) -> Option? { options.first { $0.name == name } }
}
