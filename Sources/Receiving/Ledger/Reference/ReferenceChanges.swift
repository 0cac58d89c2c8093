package struct ReferenceChanges<Row: Hashable & Sendable>: Sendable {
  /// A row that is stored otherwise than it was given, because of other rows.
  package struct Adjustment: Hashable, Sendable {
    package let given: Row
    package let stored: Row
  }

  /// Rows of the file that were not stored before.
  package internal(set) var added = 0
  /// Rows of the file that replaced a different one.
  package internal(set) var changed = 0
  /// Rows of the file that were stored already.
  package internal(set) var same = 0
  /// Stored rows that the file replaces with rows of another key.
  package internal(set) var removed = 0
  package internal(set) var adjusted: [Adjustment] = []
  /// The first of the stored rows that differ or go.
  package private(set) var replaced: [Replacement] = []

  /// A stored row that an import replaces.
  package struct Replacement: Equatable, Sendable {
    package let stored: Row
    /// The row in its place; `nil` where rows of another key take it.
    package let given: Row?
  }

  /// Replacements that are kept at most.
  package static var mostReplaced: Int { 50 }

  /// Adjustments that are kept of several parts of a file at most.
  static var mostAdjusted: Int { 10_000 }

  package init() {}

  mutating func note(_ stored: Row, becomes given: Row?) {
    guard replaced.count < Self.mostReplaced else { return }
    replaced.append(Replacement(stored: stored, given: given))
  }
}
