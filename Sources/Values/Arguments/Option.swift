package struct Option: Hashable, Sendable {
  /// How it is written, such as `--listen`.
  package let name: String
  /// The letter of its short form, such as `q` for `-q`.
  package let short: Character?
  /// The name of its value in the help, such as `HOST:PORT`; nil for a switch.
  package let placeholder: String?
  package let kind: ValueKind
  /// A noun phrase for a value, with its unit; a task in the imperative for a switch.
  package let summary: String
  /// The value where none is given.
  package let defaultText: String?
  /// What holds where no value is given and the default depends on something, such as `the file's name`; for the help.
  package let defaultNote: String?
  /// Whether it may be given more than once.
  package let isRepeatable: Bool
  /// Whether the command cannot do without a value.
  package let isRequired: Bool
  /// Whether there is a `--no-` form.
  package let isNegatable: Bool
  /// Whether one text can hold several values, with commas between them.
  package let isList: Bool
  /// Whether it may come from the environment and the configuration file too.
  package internal(set) var isSetting: Bool
  /// Whether its type can read a text, which the kind alone does not decide.
  private var reading = Reading { _ in true }

  /// A check of texts; all are equal, as options are by what they are called and described as.
  private struct Reading: Hashable, Sendable {
    let isPossible: @Sendable (String) -> Bool

    static func == (_: Self, _: Self) -> Bool { true }
    func hash(into _: inout Hasher) {}
  }

  /// The same with the type of its values.
  func reading<Word: ParameterValue>(_: Word.Type) -> Option {
    var option = self
    option.reading = Reading { Word(parameter: $0) != nil }
    return option
  }

  /// Whether a text is a value of it.
  func allows(_ text: String) -> Bool { kind.allows(text) && reading.isPossible(text) }

  package static func value(
    _ name: String, _ placeholder: String, _ kind: ValueKind, _ summary: String, defaultNote: String? = nil,
    short: Character? = nil, default defaultText: String? = nil, isRepeatable: Bool = false,
    isRequired: Bool = false,
    isSetting: Bool = false, isList: Bool = false
  ) -> Option {
    Option(
      name: name, short: short, placeholder: placeholder, kind: kind, summary: summary,
      defaultText: defaultText, defaultNote: defaultNote,
      isRepeatable: isRepeatable, isRequired: isRequired, isNegatable: false, isList: isList,
      isSetting: isSetting)
  }

  /// Describes a switch, which is off unless given; a negatable one is on.
  package static func flag(
    _ name: String, _ summary: String, short: Character? = nil, isNegatable: Bool = false,
    isSetting: Bool = false
  ) -> Option {
    Option(
      name: name, short: short, placeholder: nil, kind: .choice(["true", "false"]), summary: summary,
      defaultText: nil, defaultNote: nil, isRepeatable: false, isRequired: false, isNegatable: isNegatable,
      isList: false,
      isSetting: isSetting
    )
  }

  /// The switch that every command has.
  package static let help = Option.flag("--help", "Print this help.", short: "h")

  func parts(of text: String) -> [String] {
    isList ? text.split(separator: ",").map(String.init) : [text]
  }

  /// Its name in the configuration file, such as `listen`, if it is a setting.
  package var configurationKey: String? { isSetting ? String(name.dropFirst(2)) : nil }

  /// Its name in the environment, such as `SKAN_LISTEN`, if it is a setting.
  package var environmentName: String? {
    configurationKey.map { "SKAN_" + $0.uppercased().map { $0 == "-" ? "_" : String($0) }.joined() }
  }

  /// The `--no-` form, if there is one.
  var negatedName: String? { isNegatable ? "--no-" + name.dropFirst(2) : nil }

  var spellings: [String] { [name] + [negatedName, short.map { "-\($0)" }].compactMap { $0 } }
}

package struct Positional: Equatable, Sendable {
  /// Its name in the help, such as `FILE`.
  package let placeholder: String
  package let kind: ValueKind
  package let summary: String
  /// Whether the command cannot do without it.
  package let isRequired: Bool
  /// Whether all remaining arguments belong to it; only the last one may.
  package let isRepeatable: Bool

  package init(
    _ placeholder: String, _ kind: ValueKind, _ summary: String, isRequired: Bool = true,
    isRepeatable: Bool = false
  ) {
    self.placeholder = placeholder
    self.kind = kind
    self.summary = summary
    self.isRequired = isRequired
    self.isRepeatable = isRepeatable
  }

  var usage: String {
    let name = placeholder + (isRepeatable ? "..." : "")
    return isRequired ? name : "[\(name)]"
  }
}
