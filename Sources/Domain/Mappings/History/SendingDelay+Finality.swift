extension SendingDelay {
  /// How likely each moment is at which a value can be final.
  enum Finality: Hashable, Sendable {
    case even
    /// Most values are final soon, and a few at the end of a long chain of rises.
    ///
    /// The share that is not final x hours after the beginning is (a / (a + x))² with a = 12, cut off at the end: half
    /// a day on average, five hours for half of the users. It is for users whose updates are not recorded; the
    /// last rise of 60,000 users of the synthetic sample is 0 to 23 hours after first launch on average, by value.
    case early
    case learned(LearnedFinality)

    private static let meanHours = 12.0

    /// The integral, over the hours up to one, of the probability that the value is final by then.
    ///
    /// - Parameters:
    ///   - hours: Hours after first launch.
    func finalHours(until hours: Double, in range: ClosedRange<Double>) -> Double {
      let passed = hours - range.lowerBound
      let spread = range.upperBound - range.lowerBound
      guard passed > 0 else { return 0 }
      if case .learned(let law) = self { return law.finalHours(until: hours, in: range) }
      guard spread > 0 else { return passed }
      let within = min(passed, spread)
      let mean = Self.meanHours
      func survival(_ x: Double) -> Double { mean / (mean + x) * (mean / (mean + x)) }
      let integral =
        self == .early
        ? (within + mean * mean / (mean + within) - mean) / (1 - survival(spread))
        : within * within / (2 * spread)
      return integral + max(0, passed - spread)
    }
  }
}
