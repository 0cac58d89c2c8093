package import Values

/// Reads an events file row by row and keeps every text, for files whose users are shown one by one.
///
/// The rules are those of ``PopulationReader``, with which it shares all but the gathering of rows.
package struct EventRowReader: Sendable {
  private let columns: EventColumns
  private let currency: CurrencyCode
  private let mistakes: PopulationReader.Mistakes

  /// - Parameters:
  ///   - currency: The currency of amounts that name none.
  ///   - mistakes: What to do with rows that are wrong.
  package init(columns: EventColumns, currency: CurrencyCode, mistakes: PopulationReader.Mistakes = .stop) {
    self.columns = columns
    self.currency = currency
    self.mistakes = mistakes
  }

  /// Reads a whole stream.
  ///
  /// - Parameters:
  ///   - next: Gives the next bytes of the file, unpacked, and `nil` at the end.
  ///   - body: Takes each row; an ``EventFileError`` that it throws is a mistake of the row.
  /// - Returns: Columns of a table that are not read, and the rows that were left out.
  /// - Throws: ``EventFileError`` for the first row that is wrong, where mistakes stop, or what the closures throw.
  package func read(_ next: () throws -> [UInt8]?, _ body: (EventRow) throws -> Void) throws
    -> (passedOver: [String], skipped: SkippedRows)
  {
    var scanner = EventScanner(columns: columns)
    var skipped = SkippedRows()
    while true {
      do {
        switch try scanner.next() {
        case .end: return (scanner.passedOver, skipped)
        case .hungry: try scanner.feed(next)
        case .mistake(let error): throw error
        case .row: try body(EventRow(scanner.texts, line: scanner.rowLine, currency: currency))
        }
      } catch let error as EventFileError where mistakes == .skip && !error.isOfFile {
        skipped.add(error)
      }
    }
  }
}
