internal import Numerics
internal import Values

/// The law of what some users come to together: Pearson's type III, a gamma law that is moved and perhaps mirrored.
///
/// Source: Pearson, "Contributions to the mathematical theory of evolution II", 1895.
struct SkewedSum {
  var mean = 0.0
  var variance = 0.0
  /// The sum of the users' mean cubed distances.
  var third = 0.0
  var least = 0.0

  private static let mostSkew = 8.0
  /// Below this skewness the law is a normal one.
  private static let leastSkew = 0.02

  mutating func add(_ users: Double, _ worth: WorthDraw, low: Double) {
    mean += users * worth.mean
    variance += users * worth.variance
    third += users * worth.third
    least += users * low
  }

  func draw(_ random: inout SplitMix64) -> Double {
    guard variance > 0 else { return mean }
    let deviation = variance.squareRoot()
    var skew = abs(third) / (variance * deviation)
    if third >= 0, mean > least {
      // The law begins no lower than what is sure, so that nothing is cut off and the mean is kept.
      skew = max(skew, 2 * deviation / (mean - least))
    }
    skew = min(Self.mostSkew, skew)
    guard skew >= Self.leastSkew else { return max(least, mean + deviation * random.normal()) }
    let shape = 4 / (skew * skew)
    let distance = (random.gamma(shape: shape) - shape) * skew / 2
    return max(least, mean + (third < 0 ? -distance : distance) * deviation)
  }
}
