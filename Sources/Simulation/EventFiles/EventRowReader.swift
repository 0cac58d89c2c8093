package import Values

/// Reads an events file row by row and keeps every text, for files whose users are shown one by one.
///
/// The rules are those of ``PopulationReader``, with which it shares all but the gathering of rows.
package struct EventRowReader: Sendable {
  private let columns: EventColumns
  private let currency: CurrencyCode

  /// Starts with the settings.
  ///
  /// - Parameters:
  ///   - columns: What the columns are called.
  ///   - currency: The currency of amounts that name none.
  package init(columns: EventColumns, currency: CurrencyCode) {
    self.columns = columns
    self.currency = currency
  }

  /// Reads a whole stream.
  ///
  /// - Parameters:
  ///   - next: Gives the next bytes of the file, unpacked, and `nil` at the end.
  ///   - body: Takes each row.
  /// - Returns: Columns of a table that are not read.
  /// - Throws: ``EventFileError`` for the first row that is wrong, or what the closures throw.
  package func read(_ next: () throws -> [UInt8]?, _ body: (EventRow) throws -> Void) throws -> [String] {
    var scanner = EventScanner(columns: columns)
    while true {
      switch try scanner.next() {
      case .end: return scanner.passedOver
      case .hungry: try scanner.feed(next)
      case .mistake(let error): throw error
      case .row: try body(EventRow(scanner.texts, line: scanner.rowLine, currency: currency))
      }
    }
  }
}
