package import Tables

/// How rows come out.
package enum OutputFormat: String, Hashable, Sendable, CaseIterable {
  /// Aligned columns, for people.
  case table
  /// One JSON document.
  case json
  /// One JSON object a line.
  case ndjson
  /// For spreadsheets.
  case csv

  package init(_ format: Format) {
    self =
      switch format {
      case .table: .table
      case .json: .json
      case .ndjson: .ndjson
      case .csv: .csv
      }
  }
}
