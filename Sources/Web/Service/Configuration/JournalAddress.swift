package import Arguments

/// The address of a journal, as libpq reads it; without its password where it is shown.
package struct JournalAddress: ParameterValue, Hashable {
  package static let kind = ValueKind.text
  package static let placeholder = "ADDRESS"
  package let text: String

  package init?(parameter text: String) {
    guard !text.isEmpty else { return nil }
    self.text = text
  }

  package var parameterText: String { text }
}
