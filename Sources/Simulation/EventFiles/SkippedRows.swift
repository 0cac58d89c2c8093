/// Rows of an events file that were passed over because they are wrong.
package struct SkippedRows: Equatable, Sendable {
  package struct SkippedRow: Equatable, Sendable {
    package fileprivate(set) var first: EventFileError
    package fileprivate(set) var count: Int
  }

  private var byCode: [String: SkippedRow] = [:]

  package init() {}

  /// The rows by code of the mistake, those whose first line comes first in front.
  package var entries: [SkippedRow] {
    byCode.values.sorted { ($0.first.line, $0.first.code) < ($1.first.line, $1.first.code) }
  }

  /// How many rows there are.
  package var count: Int { byCode.values.reduce(0) { $0 + $1.count } }

  mutating func add(_ error: EventFileError) { merge(SkippedRow(first: error, count: 1)) }

  /// Counts the rows of another part of the file.
  ///
  /// - Parameters:
  ///   - lines: How many lines are above the one that is their first.
  mutating func merge(_ other: SkippedRows, below lines: Int = 0) {
    for var entry in other.byCode.values {
      if lines > 0 { entry.first = entry.first.on(line: lines + entry.first.line) }
      merge(entry)
    }
  }

  private mutating func merge(_ entry: SkippedRow) {
    guard var known = byCode[entry.first.code] else {
      byCode[entry.first.code] = entry
      return
    }
    if entry.first.line < known.first.line { known.first = entry.first }
    known.count += entry.count
    byCode[entry.first.code] = known
  }
}
