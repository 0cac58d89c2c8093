import Values

/// The options of a command with the values in force, each with where it came from.
///
/// The command line counts before the environment, the environment before the configuration file, and that before
/// the default.
package struct Settings: Sendable {
  /// Where a value came from.
  package enum Source: Hashable, Sendable, CustomStringConvertible {
    case commandLine
    case environment(String)
    case file(String)
    case programDefault

    /// A phrase such as `environment (SKAN_LISTEN)`.
    package var description: String {
      switch self {
      case .commandLine: "command line"
      case .environment(let name): "environment (\(name))"
      case .file(let path): "file (\(path))"
      case .programDefault: "default"
      }
    }
  }

  package struct Setting: Equatable, Sendable {
    /// The option's name, such as `--listen`.
    package let name: String
    /// The texts as they were written; empty where there is no value.
    package let texts: [String]
    package let source: Source
    let isSwitch: Bool
  }

  /// Every option but `--help`, in the order of the command.
  package let entries: [Setting]
  package let positionals: [String]

  /// Resolves the options of a command.
  ///
  /// - Parameters:
  ///   - program: The name of the program, for messages.
  ///   - environment: The variables of the environment; empty ones count as unset.
  ///   - configuration: The texts of the configuration file by key.
  ///   - configurationPath: The path of that file, for messages.
  /// - Throws: ``UsageError`` when a value does not fit, or a required one is nowhere.
  package init(
    _ words: ParsedArguments, for command: Command, of program: String, environment: [String: String],
    configuration: [String: String] = [:], configurationPath: String = ""
  ) throws(UsageError) {
    let helpLine = "\(program) \(command.name) --help"
    var entries: [Setting] = []
    for option in command.options where option != .help {
      let (texts, source) = Self.texts(
        for: option, words: words, environment: environment, configuration: configuration,
        path: configurationPath)
      for text in texts.flatMap(option.parts) {
        guard option.placeholder == nil ? switchState(text) != nil : option.allows(text) else {
          throw .value(text, of: Self.origin(of: option, source), isNot: option.kind, see: helpLine)
        }
      }
      if option.isRequired, texts.isEmpty {
        let elsewhere = option.environmentName.map { ", or set \($0) in the environment" } ?? ""
        throw UsageError(
          "The option '\(option.name)' is missing.", hint: "Give it\(elsewhere).", see: helpLine)
      }
      entries.append(
        Setting(name: option.name, texts: texts, source: source, isSwitch: option.placeholder == nil))
    }
    self.entries = entries
    positionals = words.positionals
  }

  private static func texts(
    for option: Option, words: ParsedArguments, environment: [String: String],
    configuration: [String: String],
    path: String
  ) -> ([String], Source) {
    if let given = words.options[option.name] { return (given, .commandLine) }
    if let name = option.environmentName, let text = environment[name], !text.isEmpty {
      return ([text], .environment(name))
    }
    if let key = option.configurationKey, let text = configuration[key] { return ([text], .file(path)) }
    if option.placeholder == nil { return ([option.isNegatable ? "true" : "false"], .programDefault) }
    return (option.defaultText.map { [$0] } ?? [], .programDefault)
  }

  private static func origin(of option: Option, _ source: Source) -> String {
    switch source {
    case .commandLine, .programDefault: "'\(option.name)'"
    case .environment(let name): "the variable \(name)"
    case .file(let path): "'\(option.configurationKey ?? option.name)' in \(path)"
    }
  }

  /// The value of an option; its default where the command does not have it.
  package subscript<Value>(option: TypedOption<Value>) -> Value { option.value(words(of: option.option)) }

  /// The value of an option that the command cannot do without; `nil` only where the command does not have it.
  package subscript<Value>(option: RequiredOption<Value>) -> Value? { option.value(words(of: option.option)) }

  private func words(of option: Option) -> [String] {
    entries.first { $0.name == option.name }?.texts.flatMap(option.parts) ?? []
  }

  /// Whether an option has a value that is not its default.
  package func isGiven(_ option: Option) -> Bool {
    entries.contains { $0.name == option.name && $0.source != .programDefault }
  }

  /// What was given, by the name of the option without dashes; `true` or `false` for a switch.
  package var givenTexts: [String: [String]] {
    let given = entries.filter { $0.source != .programDefault }
    return Dictionary(
      given.map { entry in
        let texts = entry.isSwitch ? entry.texts.compactMap(switchState).map { "\($0)" } : entry.texts
        return (String(entry.name.dropFirst(2)), texts)
      }
    ) { first, _ in first }
  }
}

func switchState(_ text: String) -> Bool? {
  switch text {
  case "true", "1", "yes", "on": true
  case "false", "0", "no", "off": false
  default: nil
  }
}
