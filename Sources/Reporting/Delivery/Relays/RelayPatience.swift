import Values

/// How long a relay tries, and how often.
package struct RelayPatience: Sendable {
  /// The pauses after failures: a second at first, doubled up to a quarter of an hour; given up after nine days, as long
  /// as Apple's devices try.
  package var backoff = Backoff(first: 1000, longest: 900_000, givesUpAfter: 9 * Day.milliseconds)
  /// The pause before a declined postback is tried once more, in milliseconds.
  package var secondTry: Int64 = 60_000
  /// Declines without an acceptance in between after which the relay pauses too: then the address is wrong rather than
  /// each of the postbacks.
  package var declinesInARow = 16
  /// The longest pause that an answer can ask for with Retry-After, in milliseconds.
  package var longestRetryAfter: Int64 = 3_600_000
  /// Accepted postbacks that may wait to be noted, and as many that may be sent meanwhile besides those that are under way;
  /// a process that is killed sends them again.
  package var unsaved = 32

  package init() {}

  /// Whether an attempt is due; a moment later than any pause is of a clock that was ahead then.
  func isDue(_ nextAt: Instant?, now: Instant) -> Bool {
    guard let nextAt else { return true }
    return nextAt <= now || nextAt > now + max(backoff.longest, longestRetryAfter)
  }
}
