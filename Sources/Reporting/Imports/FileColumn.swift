package import Values

/// A column that files of a kind can have.
package struct FileColumn: Equatable, Sendable {
  package enum Content: Hashable, Sendable {
    case day, amount, other
  }

  /// The name in files.
  package let name: String
  /// What people call it.
  package let title: Sentence
  package let content: Content
  /// Whether no row can do without it.
  package let isRequired: Bool
  /// Whether one value can be that of all rows.
  package let isOftenTheSame: Bool
  /// Names that other systems have for it, the likeliest first.
  let otherNames: [String]
}
