package import Values

/// A type that one word of a command line or of a URL's query can be read as.
package protocol ParameterValue: ParameterStorage where Word == Self {
  /// What the word has to look like; help, completions, errors and schemas follow from it.
  static var kind: ValueKind { get }
  /// The word for the value in help, such as `HOST:PORT`.
  static var placeholder: String { get }
  static var separator: Character { get }
  init?(parameter text: String)
  var parameterText: String { get }
}

/// A type that a property of a ``Query`` can have: a value, an optional value or a list of values.
package protocol ParameterStorage: Sendable, SendableMetatype {
  associatedtype Word: ParameterValue
  static var isList: Bool { get }
  init?(words: [Word])
  var words: [Word] { get }
}

extension ParameterValue {
  package static var separator: Character { "," }
  package static var isList: Bool { false }
  package init?(words: [Self]) {
    guard let last = words.last else { return nil }
    self = last
  }
  package var words: [Self] { [self] }
}

extension Optional: ParameterStorage where Wrapped: ParameterValue {
  package static var isList: Bool { false }
  package init(words: [Wrapped]) { self = words.last }
  package var words: [Wrapped] { map { [$0] } ?? [] }
}

extension Array: ParameterStorage where Element: ParameterValue {
  package static var isList: Bool { true }
  package init(words: [Element]) { self = words }
  package var words: [Element] { self }
}

/// An enum of words needs no more than the conformance.
extension ParameterValue where Self: CaseIterable & RawRepresentable, RawValue == String {
  package static var kind: ValueKind { .choice(allCases.map(\.rawValue)) }
  package static var placeholder: String { "NAME" }
  package init?(parameter text: String) { self.init(rawValue: text) }
  package var parameterText: String { rawValue }
}

extension Bool: ParameterValue {
  package static var kind: ValueKind { .choice(["true", "false"]) }
  package static var placeholder: String { "" }
  package init?(parameter text: String) { self.init(text) }
  package var parameterText: String { "\(self)" }
}

extension Int: ParameterValue {
  package static var kind: ValueKind { .integer(0...(.max)) }
  package static var placeholder: String { "N" }
  package init?(parameter text: String) { self.init(text) }
  package var parameterText: String { "\(self)" }
}

extension Day: ParameterValue {
  package static var kind: ValueKind { .day }
  package static var placeholder: String { "DATE" }
  package init?(parameter text: String) { self.init(text) }
  package var parameterText: String { description }
}

extension Instant: ParameterValue {
  package static var kind: ValueKind { .time }
  package static var placeholder: String { "TIME" }
  package init?(parameter text: String) { self.init(text) }
  package var parameterText: String { description }
}

extension HostPort: ParameterValue {
  package static var kind: ValueKind { .hostPort }
  package static var placeholder: String { "HOST:PORT" }
  package init?(parameter text: String) { self.init(text) }
  package var parameterText: String { description }
}

extension String: ParameterValue {
  package static var kind: ValueKind { .text }
  package static var placeholder: String { "TEXT" }
  package init?(parameter text: String) { if text.isEmpty { return nil } else { self = text } }
  package var parameterText: String { self }
}

/// The path of a file or folder; `-` is a standard stream where the command allows it.
package struct FilePath: ParameterValue, Equatable {
  package static let kind = ValueKind.path
  package static let placeholder = "FILE"
  package let text: String
  package init(_ text: String) { self.text = text }
  package init?(parameter text: String) { if text.isEmpty { return nil } else { self.text = text } }
  package var parameterText: String { text }
}

/// A length of time in milliseconds, written like `36h`.
package struct TimeSpan: ParameterValue, Equatable {
  package static let kind = ValueKind.duration
  package static let placeholder = "TIME"
  package let milliseconds: Int64
  package init?(parameter text: String) {
    guard let milliseconds = Arguments.milliseconds(text) else { return nil }
    self.milliseconds = milliseconds
  }
  package var parameterText: String {
    let units: [(Int64, String)] = [
      (Day.milliseconds, "d"), (Hour.milliseconds, "h"), (60_000, "m"), (1000, "s"),
    ]
    let unit = units.first { milliseconds % $0.0 == 0 } ?? (1, "ms")
    return "\(milliseconds / unit.0)\(unit.1)"
  }
}
