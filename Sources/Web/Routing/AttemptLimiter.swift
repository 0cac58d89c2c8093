package import System
import Values

/// Limits how often a client may try something that can be guessed, such as a token.
///
/// Clients on the same machine are limited too, because a program there can guess as well as any other.
package final class AttemptLimiter: Sendable {
  /// Attempts at once after a rest.
  package static let burst = 10
  /// Seconds after which one more is allowed.
  static let secondsEach = 6

  private let table = BucketTable(buckets: 1 << 14, rejectedPerDay: 0)
  private let rate = BucketRate(interval: Int64(secondsEach) * 1_000_000, burst: Int64(burst))
  private let clock: WallClock

  package init(clock: @escaping WallClock) { self.clock = clock }

  /// Counts an attempt of a client.
  ///
  /// - Returns: Seconds to wait where there were too many; `nil` where it may go on.
  package func secondsToWait(_ client: ClientAddress) -> Int64? {
    let subscriber = client.subscriber
    let key = BucketTable.Key(high: subscriber.high, low: subscriber.low, app: -3)
    return table.take(key, rate, now: clock()).retrySeconds
  }
}
