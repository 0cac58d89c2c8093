/// All commands of a program, in up to two levels.
package struct Program: Sendable {
  /// What the words of a command line ask for.
  package enum Request: Equatable, Sendable {
    case run(Command, ParsedArguments)
    /// Help, on a command, a group of commands, or the program where the path is empty.
    case help([String])
    case version
  }

  package let name: String
  package let summary: String
  package let examples: [Command.Example]
  /// The words of the first level that have commands below them, each with a sentence.
  package let groups: [String: String]
  /// The commands, in the order of the help.
  package let commands: [Command]
  package let exitCodes: [(code: Int, meaning: String)]
  /// The names of pages of the manual on file formats, in section 5.
  package var fileFormats: [String] { nameFileFormats() }
  private let nameFileFormats: @Sendable () -> [String]

  /// Describes a program.
  ///
  /// - Parameters:
  ///   - examples: Command lines to begin with.
  ///   - groups: The words of the first level that have commands below them.
  ///   - commonOptions: Options that every command has besides `--help`.
  ///   - fileFormats: The names of pages of the manual on file formats; read when the manual asks for them.
  package init(
    name: String, summary: String, examples: [Command.Example], groups: [String: String] = [:],
    commands: [Command],
    commonOptions: [Option] = [], exitCodes: [(code: Int, meaning: String)] = [],
    fileFormats: @escaping @autoclosure @Sendable () -> [String] = []
  ) {
    let groupWords = Set(commands.filter { $0.path.count > 1 }.map { $0.path[0] })
    precondition(
      groupWords == Set(groups.keys), "every group of commands, and nothing else, needs its sentence")
    self.name = name
    self.summary = summary
    self.examples = examples
    self.groups = groups
    self.commands = commands.map { $0.adding(commonOptions + [.help]) }
    self.exitCodes = exitCodes
    nameFileFormats = fileFormats
  }

  /// Finds out what the words after the program's name ask for.
  ///
  /// - Throws: ``UsageError`` where they name no command.
  package func read(_ words: [String]) throws(UsageError) -> Request {
    guard let first = words.first else { return .help([]) }
    if Option.help.spellings.contains(first) { return .help([]) }
    if ["--version", "-V", "version"].contains(first) { return .version }
    if first == "help" {
      let path = words.dropFirst().filter { !$0.hasPrefix("-") }
      if !path.isEmpty, groups[path[0]] == nil || path.count > 1 { _ = try command(of: path) }
      return .help(path)
    }
    if groups[first] != nil, words.count == 1 || Option.help.spellings.contains(words[1]) {
      return .help([first])
    }
    let command = try command(of: words)
    let given = try ParsedArguments(Array(words.dropFirst(command.path.count)), for: command, of: name)
    return given.wantsHelp ? .help(command.path) : .run(command, given)
  }

  /// The keys that a configuration file may have, of all commands together.
  package var configurationKeys: Set<String> {
    Set(commands.flatMap(\.options).compactMap(\.configurationKey))
  }

  private func command(of words: [String]) throws(UsageError) -> Command {
    if let command = commands.first(where: { words.starts(with: $0.path) }) { return command }
    let first = words.first ?? ""
    if first.hasPrefix("-") {
      let hint = UsageError.suggestion(first, among: ["--help", "--version"])
      throw UsageError(
        "There is no option '\(first)' before a command.", hint: first.hasPrefix("--") ? hint : nil,
        see: "\(name) --help")
    }
    guard groups[first] != nil else {
      let known = Set(commands.map { $0.path[0] } + ["help", "version"]).sorted()
      throw UsageError(
        "There is no command '\(first)'.", hint: UsageError.suggestion(first, among: known),
        see: "\(name) --help")
    }
    let second = words.count > 1 ? words[1] : ""
    let known = commands.filter { $0.path[0] == first && $0.path.count > 1 }.map { $0.path[1] }
    throw UsageError(
      "There is no command '\(first) \(second)'.", hint: UsageError.suggestion(second, among: known),
      see: "\(name) \(first) --help")
  }
}
