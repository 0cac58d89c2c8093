import System
import Tables

/// Rows of long reports between their pages: of a bounded number of rows, and for a minute after the last page.
///
/// A first page is always gathered anew, so that it has what came last. Its further pages are of the same state.
final class KeptPages: PageStore {
  private struct Entry: Sendable {
    let question: String
    let rows: any Sendable
    let count: Int
    let end: ContinuousClock.Instant
  }

  private let mostRows: Int
  private let lifetime: Duration
  private let entries = Guarded<[Entry]>([])

  /// - Parameters:
  ///   - mostRows: Rows that all reports keep together; one with more keeps none.
  ///   - lifetime: How long they are kept.
  init(mostRows: Int = 1 << 16, lifetime: Duration = .seconds(60)) {
    self.mostRows = mostRows
    self.lifetime = lifetime
  }

  func rows(for question: String) -> (any Sendable)? {
    removeOld()
    return entries.withLock { $0.first { $0.question == question }?.rows }
  }

  func keep(_ rows: (any Sendable)?, count: Int, for question: String) {
    entries.withLock { entries in
      entries.removeAll { $0.question == question }
      guard let rows, count <= mostRows else { return }
      entries.append(
        Entry(question: question, rows: rows, count: count, end: ContinuousClock().now + lifetime))
      while entries.reduce(0, { $0 + $1.count }) > mostRows { entries.removeFirst() }
    }
  }

  /// Drops pages that no client asked for in time.
  func removeOld() {
    let now = ContinuousClock().now
    entries.withLock { $0.removeAll { $0.end <= now } }
  }
}
