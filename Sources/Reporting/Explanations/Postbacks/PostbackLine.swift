package import Ledger
import Postbacks
package import Tables
package import Values

/// A row of ``PostbackReport`` as a line of NDJSON with underscores in its names, for files that are written by pieces.
package struct PostbackLine: Sendable {
  /// The columns of all lines.
  package static let headers = Sheet(PostbackReport.columns, held: [], for: .ndjson).headers.map(
    \.underscored)

  /// The conversion's row; later arrivals have greater ones.
  package let row: Int64
  /// When its first valid copy came.
  package let receivedAt: Instant
  /// `transaction-id` or `postback-identifier`.
  package let identifier: String
  package let text: String
}

extension LedgerReader {
  /// Visits the rows of ``PostbackReport`` behind a row, in order of arrival, until `visit` returns false.
  package func forEachPostbackLine(
    of query: PostbackQuery, after row: Int64, _ visit: (PostbackLine) -> Bool
  ) throws(LedgerError) {
    let sheet = Sheet(PostbackReport.columns, held: [], for: .ndjson)
    var renderer = Format.ndjson.renderer(for: PostbackLine.headers)
    _ = renderer.begin()
    try forEachDecoded(query, after: row) { decoded in
      let postback = decoded.postback
      return visit(
        PostbackLine(
          row: postback.row, receivedAt: postback.receivedAt, identifier: postback.identifier,
          text: renderer.row(sheet.cells(of: PostbackReport.Row(decoded)))))
    }
  }
}
