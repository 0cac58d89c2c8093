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

  /// The address without its password.
  package var shown: String {
    // Of a URI what lies between the user and the host, of words of libpq the value of `password`.
    if let scheme = text.firstRange(of: "://"), let at = text[scheme.upperBound...].firstIndex(of: "@"),
      let colon = text[scheme.upperBound..<at].firstIndex(of: ":")
    {
      return String(text[..<colon] + text[at...])
    }
    return text.split(separator: " ").map { $0.hasPrefix("password=") ? "password=..." : String($0) }
      .joined(separator: " ")
  }
}
