internal import Numerics
internal import System
internal import Values

/// A day on which a share changed permanently.
package struct ChangePoint: Equatable, Sendable {
  /// The first day of the new share.
  package let day: Int
  /// The share before it, back to the change before.
  package let before: Double
  /// The share from it on, up to the next change.
  package let after: Double

  /// How many have it on one day, and of how many.
  package typealias Count = (count: Double, total: Double)

  /// The fewest days with which the shuffle of blocks can find anything at all.
  package static let fewestDays = 12
  private static let shuffles = 299
  /// As many shuffles that differ as much are too many: with the data themselves they are above 4 %.
  private static let fewestExtremes = 12

  /// Finds the days on which a daily share changed.
  ///
  /// Binary segmentation: the cut that raises the binomial likelihood most is a change where both rules below hold, and
  /// both sides are cut again. An install's postback arrives on one of two days, so that neighbouring days are alike,
  /// and the first and the last day hold half a day of installs each: these two days are left out.
  ///
  /// 1. Whole blocks of days are shuffled, 2 days each below 20 days and 3 from there on. The greatest difference of two
  ///    sides is among the greatest 4 % of 299 shuffles.
  /// 2. 2 Δ ln L is above 9 times the long-run dispersion: of what the two sides leave, with the covariances of days one
  ///    and two apart.
  ///
  /// Source: Scott and Knott, 1974; Künsch, "The jackknife and the bootstrap for general stationary observations", 1989,
  /// for blocks; Newey and West, 1987, for the long-run variance.
  ///
  /// - Parameters:
  ///   - days: The consecutive days of arrival, those without any included.
  ///   - seed: The random seed of the shuffles.
  /// - Returns: The changes, from the first.
  package static func find(in days: [Count], seed: UInt64 = 1) -> [Self] {
    guard days.count >= fewestDays else { return [] }
    let days = days.map { (count: min($0.total, max(0, $0.count)), total: max(0, $0.total)) }
    let whole = 1..<(days.count - 1)
    var random = SplitMix64(seed: seed)
    var cuts: [Int] = []
    var open = [whole]
    while let part = open.popLast() {
      guard let cut = ShareSegment(days[part]).change(&random) else { continue }
      cuts.append(cut)
      open += [part.lowerBound..<cut, cut..<part.upperBound]
    }
    cuts.sort()
    let edges = [whole.lowerBound] + cuts + [whole.upperBound]
    let shares = zip(edges, edges.dropFirst()).map { from, to in
      let total = days[from..<to].reduce(0) { $0 + $1.total }
      return total > 0 ? days[from..<to].reduce(0) { $0 + $1.count } / total : 0
    }
    return cuts.indices.map { Self(day: cuts[$0], before: shares[$0], after: shares[$0 + 1]) }
  }

  /// Days between two changes, of which at most one more change is looked for.
  private struct ShareSegment {
    /// The fewest days on each side of a cut.
    private static let margin = 3

    let days: ArraySlice<Count>
    let count: Double
    let total: Double

    init(_ days: ArraySlice<Count>) {
      self.days = days
      count = days.reduce(0) { $0 + $1.count }
      total = days.reduce(0) { $0 + $1.total }
    }

    /// The day at which the share changes; nil where it does not.
    func change(_ random: inout SplitMix64) -> Int? {
      guard days.count >= fewestDays - 2, count > 0, count < total, let best = bestCut else { return nil }
      let isLarge = best.gain > 9 * max(1, dispersion(cutAt: best.day))
      return isLarge && isRareAmongShuffles(&random) ? best.day : nil
    }

    private var bestCut: (day: Int, gain: Double)? {
      var best: (day: Int, gain: Double)?
      var before = Count(0, 0)
      for day in days.indices {
        if day >= days.startIndex + Self.margin, day <= days.endIndex - Self.margin {
          let after = Count(count - before.count, total - before.total)
          let gain = 2 * (Self.likelihood(before) + Self.likelihood(after) - Self.likelihood((count, total)))
          if gain > best?.gain ?? 0 { best = (day, gain) }
        }
        before = (before.count + days[day].count, before.total + days[day].total)
      }
      return best
    }

    private static func likelihood(_ side: Count) -> Double {
      guard side.count > 0, side.count < side.total else { return 0 }
      return side.count * naturalLogarithm(side.count / side.total)
        + (side.total - side.count) * naturalLogarithm((side.total - side.count) / side.total)
    }

    /// The long-run variance of what the two sides leave, in units of the binomial one.
    private func dispersion(cutAt cut: Int) -> Double {
      var left: [Double] = []
      for side in [days[..<cut], days[cut...]] {
        let total = side.reduce(0) { $0 + $1.total }
        let share = total > 0 ? side.reduce(0) { $0 + $1.count } / total : 0
        left += side.map { $0.count - share * $0.total }
      }
      let lags = 2
      var sum = left.reduce(0) { $0 + $1 * $1 }
      for lag in 1...lags { sum += 2 * zip(left, left.dropFirst(lag)).reduce(0) { $0 + $1.0 * $1.1 } }
      let share = count / total
      let days = Double(left.count)
      return sum / (share * (1 - share) * total) * days / (days - 2 * Double(lags))
    }

    /// Whether few shuffles of whole blocks differ as much on any two sides as the days do.
    private func isRareAmongShuffles(_ random: inout SplitMix64) -> Bool {
      let block = days.count < 20 ? 2 : 3
      let blocks = days.count / block
      // The days that fill no block are left out at a random end.
      let first = days.startIndex + random.number(below: days.count - blocks * block + 1)
      var order = Array(0..<blocks)
      let observed = greatestDifference(order, of: block, from: first)
      var extremes = 0
      for _ in 0..<ChangePoint.shuffles where extremes < ChangePoint.fewestExtremes {
        order.shuffle(using: &random)
        // Shuffles that repeat the order add up the same numbers in another order.
        if greatestDifference(order, of: block, from: first) >= observed * (1 - 1e-12) { extremes += 1 }
      }
      return extremes < ChangePoint.fewestExtremes
    }

    /// The greatest squared difference of two sides over its binomial variance, up to a factor.
    private func greatestDifference(_ order: [Int], of block: Int, from first: Int) -> Double {
      let used = days[first..<(first + order.count * block)]
      let total = used.reduce(0) { $0 + $1.total }
      guard total > 0 else { return 0 }
      let share = used.reduce(0) { $0 + $1.count } / total
      var greatest = 0.0
      var (sum, before, passed) = (0.0, 0.0, 0)
      for place in order {
        for day in (first + place * block)..<(first + (place + 1) * block) {
          sum += days[day].count - share * days[day].total
          before += days[day].total
          passed += 1
          guard passed >= Self.margin, passed <= used.count - Self.margin else { continue }
          greatest = max(greatest, sum * sum / max(1e-9, before * (total - before) / total))
        }
      }
      return greatest
    }
  }
}
