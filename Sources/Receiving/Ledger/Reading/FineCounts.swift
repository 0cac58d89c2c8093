/// Counts by fine value, 0 through 63, in the memory of those that are not 0: a report has a hundred thousand rows, and most
/// of them a few values.
public struct FineCounts: Hashable, Sendable {
  private var values: UInt64 = 0
  /// Their counts, in the order of the values.
  private var counts: [Int64] = []

  public init() {}

  /// Takes the count of every value from a function.
  init(_ count: (Int) -> Int64) {
    for value in 0..<UInt64.bitWidth {
      let count = count(value)
      guard count != 0 else { continue }
      values |= 1 << UInt64(value)
      counts.append(count)
    }
  }

  /// The count of a value, 0 through 63.
  public subscript(value: Int) -> Int64 {
    values >> UInt64(value) & 1 == 0 ? 0 : counts[place(of: value)]
  }

  public var total: Int64 { counts.reduce(0, +) }

  static func += (a: inout Self, b: Self) {
    if a.values == b.values {
      for place in a.counts.indices { a.counts[place] += b.counts[place] }
    } else {
      a = Self { a[$0] + b[$0] }
    }
  }

  private func place(of value: Int) -> Int { (values & (1 << UInt64(value) - 1)).nonzeroBitCount }
}
