import CSVText
import JSONText
package import Ledger
import MappingLibrary

/// A part of all postbacks, or of the events that they tell of, each with its meaning.
package struct PostbackPage: Sendable {
  /// The rows in their format, without what stands around them.
  private let rows: [String]
  private let events: Bool
  private let format: OutputFormat
  private let isFirst: Bool
  /// Where the next part begins; nil where this one is the last.
  package let next: RowCursor?

  /// Asks a ledger.
  ///
  /// - Parameters:
  ///   - query: Which postbacks.
  ///   - events: Whether rows are events.
  ///   - format: The form of the rows, any but a table.
  ///   - page: Which part.
  ///   - reader: The ledger.
  /// - Throws: ``LedgerError``.
  package init(
    _ query: PostbackQuery, events: Bool, format: OutputFormat, page: PageRequest, from reader: LedgerReader
  ) throws(LedgerError) {
    self.events = events
    self.format = format
    isFirst = page.after == nil
    var place = page.after ?? RowCursor()
    let start = place
    var rows: [String] = []
    var isWhole = true
    try reader.consistently { () throws(LedgerError) in
      var decoder = PostbackDecoder(try MappingCatalog(from: reader))
      // Of an events' page the last postback may have more to tell.
      try reader.forEachPostback(query, after: events ? max(0, start.row - 1) : start.row) { row in
        if rows.count >= page.limit || page.isLate() && place != start {
          isWhole = false
          return false
        }
        let told = events && row.row == start.row ? Int(clamping: start.part) : 0
        let texts = Self.texts(decoder.decode(row), events, format).dropFirst(told)
        let taken = texts.prefix(page.limit - rows.count)
        rows += taken
        place = RowCursor(row: row.row, part: events ? Int64(told + taken.count) : 0)
        isWhole = taken.count == texts.count
        return isWhole
      }
    }
    self.rows = rows
    next = isWhole ? nil : place
  }

  private static func texts(_ decoded: DecodedPostback, _ events: Bool, _ format: OutputFormat) -> [String] {
    switch format {
    case .csv: events ? decoded.eventLines : [decoded.csv]
    case .json, .ndjson, .table: (events ? decoded.eventObjects : [decoded.json]).map { $0.text() }
    }
  }

  /// Returns the part as text; parts of CSV and NDJSON that are put together are the whole report.
  ///
  /// - Parameter next: What names the place of the next part to whoever reads it.
  /// - Returns: The text; it ends with a line break.
  package func text(next: String?) -> String {
    switch format {
    case .csv:
      let names = events ? DecodedPostback.eventColumns : DecodedPostback.columns
      return (isFirst ? CSV.line(names.map { .string($0) }) : "") + rows.joined()
    case .ndjson, .table: return rows.map { $0 + "\n" }.joined()
    case .json:
      let end = next.map { "],\"next\":\(JSONOutput.string($0).text())}\n" } ?? "]}\n"
      return "{\"rows\":[" + (rows.isEmpty ? "" : "\n") + rows.joined(separator: ",\n")
        + (rows.isEmpty ? "" : "\n") + end
    }
  }
}
