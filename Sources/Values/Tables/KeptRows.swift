import Values

/// Keeps the rows of an answer between its pages, so that not every page gathers all of them again.
package protocol PageStore: AnyObject, Sendable {
  func rows(for question: String) -> (any Sendable)?
  /// Keeps so many rows for a question in place of earlier ones, or `nil` for none any more.
  func keep(_ rows: (any Sendable)?, count: Int, for question: String)
}

/// The held rows of an answer, as its further pages need them.
struct KeptRows<Row: Sendable>: Sendable {
  private let held: [Row]
  private let total: Row?
  private let place: @Sendable (Row) -> String
  private let notes: [Sentence]
  private let details: [Table]
  private let keyed: [Row]?
  private let isCheckFailed: Bool
  private let last: String
  /// The first row of the next page.
  private let start: Int

  /// - Parameters:
  ///   - last: The place of the last row of a page.
  ///   - start: The first row of the next page.
  init(_ rows: Rows<Row>, last: String, start: Int) {
    (held, total, place, notes) = (rows.held, rows.total, rows.place, rows.notes)
    (details, keyed, isCheckFailed) = (rows.details, rows.keyed, rows.isCheckFailed)
    (self.last, self.start) = (last, start)
  }

  var rows: Rows<Row> {
    var rows = Rows.held(held, total: total, key: place)
    (rows.notes, rows.details, rows.keyed, rows.isCheckFailed) = (notes, details, keyed, isCheckFailed)
    return rows
  }

  /// The first row behind a place, where that is the last one of a page.
  func start(behind place: String) -> Int? { place == last ? start : nil }
}
