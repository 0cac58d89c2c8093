internal import Numerics

extension Interval {
  /// The standard errors from the middle of a normal law to each end of its 90 % interval.
  package static let normalReach = normalQuantile(0.95)

  /// Wilson's interval of a share.
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
