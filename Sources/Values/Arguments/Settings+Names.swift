package import Values

// Look-ups by name, for the imports of what advertisers know, whose options are not typed yet.

extension Settings {
  /// Whether a switch is on.
  package func isOn(_ name: String) -> Bool { text(name).flatMap(switchState) ?? false }

  /// The text of an option; `nil` where there is none.
  package func text(_ name: String) -> String? { texts(name).last }

  /// The texts of a repeatable option.
  package func texts(_ name: String) -> [String] { entries.first { $0.name == name }?.texts ?? [] }

  /// The number of an option; `nil` where there is none.
  package func integer(_ name: String) -> Int? { text(name).flatMap { Int($0) } }

  /// The moment of an option; `nil` where there is none.
  package func time(_ name: String) -> Instant? { text(name).flatMap { Instant($0) } }
}
