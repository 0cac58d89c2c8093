import Values

/// Users by their revenue when their value was set last, with their revenue in the end.
struct Cells {
  /// Users whose amounts lie beside each other.
  struct Cell: Hashable {
    var first: Int64
    var last: Int64
    var users: Double
    /// Their revenue in the end, in units.
    var worth: Double
  }

  /// Beyond this number of distinct amounts neighbours are put together that differ by less than a thousandth.
  private static let most = 8192
  /// The leading binary digits that distinguish amounts then.
  private static let digits = 10

  /// The cells, by rising amounts.
  let cells: [Cell]

  init(_ pairs: [(amount: Int64, worth: Double)]) {
    let sorted = pairs.sorted { ($0.amount, $0.worth) < ($1.amount, $1.worth) }
    let cells = Self.gather(sorted) { $0 }
    self.cells = cells.count <= Self.most ? cells : Self.gather(sorted, by: Self.rounded)
  }

  /// Gathers users by the ranges that begin at some edges.
  init(_ pairs: [(amount: Int64, worth: Double)], between edges: [Int64]) {
    let sorted = pairs.sorted { ($0.amount, $0.worth) < ($1.amount, $1.worth) }
    cells = Self.gather(sorted) { amount in Int64(edges.count { $0 <= amount }) }
  }

  private static func gather(_ sorted: [(amount: Int64, worth: Double)], by key: (Int64) -> Int64) -> [Cell] {
    var cells: [Cell] = []
    for pair in sorted {
      if let last = cells.last, key(last.first) == key(pair.amount) {
        cells[cells.count - 1].last = pair.amount
        cells[cells.count - 1].users += 1
        cells[cells.count - 1].worth += pair.worth
      } else {
        cells.append(Cell(first: pair.amount, last: pair.amount, users: 1, worth: pair.worth))
      }
    }
    return cells
  }

  private static func rounded(_ amount: Int64) -> Int64 {
    let spare = 64 - amount.magnitude.leadingZeroBitCount - digits
    return spare > 0 ? (amount >> Int64(spare)) << Int64(spare) : amount
  }

  /// The cells put together so that revenue in the end never falls with revenue so far.
  var rising: [Cell] {
    let fit = Isotonic(sums: cells.map { max(0, $0.worth) }, weights: cells.map(\.users))
    return fit.steps.map { step in
      Cell(
        first: cells[step.points.lowerBound].first, last: cells[step.points.upperBound - 1].last,
        users: step.weight, worth: step.sum)
    }
  }
}

/// Returns the edge between one amount and a higher one: a round number near their middle, in millionths.
///
/// An edge at an amount would be met from one side only: users that are still to come lie on either side of it, and the
/// worth that is learned from the users above the edge would be too low. So the edge is rounded within the middle fifth
/// of the gap alone.
///
/// - Parameters:
///   - low: The highest amount below the edge.
///   - high: The lowest amount above it, more than `low`.
/// - Returns: The edge, above `low`; it is `high` where no amount lies between.
func midway(_ low: Int64, _ high: Int64) -> Int64 {
  let gap = high.subtractingHeld(low)
  // Half of the gap, rounded up without passing the end of the range.
  let middle = low + gap / 2 + gap % 2
  let slack = UInt64(gap / 10)
  var step: Int64 = 1_000_000_000_000_000_000
  while step > 1 {
    let rest = ((middle % step) + step) % step
    // The nearer of the multiples around the middle.
    let distance = rest <= step - rest ? -rest : step - rest
    if distance.magnitude <= slack { return middle + distance }
    step /= 10
  }
  return middle
}
