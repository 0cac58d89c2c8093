import Journal
import Ledger
import Service
import System
import Values

/// The watches whose work only one node of a journal does.
///
/// They are those of the folder of mappings, alerts with their webhooks, digests, relays, pulls and checkpoints. Without a journal
/// that node is this process.
final class SoleWatches: Watch {
  /// When this process does the work.
  enum Turn {
    case always
    /// While it has the lease.
    case leased(NodeLease)
    case never

    init(following journal: LedgerJournal?, _ context: DaemonContext) {
      guard let journal else {
        self = .always
        return
      }
      self = journal.role == .receive ? .never : .leased(NodeLease(journal.name, context))
    }
  }

  struct Running: Sendable {
    let mappings: MappingWatch?
    let alerts: AlertWatch
    let digests: DigestWatch
    let relays: RelayWatch
    let pulls: PullWatch
    /// `nil` without a journal.
    let checkpoints: CheckpointWatch?

    fileprivate var all: [any Watch] {
      // Relays first, because another node may send already what they would send.
      let optional: [(any Watch)?] = [relays, mappings, alerts, digests, pulls, checkpoints]
      return optional.compactMap { $0 }
    }
  }

  private let context: DaemonContext
  private let turn: Turn
  private let make: @Sendable (DaemonContext) throws -> Running
  /// Shows what another node found.
  private let showOthers: @Sendable () -> Void
  private let running = Guarded<Running?>(nil)
  /// The epoch of the lease that they run under.
  private let epoch = Guarded<Int64?>(nil)
  /// Why they could not begin, so that it is logged once and not at every look.
  private let problem = Guarded<String?>(nil)
  private let periodic = Periodic(everyMicroseconds: 500_000)

  /// Where it is always this process, what has to be noted before the first postback is noted now.
  init(
    _ context: DaemonContext, _ turn: Turn, showOthers: @escaping @Sendable () -> Void,
    _ make: @escaping @Sendable (DaemonContext) throws -> Running
  ) throws {
    (self.context, self.turn) = (context, turn)
    (self.make, self.showOthers) = (make, showOthers)
    guard case .always = turn else { return }
    let made = try make(context)
    running.withLock { $0 = made }
  }

  func start() throws(ThreadError) {
    if case .always = turn {
      for watch in running.withLock({ $0?.all ?? [] }) { try watch.start() }
      return
    }
    try periodic.start { [self] in look() }
  }

  func stop() {
    periodic.stop()
    end()
  }

  func reload() {
    guard let running = running.withLock({ $0 }) else { return }
    running.mappings?.reload()
    running.alerts.reload()
    running.relays.reload()
    running.pulls.reload()
  }

  private func look() {
    guard case .leased(let lease) = turn else {
      context.figures.update { $0.hasJobs = false }
      return showOthers()
    }
    let (now, before) = (lease.look(), epoch.withLock { $0 })
    if before != nil, before != now {
      epoch.withLock { $0 = nil }
      end()
      context.log.write(.info, "watches-ended", [("node", .string(lease.node))])
    }
    if let now, before != now { begin(lease, now) }
    if now == nil { showOthers() }
    context.figures.update { $0.hasJobs = now != nil }
  }

  private func begin(_ lease: NodeLease, _ now: Int64) {
    let node = ("node", ServiceLog.Value.string(lease.node))
    do {
      let made = try make(lease.context(of: now))
      running.withLock { $0 = made }
      for watch in made.all { try watch.start() }
      epoch.withLock { $0 = now }
      context.log.write(.info, "watches-begun", [node])
      problem.withLock { $0 = nil }
    } catch {
      end()
      let reason = "\(error)"
      let isNew = problem.withLock { problem in
        defer { problem = reason }
        return problem != reason
      }
      // The next look tries again.
      guard isNew else { return }
      context.log.write(.error, "watches-not-begun", [node, ("reason", .string(reason))])
    }
  }

  private func end() {
    let ended = running.withLock { running in
      defer { running = nil }
      return running
    }
    for watch in ended?.all ?? [] { watch.stop() }
  }
}
