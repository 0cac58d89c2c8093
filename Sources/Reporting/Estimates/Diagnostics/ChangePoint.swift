internal import Numerics
internal import System

extension Interval {
  /// Takes Wilson's interval of a share.
  ///
  /// Source: Wilson, "Probable inference, the law of succession, and statistical inference", 1927.
  ///
  /// - Parameters:
  ///   - count: How many have it.
  ///   - total: Of how many; nothing is known of a share of none, which is 0 to 1.
  ///   - level: How often the interval holds, strictly between 0 and 1.
  package init(shareOf count: Double, in total: Double, level: Double = 0.9) {
    guard total > 0 else {
      self.init(low: 0, high: 1)
      return
    }
    let z = normalQuantile((1 + level) / 2)
    let share = min(1, max(0, count / total))
    let divisor = 1 + z * z / total
    let center = (share + z * z / (2 * total)) / divisor
    let reach = z * (share * (1 - share) / total + z * z / (4 * total * total)).squareRoot() / divisor
    self.init(
      low: share == 0 ? 0 : max(0, center - reach), high: share == 1 ? 1 : min(1, center + reach))
  }
}

/// A day on which a share changed for good.
package struct ChangePoint: Hashable, Sendable {
  /// The first day of the new share.
  package let day: Int
  /// The share before it, back to the change before.
  package let before: Double
  /// The share from it on, up to the next change.
  package let after: Double

  /// Finds the days on which a daily share changed.
  ///
  /// Binary segmentation: the cut that raises the binomial likelihood most is taken where 2 Δ ln L, divided by the
  /// dispersion, is above 3 ln n for n days that have any, and both sides are cut again. The dispersion is the median
  /// squared difference of neighbouring days in binomial units, so that a share that jumps about is no row of changes.
  /// Source: Scott and Knott, 1974; Zhang and Siegmund, "A modified Bayes information criterion", 2007, for the penalty.
  ///
  /// - Parameters:
  ///   - days: How many have it on each day, and of how many.
  ///   - fewestDays: The fewest days between two changes.
  /// - Returns: The changes, from the first.
  package static func find(in days: [(count: Double, total: Double)], fewestDays: Int = 3) -> [Self] {
    let filled = days.filter { $0.total > 0 }.count
    guard filled >= 2 * max(1, fewestDays) else { return [] }
    var counts = [0.0]
    var totals = [0.0]
    for day in days {
      counts.append(counts[counts.count - 1] + min(day.total, max(0, day.count)))
      totals.append(totals[totals.count - 1] + max(0, day.total))
    }
    let penalty = 3 * naturalLogarithm(Double(filled)) * dispersion(days)
    func likelihood(_ from: Int, _ to: Int) -> Double {
      let total = totals[to] - totals[from]
      let count = counts[to] - counts[from]
      guard count > 0, count < total else { return 0 }
      return count * naturalLogarithm(count / total)
        + (total - count) * naturalLogarithm((total - count) / total)
    }
    var cuts: [Int] = []
    var open = [0..<days.count]
    while let part = open.popLast() {
      guard part.count >= 2 * max(1, fewestDays) else { continue }
      let whole = likelihood(part.lowerBound, part.upperBound)
      var best: (gain: Double, cut: Int) = (penalty, -1)
      for cut in (part.lowerBound + max(1, fewestDays))...(part.upperBound - max(1, fewestDays)) {
        let gain = 2 * (likelihood(part.lowerBound, cut) + likelihood(cut, part.upperBound) - whole)
        if gain > best.gain { best = (gain, cut) }
      }
      guard best.cut >= 0 else { continue }
      cuts.append(best.cut)
      open += [part.lowerBound..<best.cut, best.cut..<part.upperBound]
    }
    cuts.sort()
    let edges = [0] + cuts + [days.count]
    func share(_ part: Int) -> Double {
      let total = totals[edges[part + 1]] - totals[edges[part]]
      return total > 0 ? (counts[edges[part + 1]] - counts[edges[part]]) / total : 0
    }
    return cuts.enumerated().map { index, cut in
      Self(day: cut, before: share(index), after: share(index + 1))
    }
  }

  private static func dispersion(_ days: [(count: Double, total: Double)]) -> Double {
    let days = days.filter { $0.total > 0 }
    var squares: [Double] = []
    for (a, b) in zip(days, days.dropFirst()) {
      let share = (a.count + b.count) / (a.total + b.total)
      let variance = share * (1 - share) * (1 / a.total + 1 / b.total)
      let difference = a.count / a.total - b.count / b.total
      squares.append(variance > 0 ? difference * difference / variance : 0)
    }
    // 0.4549 is the median of a squared standard normal variable.
    return max(1, squares.sorted()[squares.count / 2] / 0.4549)
  }
}
