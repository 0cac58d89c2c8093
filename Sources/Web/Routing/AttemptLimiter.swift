package import System
import Values

/// Limits how often a client may do what needs no token: guess one, or have pages made without a session.
///
/// Clients on the same machine are limited too, because a program there can guess as well as any other.
package final class AttemptLimiter: Sendable {
  private let table = BucketTable(buckets: 1 << 14, rejectedPerDay: 0)
  private let rate: BucketRate
  private let clock: WallClock

  /// Sets the limit.
  ///
  /// - Parameters:
  ///   - burst: Attempts at once after a rest.
  ///   - secondsEach: Seconds after which one more is allowed.
  package init(burst: Int, secondsEach: Double, clock: @escaping WallClock) {
    rate = BucketRate(interval: Int64(secondsEach * 1_000_000), burst: Int64(burst))
    self.clock = clock
  }

  /// Counts an attempt of a client.
  ///
  /// - Returns: Seconds to wait where there were too many; `nil` where it may go on.
  package func secondsToWait(_ client: ClientAddress) -> Int64? {
    let subscriber = client.subscriber
    let key = BucketTable.Key(high: subscriber.high, low: subscriber.low, app: -3)
    return table.take(key, rate, now: clock()).retrySeconds
  }
}
