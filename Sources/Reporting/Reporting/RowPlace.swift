/// A place in a long report: everything up to a row has been told.
///
/// Rows are numbered in the order in which they arrived, so what arrives later neither moves a place nor stands before it.
public struct RowPlace: Hashable, Sendable {
  /// The last row that something was told of.
  public var row: Int64
  /// What was told of it: how many of its events, or the row of a copy.
  public var part: Int64

  /// Names a place.
  public init(row: Int64 = 0, part: Int64 = 0) {
    self.row = row
    self.part = part
  }
}

/// How much of a long report is wanted.
public struct PageRequest: Sendable {
  /// The place behind which it begins; nil from the beginning.
  public var after: RowPlace?
  /// How many rows at most.
  public var limit: Int
  /// Whether it is time to end with fewer rows, which is asked after each.
  public var isLate: @Sendable () -> Bool

  /// Asks for a part.
  public init(after: RowPlace?, limit: Int, isLate: @escaping @Sendable () -> Bool = { false }) {
    self.after = after
    self.limit = limit
    self.isLate = isLate
  }
}
