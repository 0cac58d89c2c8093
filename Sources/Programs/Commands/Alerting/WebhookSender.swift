import Alerts
import HTTPClient
import Ledger
import System
import Values

/// Brings one webhook what it is to be told, one notice after the other, on a thread of its own.
///
/// Notices wait in memory and in the database, so that neither a restart nor a database that can't be written loses
/// one. Whoever is down gets them later, at least once.
final class WebhookSender: Sendable {
  /// Posts a notice and returns the status of the answer.
  typealias Post =
    @Sendable (AlertNotice, _ headers: [(name: String, value: String)]) throws(PostError) -> Int

  /// Notices that wait at most; a webhook that is down for long loses the oldest.
  static let capacity = 1000

  private static let pause: UInt32 = 250_000

  private let webhook: Webhook
  private let database: String
  private let backoff: Backoff
  private let log: ServiceLog
  private let clock: WallClock
  private let queue: Guarded<[AlertNotice]>
  private let dice: Guarded<SplitMix64>

  /// Serves a webhook.
  init(
    _ webhook: Webhook, database: String, backoff: Backoff = Backoff(), seed: UInt64? = nil, log: ServiceLog,
    clock: @escaping WallClock
  ) {
    self.webhook = webhook
    self.database = database
    self.backoff = backoff
    self.log = log
    self.clock = clock
    queue = Guarded([])
    dice = Guarded(SplitMix64(seed: seed ?? UInt64(bitPattern: clock().milliseconds)))
  }

  /// Takes up what the database still has, and goes on delivering on a thread that lasts as long as the process.
  ///
  /// - Throws: `ThreadError`.
  func start() throws(ThreadError) {
    load()
    _ = try Worker { [self] in
      while true {
        rest(microseconds: Self.pause)
        deliver(by: Self.overHTTP(to: webhook.url))
      }
    }
  }

  /// Takes up what the database still has.
  func load() {
    if let waiting = try? LedgerReader(path: database).alertNotices(
      for: webhook.digest, limit: Self.capacity)
    {
      add(waiting)
    }
  }

  /// Takes notices on.
  func add(_ notices: [AlertNotice]) {
    queue.withLock { queue in
      for notice in notices where !queue.contains(where: { $0.id == notice.id }) { queue.append(notice) }
      if queue.count > Self.capacity { queue.removeFirst(queue.count - Self.capacity) }
    }
  }

  /// Notices that wait.
  var waiting: Int { queue.withLock { $0.count } }

  /// Posts what is due; the first that fails ends it, because the others would too.
  func deliver(by post: Post) {
    while let notice = queue.withLock({ queue in queue.first }), backoff.isDue(notice, now: clock()) {
      let failure: String
      do {
        let status = try post(notice, webhook.headers(for: notice, now: clock()))
        if (200..<300).contains(status) {
          finish(notice)
          continue
        }
        failure = "answered \(status)"
      } catch {
        failure = "\(error)"
      }
      return putOff(notice, failure)
    }
  }

  private func putOff(_ notice: AlertNotice, _ failure: String) {
    let next = dice.withLock { dice in backoff.retry(notice, now: clock(), &dice) }
    let fields: [(String, ServiceLog.Value)] = [
      ("webhook", .string(webhook.place)), ("delivery", .string(notice.id)), ("reason", .string(failure)),
    ]
    guard let next else {
      log.write(.error, "alert-not-delivered", fields)
      return finish(notice)
    }
    if next.attempts == 1 { log.write(.warning, "alert-delivery-failed", fields) }
    queue.withLock { queue in
      if let index = queue.firstIndex(where: { $0.id == next.id }) { queue[index] = next }
    }
    // Where the database can't be written, memory still knows; a restart then only tries earlier.
    try? AlertStore(path: database).postpone(next)
  }

  private func finish(_ notice: AlertNotice) {
    queue.withLock { queue in queue.removeAll { $0.id == notice.id } }
    // A notice that stays in the database is delivered again after a restart, with the same id.
    try? AlertStore(path: database).remove(notice)
  }

  private static func overHTTP(to url: String) -> Post {
    { (notice, headers) throws(PostError) in
      try HTTPPoster().post(notice.body, to: url, headers: headers)
    }
  }
}
