import System

/// A group that is more likely to be shown the larger it is: a logistic curve over the logarithm of the installs.
public struct LogisticReveal: Equatable, Sendable {
  /// The installs of a campaign on a day at which half of the values are shown.
  public let median: Double
  /// How flat the curve is, in units of the natural logarithm of installs.
  public let slope: Double

  /// How much larger the group has to be for the source app than for the value.
  ///
  /// A guess: the source app is seen missing more often.
  static let sourceFactor = 2.0

  /// Joins the two numbers, both above 0.
  public init(median: Double, slope: Double = 0.35) {
    self.median = median
    self.slope = slope
  }

  /// The probability that a value is shown, 0 through 1.
  public func probability(installs: Int) -> Double {
    guard installs > 0 else { return 0 }
    let distance = (naturalLogarithm(Double(installs)) - naturalLogarithm(median)) / slope
    return 1 / (1 + exponential(-distance))
  }

  /// The curve of the source app.
  public var ofSource: LogisticReveal { LogisticReveal(median: median * Self.sourceFactor, slope: slope) }
}
