/// The place of a batch in a journal: 1 for its first batch, without gaps.
package struct JournalPosition: Equatable, Comparable, Sendable {
  package let number: Int64

  package init(_ number: Int64) { self.number = number }

  /// The place before the first batch.
  package static let start = JournalPosition(0)

  package var next: JournalPosition { JournalPosition(number &+ 1) }

  package static func < (first: JournalPosition, second: JournalPosition) -> Bool {
    first.number < second.number
  }
}

extension JournalPosition: CustomStringConvertible {
  package var description: String { "\(number)" }
}
