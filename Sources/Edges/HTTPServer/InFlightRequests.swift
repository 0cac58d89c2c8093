import Synchronization

/// A count of those that still need the library's threads, which can be closed to newcomers permanently.
///
/// Count and closing are one number, so that no request can enter between the last look at the count and the end.
struct InFlightRequests: ~Copyable, Sendable {
  private static let closed = 1 << 62

  private let state = Atomic(0)

  /// Counts in that many, and returns whether the gate was open.
  func enter(_ count: Int) -> Bool {
    var seen = state.load(ordering: .relaxed)
    while seen & Self.closed == 0 {
      let (isDone, now) = state.weakCompareExchange(
        expected: seen, desired: seen + count, ordering: .acquiringAndReleasing)
      if isDone { return true }
      seen = now
    }
    return false
  }

  func leave() { state.subtract(1, ordering: .releasing) }

  /// Admits no request from now on.
  func close() { state.bitwiseOr(Self.closed, ordering: .acquiringAndReleasing) }

  /// Whether all that came in have left.
  var isEmpty: Bool { state.load(ordering: .acquiring) & ~Self.closed == 0 }
}
