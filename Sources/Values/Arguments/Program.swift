/// All commands of a program, in up to two levels.
package struct Program: Sendable {
  /// What the words of a command line ask for.
  package enum Request: Equatable, Sendable {
    case run(Command, ParsedArguments)
    /// Help, on a command, on the commands that begin with a word, or on the program where the path is empty.
    case help([String])
    /// What a group has.
    case group(CommandGroup)
    /// The environment variables.
    case environment
    case version
  }

  package let name: String
  package let summary: String
  package let examples: [Command.Example]
  /// All commands, in the order of the help.
  package let groups: [CommandGroup]
  /// The words of the first level that have commands below them, each with a sentence.
  package let prefixes: [String: String]
  package let exitCodes: [(code: Int, meaning: String)]
  /// The names of pages of the manual on file formats, in section 5.
  package var fileFormats: [String] { nameFileFormats() }
  private let nameFileFormats: @Sendable () -> [String]

  /// Describes a program.
  ///
  /// - Parameters:
  ///   - examples: Command lines to begin with.
  ///   - groups: All commands.
  ///   - prefixes: The words of the first level that have commands below them.
  ///   - commonOptions: Options that every command has besides `--help`.
  ///   - fileFormats: The names of pages of the manual on file formats; read when the manual asks for them.
  package init(
    name: String, summary: String, examples: [Command.Example], groups: [CommandGroup],
    prefixes: [String: String] = [:],
    commonOptions: [Option] = [], exitCodes: [(code: Int, meaning: String)] = [],
    fileFormats: @escaping @autoclosure @Sendable () -> [String] = []
  ) {
    let commands = groups.flatMap(\.commands)
    precondition(
      Set(commands.filter { $0.path.count > 1 }.map { $0.path[0] }) == Set(prefixes.keys),
      "every word that has commands below it, and nothing else, needs its sentence")
    precondition(
      Set(commands.map { $0.path[0] }).isDisjoint(with: groups.map(\.name)),
      "the name of a group is no first word of a command")
    self.name = name
    self.summary = summary
    self.examples = examples
    self.groups = groups.map { group in
      CommandGroup(group.name, group.summary, group.commands.map { $0.adding(commonOptions + [.help]) })
    }
    self.prefixes = prefixes
    self.exitCodes = exitCodes
    nameFileFormats = fileFormats
  }

  /// The commands, in the order of the help.
  package var commands: [Command] { groups.flatMap(\.commands) }

  /// Finds out what the words after the program's name ask for.
  ///
  /// - Throws: ``UsageError`` where they name no command.
  package func read(_ words: [String]) throws(UsageError) -> Request {
    guard let first = words.first else { return .help([]) }
    if Option.help.spellings.contains(first) { return .help([]) }
    if ["--version", "-V", "version"].contains(first) { return .version }
    if first == "help" { return try help(words.dropFirst().filter { !$0.hasPrefix("-") }) }
    if prefixes[first] != nil, words.count == 1 || Option.help.spellings.contains(words[1]) {
      return .help([first])
    }
    let command = try command(of: words)
    let given = try ParsedArguments(Array(words.dropFirst(command.path.count)), for: command, of: name)
    return given.wantsHelp ? .help(command.path) : .run(command, given)
  }

  private func help(_ path: [String]) throws(UsageError) -> Request {
    if path.count == 1 {
      if let group = groups.first(where: { $0.name == path[0] }) { return .group(group) }
      if path == ["environment"] { return .environment }
      if prefixes[path[0]] == nil {
        _ = try command(of: path, orOf: groups.map(\.name) + ["environment"])
      }
    } else if !path.isEmpty {
      _ = try command(of: path)
    }
    return .help(path)
  }

  /// The keys that a configuration file may have, of all commands together.
  package var configurationKeys: Set<String> {
    Set(commands.flatMap(\.options).compactMap(\.configurationKey))
  }

  /// - Parameter topics: What the words may name besides a command; offered where they name neither.
  private func command(of words: [String], orOf topics: [String] = []) throws(UsageError) -> Command {
    if let command = commands.first(where: { words.starts(with: $0.path) }) { return command }
    let first = words.first ?? ""
    if first.hasPrefix("-") {
      let hint = UsageError.suggestion(first, among: ["--help", "--version"])
      throw UsageError(
        "There is no option '\(first)' before a command.", hint: first.hasPrefix("--") ? hint : nil,
        see: "\(name) --help")
    }
    guard prefixes[first] != nil else {
      let known = Set(commands.map { $0.path[0] } + ["help", "version"] + topics).sorted()
      let isGroup = groups.contains { $0.name == first }
      throw UsageError(
        "There is no command\(topics.isEmpty ? "" : " or group") '\(first)'.",
        hint: isGroup ? nil : UsageError.suggestion(first, among: known),
        see: isGroup ? "\(name) help \(first)" : "\(name) --help")
    }
    let second = words.count > 1 ? words[1] : ""
    let known = commands.filter { $0.path[0] == first && $0.path.count > 1 }.map { $0.path[1] }
    throw UsageError(
      "There is no command '\(first) \(second)'.", hint: UsageError.suggestion(second, among: known),
      see: "\(name) \(first) --help")
  }
}
