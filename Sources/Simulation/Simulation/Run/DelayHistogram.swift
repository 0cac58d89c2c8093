import Values

/// How long postbacks were on their way from the conversion, in whole hours.
public struct DelayHistogram: Hashable, Sendable {
  /// How many took that many hours, rounded down; as long as the longest needs.
  public private(set) var counts: [Int] = []

  public init() {}

  /// Takes counts by the hour.
  init(counts: [Int]) { self.counts = counts }

  /// How many there are.
  public var total: Int { counts.reduce(0, +) }

  /// Counts one.
  @inline(__always)
  mutating func add(milliseconds: Int64) {
    let hour = Int(milliseconds / Hour.milliseconds)
    // Grown by whole days, so that it is seldom grown.
    if hour >= counts.count {
      counts += Array(repeating: 0, count: (hour / 24 + 1) * 24 - counts.count)
    }
    counts[hour] += 1
  }

  /// Adds another histogram's counts.
  public mutating func merge(_ other: DelayHistogram) {
    if other.counts.count > counts.count {
      counts += Array(repeating: 0, count: other.counts.count - counts.count)
    }
    for index in other.counts.indices { counts[index] += other.counts[index] }
  }

  /// Returns the hour that a share of the postbacks has arrived by, exact to the hour.
  ///
  /// - Parameter share: From 0 through 1; 0.5 for the median.
  /// - Returns: The end of the hour; `nil` when there are no postbacks.
  public func percentile(_ share: Double) -> Int? {
    let total = total
    guard total > 0 else { return nil }
    let wanted = max(1, Int((Double(total) * min(max(share, 0), 1)).rounded(.up)))
    var seen = 0
    for (hour, count) in counts.enumerated() {
      seen += count
      if seen >= wanted { return hour + 1 }
    }
    return nil
  }

  /// Compares by the counts; how far the zeros reach does not matter.
  public static func == (a: Self, b: Self) -> Bool {
    let short = min(a.counts.count, b.counts.count)
    return a.counts.prefix(short) == b.counts.prefix(short)
      && (a.counts.dropFirst(short) + b.counts.dropFirst(short)).allSatisfy { $0 == 0 }
  }

  /// Feeds the counts without the zeros at the end.
  public func hash(into hasher: inout Hasher) {
    let length = (counts.lastIndex { $0 != 0 } ?? -1) + 1
    hasher.combine(Array(counts.prefix(length)))
  }
}
