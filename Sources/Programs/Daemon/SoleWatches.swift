import Ledger
import Service
import System
import Values

/// The watches whose work only one node of a journal does.
///
/// They are those of the folder of mappings, alerts with their webhooks, digests and relays. Without a journal that node is
/// this process.
final class SoleWatches: Watch {
  struct Running: Sendable {
    let mappings: MappingWatch?
    let alerts: AlertWatch
    let digests: DigestWatch
    let relays: RelayWatch

    fileprivate var all: [any Watch] {
      let optional: [(any Watch)?] = [mappings, alerts, digests, relays]
      return optional.compactMap { $0 }
    }
  }

  private let context: DaemonContext
  private let lease: NodeLease?
  private let make: @Sendable () throws -> Running
  /// Shows what another node found.
  private let showOthers: @Sendable () -> Void
  private let running = Guarded<Running?>(nil)
  /// Why they could not begin, so that it is logged once and not at every look.
  private let problem = Guarded<String?>(nil)
  private let periodic = Periodic(everyMicroseconds: 500_000)

  /// Without a lease, what has to be noted before the first postback is noted now.
  init(
    _ context: DaemonContext, _ lease: NodeLease?, showOthers: @escaping @Sendable () -> Void,
    _ make: @escaping @Sendable () throws -> Running
  ) throws {
    (self.context, self.lease) = (context, lease)
    (self.make, self.showOthers) = (make, showOthers)
    guard lease == nil else { return }
    let made = try make()
    running.withLock { $0 = made }
  }

  func start() throws(ThreadError) {
    guard lease != nil else {
      for watch in running.withLock({ $0?.all ?? [] }) { try watch.start() }
      return
    }
    try periodic.start { [self] in look() }
  }

  func stop() {
    if lease != nil { periodic.stop() }
    end()
  }

  func reload() {
    guard let running = running.withLock({ $0 }) else { return }
    running.mappings?.reload()
    running.alerts.reload()
    running.relays.reload()
  }

  private func look() {
    guard let lease else { return }
    let isOurs = lease.look()
    let isRunning = running.withLock { $0 != nil }
    if isOurs, !isRunning { begin(as: lease.node) }
    if !isOurs, isRunning {
      end()
      context.log.write(.info, "watches-ended", [("node", .string(lease.node))])
    }
    if !isOurs { showOthers() }
  }

  private func begin(as node: String) {
    do {
      let made = try make()
      running.withLock { $0 = made }
      for watch in made.all { try watch.start() }
      context.log.write(.info, "watches-begun", [("node", .string(node))])
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
      context.log.write(.error, "watches-not-begun", [("node", .string(node)), ("reason", .string(reason))])
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
