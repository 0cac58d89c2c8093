import Synchronization

/// How often values fell below each of some bounds, counted by any number of threads without a lock.
public final class Histogram: Sendable {
  public struct Reading: Hashable, Sendable {
    /// The upper bounds, each of which belongs to its bucket.
    public let bounds: [Int]
    /// Values in each bucket, and at the end those beyond the last bound.
    public let counts: [Int]
    public let sum: Int
  }

  private static let most = 16

  private let bounds: [Int]
  private let counts: InlineArray<16, Atomic<Int>>
  private let sum = Atomic(0)

  /// Counts below bounds that ascend; at most 15 of them.
  public init(below bounds: [Int]) {
    precondition(bounds.count < Self.most, "a histogram has 15 bounds at most")
    self.bounds = bounds
    counts = InlineArray { _ in Atomic(0) }
  }

  public func record(_ value: Int) {
    var bucket = 0
    while bucket < bounds.count, bounds[bucket] < value { bucket += 1 }
    counts[bucket].add(1, ordering: .relaxed)
    sum.add(value, ordering: .relaxed)
  }

  public var reading: Reading {
    Reading(
      bounds: bounds, counts: (0...bounds.count).map { counts[$0].load(ordering: .relaxed) },
      sum: sum.load(ordering: .relaxed))
  }
}
