/// What parts can be at least and at most, given what each can be and what all come to.
///
/// Sharp: each end is reached by some worths that all bounds allow. Source: Moon, "Partial identification of conditional
/// means from aggregates", arXiv 2403.07236.
package struct SharpBounds: Sendable {
  package let parts: [Interval]

  /// - Parameters:
  ///   - bounds: What each part can be by itself.
  ///   - total: What all come to, at least and at most.
  package init(_ bounds: [Interval], total: Interval) {
    let (least, most) = (bounds.reduce(0) { $0 + $1.low }, bounds.reduce(0) { $0 + $1.high })
    parts = bounds.map { own in
      let low = max(own.low, most.isFinite ? total.low - (most - own.high) : -.infinity)
      let high = min(own.high, total.high - (least - own.low))
      return Interval(low: min(low, max(own.low, high)), high: max(high, own.low))
    }
  }

  /// Whether parts can have a sum.
  package func allow(sum: Double) -> Bool {
    let tolerance = 1e-9 * max(1, abs(sum))
    return parts.reduce(0) { $0 + $1.low } <= sum + tolerance
      && sum <= parts.reduce(0) { $0 + $1.high } + tolerance
  }

  /// Amounts within the bounds that have the same sum: each moves by its weight until it reaches an end.
  ///
  /// - Parameter weights: How easily each moves, 0 or more.
  /// - Returns: The amounts as they are where the bounds do not allow their sum.
  package func holding(_ amounts: [Double], weights: [Double]) -> [Double] {
    let sum = amounts.reduce(0, +)
    guard allow(sum: sum), zip(amounts, parts).contains(where: { $0 < $1.low || $0 > $1.high }) else {
      return amounts
    }
    // A part without spread still has to move where no other can.
    let least = 1e-9 * max(1e-9, weights.max() ?? 1)
    func moved(_ step: Double) -> [Double] {
      amounts.indices.map { index in
        min(max(amounts[index] + step * max(least, weights[index]), parts[index].low), parts[index].high)
      }
    }
    func lacks(_ step: Double) -> Double { sum - moved(step).reduce(0, +) }
    // More and more of them are at their ends, so that what is lacking falls as the step grows.
    var (low, high) = (-1.0, 1.0)
    for _ in 0..<200 where lacks(low) < 0 { low *= 2 }
    for _ in 0..<200 where lacks(high) > 0 { high *= 2 }
    for _ in 0..<200 {
      let middle = (low + high) / 2
      if lacks(middle) > 0 { low = middle } else { high = middle }
    }
    return moved((low + high) / 2)
  }
}
