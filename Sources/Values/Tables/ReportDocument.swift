package import Values

/// The whole answer of any report as tables, for surfaces that lay it out themselves.
package struct ReportDocument: Sendable {
  /// The rows with every column that programs read, and the total.
  package let rows: Table
  /// Whether there are more rows than were asked for.
  package let isCut: Bool
  /// What names the next page; `nil` where there is none, or the report has no pages.
  package let next: String?
  /// All rows of the report; `nil` where they come while the database is read and are not counted there.
  package let count: Int?
  /// Further tables below the rows.
  package let details: [Table]
  /// Sentences that a reader needs to understand the rows.
  package let notes: [Sentence]
}

extension ReportDocument {
  /// The answer as a document of a format, with its further tables where the format has room for them.
  ///
  /// - Parameter most: Rows of a further table at most.
  package func text(_ format: Format, mostOfDetails most: Int = .max) -> String {
    let shown = rows.shown(in: format)
    var renderer = format.renderer(for: shown.headers)
    var ending = Ending()
    (ending.total, ending.notes, ending.next) = (shown.total, notes.map(\.english), next)
    ending.details = details.map { $0.prefix(most) }
    let begin = renderer.begin()
    let lines = shown.rows.map { renderer.row($0) }
    return begin + lines.joined() + renderer.end(ending)
  }
}
