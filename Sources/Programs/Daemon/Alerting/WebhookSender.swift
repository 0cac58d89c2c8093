import Ledger
import System
import Values
import Delivery

/// Posts notices to one webhook, one after the other, on a thread of its own.
///
/// Notices wait in memory and in the database, so that neither a restart nor a database that can't be written loses
/// one. A receiver that is down gets them later, at least once.
final class WebhookSender: Sendable {
  /// Posts a notice and returns the status of the answer.
  typealias Post = @Sendable (AlertNotice, _ headers: [(name: String, value: String)]) throws -> Int

  /// Notices that wait at most; a webhook that is down for long loses the oldest.
  static let capacity = 1000

  private let webhook: Webhook
  private let context: DaemonContext
  private let backoff: Backoff
  private let queue: Guarded<[AlertNotice]>
  /// Done with, and still in the database.
  private let ended = Guarded<[AlertNotice]>([])
  private let random: Guarded<SplitMix64>
  private let periodic = Periodic(everyMicroseconds: 250_000)

  init(_ webhook: Webhook, _ context: DaemonContext, backoff: Backoff = Backoff(), seed: UInt64? = nil) {
    self.webhook = webhook
    self.context = context
    self.backoff = backoff
    queue = Guarded([])
    random = Guarded(SplitMix64(seed: seed ?? UInt64(bitPattern: context.clock().milliseconds)))
  }

  /// Takes up what the database still has before it returns.
  func start() throws(ThreadError) {
    load()
    try periodic.start { [self] in deliver { try context.channels.webhook(webhook, $0, $1) } }
  }

  /// Asks for the end, which comes after the post that is under way.
  func askToStop() { periodic.askToStop() }

  /// Ends the thread; one that waits for a receiver that does not answer ends by itself, ten seconds later at most.
  func stop() { periodic.stop(withinSeconds: 1) }

  /// Takes up what the database still has.
  func load() {
    if let waiting = try? LedgerReader(path: context.database).alertNotices(
      for: webhook.digest, limit: Self.capacity)
    {
      add(waiting)
    }
  }

  func add(_ notices: [AlertNotice]) {
    queue.withLock { queue in
      for notice in notices where !queue.contains(where: { $0.id == notice.id }) { queue.append(notice) }
      if queue.count > Self.capacity { queue.removeFirst(queue.count - Self.capacity) }
    }
  }

  var waiting: Int { queue.withLock { $0.count } }

  /// Posts what is due; the first that fails ends it, because the others would too.
  func deliver(by post: Post) {
    removeEnded()
    while !periodic.isStopping, let notice = queue.withLock({ queue in queue.first }),
      backoff.isDue(notice.nextAt, now: context.clock())
    {
      let failure: String
      do {
        let status = try post(notice, webhook.headers(for: notice, now: context.clock()))
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
    let next = random.withLock { random in backoff.retry(notice, now: context.clock(), &random) }
    let fields: [(String, ServiceLog.Value)] = [
      ("webhook", .string(webhook.place)), ("delivery", .string(notice.id)), ("reason", .string(failure)),
    ]
    guard let next else {
      context.log.write(.error, "alert-not-delivered", fields)
      return finish(notice)
    }
    if next.attempts == 1 { context.log.write(.warning, "alert-delivery-failed", fields) }
    queue.withLock { queue in
      if let index = queue.firstIndex(where: { $0.id == next.id }) { queue[index] = next }
    }
    // Where the database can't be written, memory still knows; a restart then only tries earlier.
    try? AlertStore(context.changes).postpone(next)
  }

  private func finish(_ notice: AlertNotice) {
    queue.withLock { queue in queue.removeAll { $0.id == notice.id } }
    end([notice])
    removeEnded()
  }

  private func end(_ notices: [AlertNotice]) {
    // Of a database that cannot be written for long, the oldest are delivered again after a restart.
    ended.withLock { $0 = ($0 + notices).suffix(Self.capacity) }
  }

  /// Takes note of notices that could be saved only after they were added: those that are done with are removed again.
  func noteSaved(_ notices: [AlertNotice]) {
    let late = queue.withLock { queue in notices.filter { notice in !queue.contains { $0.id == notice.id } } }
    end(late)
  }

  /// Removes what is done with from the database, now or once that can be written: what is still there after a restart is
  /// delivered again, with the same id.
  private func removeEnded() {
    while let notice = ended.withLock({ $0.first }) {
      do { try AlertStore(context.changes).remove(notice) } catch { return }
      ended.withLock { ended in ended.removeAll { $0.id == notice.id } }
    }
  }
}
