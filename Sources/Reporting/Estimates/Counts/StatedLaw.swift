internal import Numerics
internal import Values

/// What users with a value are worth where only the mapping states it: its mean, and its ends.
///
/// Even on both sides of the mean, with the weights that keep the mean: of an amount in the middle of its range that is
/// the even law. Above an open value it is an exponential law from the lower end; where the mapping counts no more than
/// that end, it lets users be worth as much again.
struct StatedLaw {
  let mean: Double
  let low: Double
  /// Infinite where the value is open above.
  let high: Double

  private var isOpen: Bool { !high.isFinite }

  /// How far users of an open value lie above its lower end on average.
  private var excess: Double { mean > low ? mean - low : max(0, low) }

  var variance: Double {
    if isOpen { return excess * excess }
    return max(0, (high - mean) * (mean - low) / 3)
  }

  func draw(_ random: inout SplitMix64) -> Double {
    if isOpen { return low + excess * random.exponential() }
    guard high > low else { return mean }
    let isBelow = random.happens((high - mean) / (high - low))
    return isBelow ? low + (mean - low) * random.fraction() : mean + (high - mean) * random.fraction()
  }
}
