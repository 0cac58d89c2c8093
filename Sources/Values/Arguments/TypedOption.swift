/// An option with the type of its value: a command lists its ``option``, and reads its value with the same constant.
///
/// A call that does not have the option has the option's default.
package struct TypedOption<Value: Sendable>: Sendable {
  /// How the command line, help and manual describe it.
  package let option: Option
  /// Reads the words that were given; none stand for the default.
  let value: @Sendable ([String]) -> Value

  /// Its name, such as `--listen`.
  package var name: String { option.name }
}

/// An option that its command cannot do without.
package struct RequiredOption<Value: Sendable>: Sendable {
  /// How the command line, help and manual describe it.
  package let option: Option
  let value: @Sendable ([String]) -> Value?

  /// Its name, such as `--app`.
  package var name: String { option.name }
}

extension TypedOption where Value == Bool {
  /// Describes a switch, which is off unless given; a negatable one is on.
  package static func flag(
    _ name: String, _ summary: String, short: Character? = nil, isNegatable: Bool = false,
    isSetting: Bool = false
  ) -> Self {
    Self(
      option: .flag(name, summary, short: short, isNegatable: isNegatable, isSetting: isSetting),
      value: { $0.last.flatMap(switchState) ?? isNegatable })
  }
}

extension TypedOption {
  /// Describes an option without a default.
  package static func value<Word: ParameterValue>(
    _ name: String, _ placeholder: String, _ kind: ValueKind, _ summary: String,
    defaultNote: String? = nil, isSetting: Bool = false, short: Character? = nil
  ) -> Self where Value == Word? {
    Self(
      option: .value(
        name, placeholder, kind, summary, defaultNote: defaultNote, short: short, isSetting: isSetting
      ).reading(Word.self),
      value: { $0.last.flatMap(Word.init(parameter:)) })
  }

  package static func value(
    _ name: String, _ placeholder: String, _ kind: ValueKind, _ summary: String,
    default usual: Value, isSetting: Bool = false
  ) -> Self where Value: ParameterValue {
    Self(
      option: .value(
        name, placeholder, kind, summary, default: usual.parameterText, isSetting: isSetting
      ).reading(Value.self),
      value: { $0.last.flatMap(Value.init(parameter:)) ?? usual })
  }

  /// Describes an option with one of some words and without a default.
  package static func choice<Word: CaseIterable & RawRepresentable & Sendable>(
    _ name: String, _ placeholder: String, _ summary: String, defaultNote: String? = nil
  ) -> Self where Value == Word?, Word.RawValue == String {
    Self(
      option: .value(name, placeholder, Word.kind, summary, defaultNote: defaultNote),
      value: { $0.last.flatMap(Word.init(rawValue:)) })
  }

  /// Describes an option with one of some words, such as an enum's or a few of them, and with a default.
  package static func choice(
    _ name: String, _ placeholder: String, among words: [Value] = Array(Value.allCases), _ summary: String,
    default usual: Value, isSetting: Bool = false
  ) -> Self where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    Self(
      option: .value(
        name, placeholder, .choice(words.map(\.rawValue)), summary, default: usual.rawValue,
        isSetting: isSetting),
      value: { $0.last.flatMap(Value.init(rawValue:)) ?? usual })
  }

  /// Describes an option that may be given more than once.
  package static func repeatable<Word: ParameterValue>(
    _ name: String, _ placeholder: String, _ kind: ValueKind, _ summary: String,
    defaultNote: String? = nil
  ) -> Self where Value == [Word] {
    Self(
      option: .value(name, placeholder, kind, summary, defaultNote: defaultNote, isRepeatable: true).reading(
        Word.self),
      value: { $0.compactMap(Word.init(parameter:)) })
  }

  /// Describes an option that may be given more than once, each time with several words between commas.
  package static func list<Word: ParameterValue>(
    _ name: String, _ placeholder: String, _ kind: ValueKind, _ summary: String,
    defaultNote: String? = nil
  ) -> Self where Value == [Word] {
    Self(
      option: .value(
        name, placeholder, kind, summary, defaultNote: defaultNote, isRepeatable: true, isList: true
      ).reading(Word.self),
      value: { $0.flatMap { $0.split(separator: ",") }.compactMap { Word(parameter: String($0)) } })
  }
}

extension RequiredOption {
  package static func choice(_ name: String, _ placeholder: String, _ summary: String) -> Self
  where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    Self(
      option: .value(name, placeholder, Value.kind, summary, isRequired: true),
      value: { $0.last.flatMap(Value.init(rawValue:)) })
  }

  package static func value(
    _ name: String, _ placeholder: String, _ kind: ValueKind, _ summary: String,
    short: Character? = nil, isSetting: Bool = false
  ) -> Self where Value: ParameterValue {
    Self(
      option: .value(name, placeholder, kind, summary, short: short, isRequired: true, isSetting: isSetting)
        .reading(Value.self),
      value: { $0.last.flatMap(Value.init(parameter:)) })
  }
}

extension CaseIterable where Self: RawRepresentable, RawValue == String {
  fileprivate static var kind: ValueKind { .choice(allCases.map(\.rawValue)) }
}
