/// How much one client or network may send; 0 stands for no limit.
package struct RateLimits: Equatable, Sendable {
  /// Requests a second of one client address (IPv6: of 64 bits of it), and batches a second of one network.
  package var requestsPerSecond = 200
  /// Requests at once that a client or network may send after a rest.
  package var burst = 2000
  /// Postbacks a second of one client address for one app.
  package var requestsPerSecondPerApp = 100
  /// Postbacks at once of one client address for one app.
  package var burstPerApp = 1000
  /// Rejected bodies in a UTC day beyond which an address is slowed to a tenth of its rates.
  package var rejectedPerDay = 1000

  /// Takes the defaults, which suit carriers that put thousands of phones behind one address.
  package init() {}

  package static var none: RateLimits {
    var limits = RateLimits()
    (limits.requestsPerSecond, limits.requestsPerSecondPerApp, limits.rejectedPerDay) = (0, 0, 0)
    return limits
  }
}

/// What a bucket gives: a number at once, and one more after each stretch of time.
struct BucketRate: Equatable, Sendable {
  /// Microseconds until one more is given.
  let interval: Int64
  /// The number at once.
  let burst: Int64

  /// Gives that many a second; nil where either number is 0, which means no limit.
  init?(perSecond: Int, burst: Int) {
    guard perSecond > 0, burst > 0 else { return nil }
    interval = max(1, 1_000_000 / Int64(perSecond))
    self.burst = Int64(burst)
  }

  init(interval: Int64, burst: Int64) {
    self.interval = interval
    self.burst = burst
  }

  var tenth: BucketRate { BucketRate(interval: interval * 10, burst: max(1, burst / 10)) }
}
