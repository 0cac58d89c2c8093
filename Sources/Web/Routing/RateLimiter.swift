import Synchronization
package import System

/// Keeps one client from taking what others need.
///
/// Clients on the same machine are not limited: they could do worse, and all devices behind a local proxy that is not
/// configured as trusted would share one bucket.
package final class RateLimiter: Sendable {
  package enum Scope: String, CaseIterable, Sendable {
    case address
    case app
    case network
  }

  private let table: BucketTable
  private let perClient: BucketRate?
  private let perApp: BucketRate?
  private let proxies: TrustedProxies
  private let clock: WallClock
  private let limited: InlineArray<3, Atomic<Int>> = InlineArray { _ in Atomic(0) }

  package init(
    _ limits: RateLimits, proxies: TrustedProxies = TrustedProxies(), clock: @escaping WallClock,
    buckets: Int = 1 << 16
  ) {
    table = BucketTable(buckets: buckets, rejectedPerDay: limits.rejectedPerDay)
    perClient = BucketRate(perSecond: limits.requestsPerSecond, burst: limits.burst)
    perApp = BucketRate(perSecond: limits.requestsPerSecondPerApp, burst: limits.burstPerApp)
    self.proxies = proxies
    self.clock = clock
  }

  package struct Admission: Sendable {
    fileprivate let client: ClientAddress
    fileprivate let isSlowed: Bool
    fileprivate let isExempt: Bool
  }

  /// Allows a client's request, or reports why not.
  package func admit(_ client: ClientAddress) -> Result<Admission, Limited> {
    guard !isExempt(client) else {
      return .success(Admission(client: client, isSlowed: false, isExempt: true))
    }
    let answer = table.take(Self.key(client), perClient, now: clock())
    if let seconds = answer.retrySeconds { return .failure(count(.address, seconds)) }
    return .success(Admission(client: client, isSlowed: answer.isSlowed, isExempt: false))
  }

  /// Reports why a client may send no request now; nil where it may.
  package func rejection(of client: ClientAddress) -> Limited? {
    if case .failure(let limited) = admit(client) { limited } else { nil }
  }

  /// Reports why a client that was allowed may send no postback of that app now; nil where it may.
  package func rejection(of admission: Admission, app: Int64) -> Limited? {
    guard !admission.isExempt, perApp != nil else { return nil }
    let key = Self.key(admission.client, app: max(0, app))
    return table.take(key, perApp, slowed: admission.isSlowed, now: clock()).retrySeconds
      .map { count(.app, $0) }
  }

  /// Reports why a network may send no batch now; nil where it may.
  package func rejection(ofNetwork name: String) -> Limited? {
    guard perClient != nil else { return nil }
    let key = BucketTable.Key(high: .max, low: UInt64(bitPattern: Int64(name.hashValue)), app: -2)
    return table.take(key, perClient, now: clock()).retrySeconds.map { count(.network, $0) }
  }

  package func countRejected(_ client: ClientAddress) {
    if !isExempt(client) { table.countRejected(Self.key(client), now: clock()) }
  }

  /// Requests that were turned away since the start.
  package func limitedRequests(_ scope: Scope) -> Int { limited[Self.index(scope)].load(ordering: .relaxed) }

  /// How often a bucket gave way before it was full.
  package var overflows: Int { table.overflows }

  private func isExempt(_ client: ClientAddress) -> Bool {
    client.address.isLoopback && !proxies.contains(client.address)
  }

  private func count(_ scope: Scope, _ seconds: Int64) -> Limited {
    limited[Self.index(scope)].add(1, ordering: .relaxed)
    return Limited(scope: scope, retrySeconds: seconds)
  }

  private static func index(_ scope: Scope) -> Int {
    switch scope {
    case .address: 0
    case .app: 1
    case .network: 2
    }
  }

  private static func key(_ client: ClientAddress, app: Int64 = -1) -> BucketTable.Key {
    let subscriber = client.subscriber
    return BucketTable.Key(high: subscriber.high, low: subscriber.low, app: app)
  }
}

/// Why a request has to wait.
package struct Limited: Error, Equatable {
  let scope: RateLimiter.Scope
  /// Seconds after which another try may succeed, at least 1.
  let retrySeconds: Int64
}
