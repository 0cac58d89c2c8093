package import Ledger
package import Values

/// When a delivery that failed is tried again.
package struct Backoff: Sendable {
  /// The pause after the first failure, in milliseconds; each further one doubles it.
  package let first: Int64
  /// The longest pause, in milliseconds.
  package let longest: Int64
  /// How long after it was written a notice is given up, in milliseconds.
  package let givesUpAfter: Int64

  /// Sets pauses: a second at first, ten minutes at most, a day in all.
  package init(first: Int64 = 1000, longest: Int64 = 600_000, givesUpAfter: Int64 = Day.milliseconds) {
    self.first = first
    self.longest = longest
    self.givesUpAfter = givesUpAfter
  }

  /// The pause after a number of failures, from 1 on, in milliseconds.
  ///
  /// A random half to the whole of it is taken, so that many services do not come back at one moment.
  package func pause(afterFailures failures: Int64, _ random: inout SplitMix64) -> Int64 {
    let doubled = first << min(max(failures - 1, 0), 30)
    return Int64(Double(min(longest, max(first, doubled))) * (0.5 + random.fraction() / 2))
  }

  /// The notice after a failure; `nil` where it is given up.
  ///
  /// - Parameters:
  ///   - notice: What could not be delivered.
  ///   - random: The random numbers of the pause.
  /// - Returns: When to try again.
  package func retry(_ notice: AlertNotice, now: Instant, _ random: inout SplitMix64) -> AlertNotice? {
    var next = notice
    next.attempts += 1
    next.nextAt = now + pause(afterFailures: Int64(next.attempts), &random)
    let end = notice.createdAt + givesUpAfter
    return next.nextAt < end ? next : nil
  }

  /// Whether the moment to try again has come; `nil` is now.
  ///
  /// A moment later than any pause is of a clock that was ahead then.
  ///
  /// - Parameter longestAsked: The longest pause that an answer can ask for, in milliseconds.
  package func isDue(_ next: Instant?, now: Instant, longestAsked: Int64 = 0) -> Bool {
    guard let next else { return true }
    return next <= now || next > now + max(longest, longestAsked)
  }
}
