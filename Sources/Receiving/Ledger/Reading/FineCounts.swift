/// Counts by fine value, 0 through 63, in the memory of those that are not 0: a report has a hundred thousand rows, and most
/// of them a few values.
public struct FineCounts: Equatable, Sendable {
  private var values: UInt64 = 0
  /// Their counts, in the order of the values.
  private var counts: [Int64] = []

  public init() {}

  /// Takes counts that are not 0.
  ///
  /// - Parameters:
  ///   - values: The values that have one, a bit for each.
  ///   - all: The counts of all 64 values.
  init(_ values: UInt64, of all: [Int64]) {
    self.values = values
    counts.reserveCapacity(values.nonzeroBitCount)
    forEachValue { counts.append(all[$0]) }
  }

  private func forEachValue(_ visit: (Int) -> Void) {
    var left = values
    while left != 0 {
      visit(left.trailingZeroBitCount)
      left &= left - 1
    }
  }

  /// The count of a value, 0 through 63.
  public subscript(value: Int) -> Int64 {
    values >> UInt64(value) & 1 == 0 ? 0 : counts[place(of: value)]
  }

  public var total: Int64 { counts.reduce(0, +) }

  /// Appends the counts of all 64 values.
  public func append(to numbers: inout [Int64]) {
    var next = 0
    var place = 0
    forEachValue { value in
      while next < value {
        numbers.append(0)
        next += 1
      }
      numbers.append(counts[place])
      (next, place) = (value + 1, place + 1)
    }
    while next < UInt64.bitWidth {
      numbers.append(0)
      next += 1
    }
  }

  static func += (a: inout Self, b: Self) {
    if b.values & ~a.values == 0 {
      var place = 0
      b.forEachValue { value in
        a.counts[a.place(of: value)] += b.counts[place]
        place += 1
      }
    } else {
      a = Self(a.values | b.values, of: (0..<UInt64.bitWidth).map { a[$0] + b[$0] })
    }
  }

  private func place(of value: Int) -> Int { (values & (1 << UInt64(value) - 1)).nonzeroBitCount }
}
