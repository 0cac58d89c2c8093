/// A place in a long report: everything up to a row has been told.
///
/// Rows are numbered in the order in which they arrived, so what arrives later neither moves a place nor stands before it.
package struct RowCursor: Hashable, Sendable {
  /// The last row that something was told of.
  package var row: Int64
  /// What was told of it: how many of its events, or the row of a copy.
  package var part: Int64

  /// Names a place.
  package init(row: Int64 = 0, part: Int64 = 0) {
    self.row = row
    self.part = part
  }
}

/// How much of a long report is wanted.
package struct PageRequest: Sendable {
  /// The place behind which it begins; nil from the beginning.
  package var after: RowCursor?
  /// How many rows at most.
  package var limit: Int
  /// Whether it is time to end with fewer rows, which is asked after each.
  package var isLate: @Sendable () -> Bool

  /// Asks for a part.
  package init(after: RowCursor?, limit: Int, isLate: @escaping @Sendable () -> Bool = { false }) {
    self.after = after
    self.limit = limit
    self.isLate = isLate
  }
}
