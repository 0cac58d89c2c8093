package import Arguments
internal import PostgreSQL
package import Values

/// The address of a journal, as libpq reads it.
package struct JournalAddress: ParameterValue, Equatable {
  package static let kind = ValueKind.text
  package static let placeholder = "ADDRESS"
  private let text: String

  package init?(parameter text: String) {
    guard !text.isEmpty else { return nil }
    self.text = text
  }

  package var parameterText: String { text }

  /// The address without its password.
  package var shown: String { PostgreSQLAddress(text)?.shown ?? "(cannot be read, so it is not shown)" }

  /// The address, where libpq can read it.
  ///
  /// - Throws: An error without any part of it, because a part of the password can be where it does not belong.
  package func readable() throws(CommandError) -> String {
    guard PostgreSQLAddress(text) != nil else {
      throw CommandError(
        .usage, "the address of the journal cannot be read",
        remedy:
          "write a URI such as postgres://skan@db.example/skan, with %40 for each '@' of a password, or words such "
          + "as host=db.example dbname=skan user=skan")
    }
    return text
  }
}
