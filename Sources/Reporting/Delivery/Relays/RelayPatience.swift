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

  /// The pause of the whole relay after an attempt that failed, in milliseconds.
  ///
  /// An answer can ask for a longer one than attempts that failed in a row come to.
  func pause(after outcome: RelayVerdict?, failures: Int64, _ random: inout SplitMix64) -> Int64 {
    var asked: Int64 = 0
    if case .failed(_, _, let seconds?) = outcome {
      asked = min(max(seconds, 0), longestRetryAfter / 1000) * 1000
    }
    return max(asked, backoff.pause(afterFailures: failures, &random))
  }

  /// Whether an attempt is due; `nil` is now.
  func isDue(_ nextAt: Instant?, now: Instant) -> Bool {
    backoff.isDue(nextAt, now: now, longestAsked: longestRetryAfter)
  }
}
