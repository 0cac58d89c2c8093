import Campaigns
import Delivery
import Ledger
import Reports
import System
import Values

/// Hands the digest of each week to the webhooks that want it, on Monday morning, on a thread of its own.
///
/// The database keeps the last week that was handed over, so that no restart repeats one. A service that was down on
/// Monday makes up for the last week alone.
final class DigestWatch: Watch {
  /// The time of Monday, UTC, from which the week's digest is due, in milliseconds: most of Sunday has arrived.
  static let due = 8 * Hour.milliseconds

  private let webhooks: [Webhook]
  private let context: DaemonContext
  private let deliver: @Sendable ([AlertNotice]) -> Void
  private let problem = Guarded<String?>(nil)
  /// When a digest that could not be made is tried again.
  private let retry = Guarded<Instant?>(nil)
  private let periodic: Periodic

  /// - Parameter deliver: Takes notices that are in the database already.
  init(
    _ webhooks: [Webhook], _ context: DaemonContext, everySeconds seconds: Int = 60,
    deliver: @escaping @Sendable ([AlertNotice]) -> Void
  ) {
    self.webhooks = webhooks.filter { $0.digestPages != nil }
    self.context = context
    self.deliver = deliver
    periodic = Periodic(everyMicroseconds: UInt64(seconds) * 1_000_000, .background)
  }

  func start() throws(ThreadError) {
    guard !webhooks.isEmpty else { return }
    try periodic.start { [self] in look() }
  }

  /// A digest that is being made is left to itself; the next start makes it.
  func stop() { periodic.stop(withinSeconds: 1) }

  /// Hands over the last week, if it is due and was not handed over.
  func look() {
    let now = context.clock()
    if let retry = retry.withLock({ $0 }), now < retry { return }
    let monday = Digest.lastWeek(before: now + -Self.due)
    let end = Day(number: monday.number + 7).start
    do {
      let reader = try LedgerReader(path: context.database)
      if let last = try reader.last(.digest), last >= end { return }
      let digest = try Digest(
        weekOf: monday, from: ReportSource(reader: reader, now: now, keeper: context.keeper))
      let notices = webhooks.compactMap { $0.notice(of: digest, now: now, wording: $0.wording) }
      guard try AlertStore(context.changes).save(digest: notices, ofWeekBefore: end) else { return }
      deliver(notices)
      problem.withLock { $0 = nil }
      retry.withLock { $0 = nil }
      context.log.write(
        .info, "digest", [("week", .string("\(monday)")), ("subject", .string(digest.subject.english))])
    } catch {
      let reason = "\(error)"
      let isNew = problem.withLock { problem in
        defer { problem = reason }
        return problem != reason
      }
      retry.withLock { $0 = now + Hour.milliseconds }
      if isNew { context.log.write(.error, "digest-not-made", [("reason", .string(reason))]) }
    }
  }
}
