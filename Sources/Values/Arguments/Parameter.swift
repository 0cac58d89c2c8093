package import Values

/// A question with defaults: its parameters fill its properties, on the command line and in a URL's query alike.
package protocol Query: Sendable, SendableMetatype {
  /// The question without any parameter; help and documentation read the defaults from it.
  init()
  static var parameters: [Parameter<Self>] { get }
}

/// What only a part of the program asks of a question, and no parameter sets, such as a part of its answer.
package protocol AskedInside: Sendable {}

/// A property of a query that people and programs can set: its name, its help and where it goes.
package struct Parameter<Root>: Sendable {
  /// The name without dashes.
  package let name: String
  let describe: @Sendable (Root) -> Option
  let set: @Sendable ([String], inout Root) throws(ParameterError) -> Void
  let check: @Sendable (Root) throws(ParameterError) -> Void
}

extension Parameter {
  /// How a parameter appears on a command line, beyond what the property's type determines.
  package struct Form: Hashable, Sendable {
    var short: Character?
    var placeholder: String?
    /// What an empty property means, such as `all`; for the help.
    var defaultNote: String?
    var isRequired = false

    package init(
      short: Character? = nil, placeholder: String? = nil, defaultNote: String? = nil,
      isRequired: Bool = false
    ) {
      self.short = short
      self.placeholder = placeholder
      self.defaultNote = defaultNote
      self.isRequired = isRequired
    }
  }

  /// Declares a parameter; kind, default, and whether it is a list follow from the property.
  ///
  /// `check` compares the property with others, after all are set.
  package init<Value: ParameterStorage>(
    _ name: String, _ path: any WritableKeyPath<Root, Value> & Sendable, _ help: String,
    as form: Form = Form(),
    check: @escaping @Sendable (Root) throws(ParameterError) -> Void = { _ in }
  ) {
    self.init(name, path, help, Value.Word.kind, form, check)
  }

  /// Declares a whole number within bounds, both included.
  package init<Value: ParameterStorage>(
    _ name: String, _ path: any WritableKeyPath<Root, Value> & Sendable, _ help: String,
    in range: ClosedRange<Int>, as form: Form = Form()
  ) where Value.Word == Int {
    self.init(name, path, help, .integer(range), form, { _ in })
  }

  private init<Value: ParameterStorage>(
    _ name: String, _ path: any WritableKeyPath<Root, Value> & Sendable, _ help: String, _ kind: ValueKind,
    _ form: Form, _ check: @escaping @Sendable (Root) throws(ParameterError) -> Void
  ) {
    let isSwitch = Value.self == Bool.self
    self.init(
      name: name,
      describe: { root in
        guard !isSwitch else {
          return .flag("--\(name)", help, short: form.short)
        }
        let usual = root[keyPath: path].words.map(\.parameterText).joined(separator: ",")
        let isList = Value.isList && Value.Word.separator == ","
        return .value(
          "--\(name)", (form.placeholder ?? Value.Word.placeholder) + (isList ? ",..." : ""), kind,
          help, defaultNote: form.defaultNote,
          short: form.short, default: usual.isEmpty || form.isRequired ? nil : usual,
          isRepeatable: Value.isList, isRequired: form.isRequired, isList: isList)
      },
      set: { (texts, root) throws(ParameterError) in
        root[keyPath: path] = try Value(texts, of: name, kind)
      }, check: check)
  }

  /// The same, which the environment and the configuration file can set too.
  package var asSetting: Self {
    Self(
      name: name,
      describe: { root in
        var option = describe(root)
        option.isSetting = true
        return option
      }, set: set, check: check)
  }

  package static func all<Part: Query>(of path: any WritableKeyPath<Root, Part> & Sendable) -> [Self] {
    Part.parameters.map { part in
      Self(
        name: part.name, describe: { part.describe($0[keyPath: path]) },
        set: { (texts, root) throws(ParameterError) in try part.set(texts, &root[keyPath: path]) },
        check: { (root) throws(ParameterError) in try part.check(root[keyPath: path]) })
    }
  }
}

extension ParameterStorage {
  fileprivate init(_ texts: [String], of name: String, _ kind: ValueKind) throws(ParameterError) {
    let parts = Self.isList ? texts.flatMap { $0.split(separator: Word.separator).map(String.init) } : texts
    if !Self.isList, parts.count > 1 {
      throw ParameterError(
        name,
        Sentence("found \(parts.count) values, '\(name: parts[0])' and '\(name: parts[1])'. Give one."))
    }
    var words: [Word] = []
    var seen: Set<String> = []
    for part in parts {
      guard kind.allows(part), let word = Word(parameter: part) else {
        throw .unfit(name, found: part, kind)
      }
      guard seen.insert(part).inserted else {
        throw ParameterError(name, Sentence("found '\(name: part)' twice. Give it once."))
      }
      words.append(word)
    }
    guard let value = Self(words: words) else { throw .unfit(name, found: "", kind) }
    self = value
  }
}

extension Query {
  /// The options of a command line that asks this.
  package static var options: [Option] {
    let usual = Self()
    return parameters.map { $0.describe(usual) }
  }

  /// Reads a question from the texts of each parameter, by name; other names are left to others.
  ///
  /// - Throws: ``ParameterError`` for the first value that cannot be used.
  package init(_ texts: [String: [String]]) throws(ParameterError) {
    self.init()
    for parameter in Self.parameters {
      guard let given = texts[parameter.name] else { continue }
      try parameter.set(given, &self)
    }
    for parameter in Self.parameters { try parameter.check(self) }
  }

  /// Reads a question from the options of a command.
  ///
  /// - Throws: ``ParameterError`` for the first value that cannot be used.
  package init(_ settings: Settings) throws(ParameterError) { try self.init(settings.givenTexts) }
}

/// A parameter that cannot be used: its name, and what was found, what is allowed, and the cure.
package struct ParameterError: Error, Equatable, Sendable {
  /// The name without dashes.
  package let name: String
  package let detail: Sentence

  package init(_ name: String, _ detail: Sentence) {
    self.name = name
    self.detail = detail
  }

  package static func unfit(_ name: String, found word: String, _ kind: ValueKind) -> Self {
    let found = word.isEmpty ? Sentence("no value found") : Sentence("found '\(name: word)'")
    guard case .choice(let words) = kind, let meant = nearest(to: word, among: words) else {
      return Self(name, Sentence("\(found); use \(kind.expectation)."))
    }
    return Self(
      name, Sentence("\(found); use \(kind.expectation). Did you mean '\(code: meant)'?"))
  }

  package static func unknown(_ name: String, among names: [String]) -> Self {
    let all = names.joined(separator: ", ")
    guard let meant = nearest(to: name, among: names) else {
      return Self(name, Sentence("there is no such parameter; use one of \(code: all)."))
    }
    return Self(
      name,
      Sentence("there is no such parameter; use one of \(code: all). Did you mean '\(code: meant)'?"))
  }
}
