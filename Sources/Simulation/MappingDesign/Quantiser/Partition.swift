/// The cheapest ways to divide points into buckets beside each other, for every number of buckets up to a limit.
///
/// Exact: the place of the last cut never falls as points are added, so that each row of the dynamic programme is found
/// by halving. The cost falls with the number of buckets and is convex in it.
/// Source: Wang and Song, "Ckmeans.1d.dp", R Journal 2011; Aggarwal, Schieber and Tokuyama, "Finding a minimum-weight
/// k-link path in graphs with the concave Monge property", 1994.
package struct Partition: Sendable {
  /// How the distance of a point from what stands for it counts.
  package enum Cost: Hashable, Sendable {
    /// Squared, from the bucket's mean.
    case squared
    /// The same with one more point in each bucket, anywhere between its ends: one that was not seen.
    case squaredWithUnseen
    /// As it is, from the bucket's median.
    case absolute
  }

  /// The lowest cost with each number of buckets from 1 on.
  package let costs: [Double]
  /// For each number of buckets above 1, where the last bucket begins, by the number of points that are divided.
  private let cuts: [[Int32]]
  private let count: Int

  /// Divides points.
  ///
  /// - Parameters:
  ///   - points: The points; without any there is nothing to divide, and no costs.
  ///   - cost: What is made small.
  ///   - most: The most buckets that are tried; never more than there are points.
  /// - Complexity: O(most · n · log n) time, twice that for absolute costs; 4 · most · n bytes.
  package init(_ points: WeightedPoints, _ cost: Cost, upTo most: Int) {
    let interval = IntervalCost(points, cost)
    let count = points.count
    self.count = count
    guard count > 0, most > 0 else {
      (costs, cuts) = ([], [])
      return
    }
    var row = [0.0] + (1...count).map { interval.cost(0, $0) }
    var costs = [row[count]]
    var cuts: [[Int32]] = []
    for buckets in stride(from: 1, to: min(most, count), by: 1) {
      var next = [Double](repeating: 0, count: count + 1)
      var cut = [Int32](repeating: 0, count: count + 1)
      Self.fill(&next, &cut, from: row, interval, buckets: buckets)
      row = next
      costs.append(row[count])
      cuts.append(cut)
    }
    self.costs = costs
    self.cuts = cuts
  }

  /// Finds the best last cut of every number of points, of which `buckets` buckets are before the cut.
  private static func fill(
    _ next: inout [Double], _ cut: inout [Int32], from row: [Double], _ interval: IntervalCost, buckets: Int
  ) {
    var stack = [(first: buckets + 1, last: row.count - 1, low: buckets, high: row.count - 2)]
    while let (first, last, low, high) = stack.popLast() {
      let middle = (first + last) / 2
      var best = Double.infinity
      var place = low
      for start in low...min(high, middle - 1) {
        let sum = row[start] + interval.cost(start, middle)
        if sum < best {
          best = sum
          place = start
        }
      }
      next[middle] = best
      cut[middle] = Int32(place)
      if first < middle { stack.append((first, middle - 1, low, place)) }
      if middle < last { stack.append((middle + 1, last, place, high)) }
    }
  }

  /// Returns where each bucket begins, as indices of points; the first is 0.
  ///
  /// - Parameter buckets: How many, held between 1 and the number of ``costs``.
  /// - Returns: Rising indices; empty without points.
  package func starts(buckets: Int) -> [Int] {
    guard count > 0 else { return [] }
    var starts: [Int] = []
    var end = count
    for cut in cuts.prefix(max(0, buckets - 1)).reversed() {
      end = Int(cut[end])
      starts.append(end)
    }
    return [0] + starts.reversed()
  }
}
