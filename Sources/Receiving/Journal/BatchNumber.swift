/// A node's own count of its batches: 1 for its first.
package struct BatchNumber: Equatable, Comparable, Sendable {
  package let number: Int64

  package init(_ number: Int64) { self.number = number }

  package static let first = BatchNumber(1)

  package var next: BatchNumber { BatchNumber(number &+ 1) }

  package static func < (first: BatchNumber, second: BatchNumber) -> Bool { first.number < second.number }
}

extension BatchNumber: CustomStringConvertible {
  package var description: String { "\(number)" }
}
