/// A place between two rows of a long report, which later arrivals cannot move: rows are numbered as they arrive.
struct RowPlace: Equatable, Sendable, LosslessStringConvertible {
  /// The row of the ledger that the last row is about.
  let row: Int64
  /// The last part of it that is printed, such as the row of a copy or how many of its events.
  let part: Int64

  init(row: Int64, part: Int64) {
    self.row = row
    self.part = part
  }

  init?(_ text: String) {
    let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) }
    guard numbers.count == 2, let row = numbers[0], let part = numbers[1], row >= 0, part >= 0 else {
      return nil
    }
    self.init(row: row, part: part)
  }

  var description: String { "\(row).\(part)" }
}
