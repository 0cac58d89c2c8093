/// Draws of what the cells of a campaign are worth; draw number b of every cell belongs to one and the same world.
///
/// So the draws of a sum are the sums of draws, over cells and over campaigns of one ``PredictiveModel``.
package struct CellDraws: Equatable, Sendable {
  package let count: Int
  package private(set) var values: [Double]

  init(cells: Int, count: Int) {
    self.count = count
    values = [Double](repeating: 0, count: cells * count)
  }

  package func cell(_ index: Int) -> [Double] { Array(values[(index * count)..<((index + 1) * count)]) }

  package func sum(of cells: Range<Int>) -> [Double] {
    var sums = [Double](repeating: 0, count: count)
    for cell in cells {
      for draw in 0..<count { sums[draw] += values[cell * count + draw] }
    }
    return sums
  }

  package var total: [Double] { sum(of: 0..<(count > 0 ? values.count / count : 0)) }

  mutating func set(_ value: Double, cell: Int, draw: Int) { values[cell * count + draw] = value }
}

extension Interval {
  /// Takes the middle part of some draws; nil where there are none.
  ///
  /// - Parameters:
  ///   - level: The part, as 0.9 for the 5 and 95 % quantiles.
  ///   - estimate: What has to lie within. Of a mean beyond an end, as skewed laws can have, the interval goes on to the
  ///     middle of the draws behind it, so that it does not end at the estimate where draws do not.
  package init?(of draws: [Double], level: Double = 0.9, holding estimate: Double? = nil) {
    guard !draws.isEmpty else { return nil }
    let sorted = draws.sorted()
    func quantile(_ probability: Double) -> Double {
      let place = Double(sorted.count - 1) * min(1, max(0, probability))
      let below = Int(place)
      let above = min(sorted.count - 1, below + 1)
      return sorted[below] + (place - Double(below)) * (sorted[above] - sorted[below])
    }
    var (low, high) = (quantile((1 - level) / 2), quantile((1 + level) / 2))
    if let estimate {
      let share = Double(sorted.count { $0 < estimate }) / Double(sorted.count)
      if estimate < low { low = min(estimate, quantile(share / 2)) }
      if estimate > high { high = max(estimate, quantile((1 + share) / 2)) }
    }
    self.init(low: low, high: high)
  }
}
