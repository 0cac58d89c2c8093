/// What it costs to let one number stand for all points between two others, in constant or logarithmic time.
struct IntervalCost {
  private let cost: Partition.Cost
  private let points: [Double]
  /// Sums of weights, of weighted points and of weighted squares, each up to a point.
  private let weights: [Double]
  private let firsts: [Double]
  private let seconds: [Double]
  /// Where a bucket that begins with a point begins, the middle between it and the one before; with an end for the last.
  private let bounds: [Double]

  /// How far beyond the highest point users are looked for, in parts of it.
  private static let beyond = 1.5

  init(_ points: WeightedPoints, _ cost: Partition.Cost) {
    self.cost = cost
    let total = points.weights.reduce(0, +)
    let mean = zip(points.points, points.weights).reduce(0) { $0 + $1.0 * $1.1 } / max(total, 1e-300)
    // Centred, because the difference of two large sums of squares has few digits left.
    let centred = points.points.map { $0 - mean }
    var weights = [0.0]
    var firsts = [0.0]
    var seconds = [0.0]
    for (sum, (point, weight)) in zip(centred, points.weights).enumerated() {
      weights.append(weights[sum] + weight)
      firsts.append(firsts[sum] + weight * point)
      seconds.append(seconds[sum] + weight * point * point)
    }
    let ends = points.points
    bounds =
      [min(0, ends.first ?? 0)] + zip(ends, ends.dropFirst()).map { ($0 + $1) / 2 }
      + [Self.beyond * max(0, ends.last ?? 0)]
    self.points = centred
    self.weights = weights
    self.firsts = firsts
    self.seconds = seconds
  }

  /// Returns the cost of the points from `start` up to, but not including, `end`.
  @inline(__always)
  func cost(_ start: Int, _ end: Int) -> Double {
    switch cost {
    case .squared: return squared(start, end)
    case .squaredWithUnseen:
      let width = bounds[end] - bounds[start]
      return squared(start, end) + width * width / 12
    case .absolute: return absolute(start, end)
    }
  }

  @inline(__always)
  private func squared(_ start: Int, _ end: Int) -> Double {
    let first = firsts[end] - firsts[start]
    return max(0, seconds[end] - seconds[start] - first * first / (weights[end] - weights[start]))
  }

  private func absolute(_ start: Int, _ end: Int) -> Double {
    let half = (weights[start] + weights[end]) / 2
    var low = start
    var high = end - 1
    while low < high {
      let middle = (low + high) / 2
      if weights[middle + 1] < half { low = middle + 1 } else { high = middle }
    }
    let below = points[low] * (weights[low] - weights[start]) - (firsts[low] - firsts[start])
    let above = firsts[end] - firsts[low] - points[low] * (weights[end] - weights[low])
    return max(0, below + above)
  }
}
