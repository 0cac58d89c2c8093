import Ledger
import System

/// Notifies the service manager that the daemon makes progress, for as long as its writer does.
final class Heartbeat: Watch {
  /// What is known of a writer at one moment.
  struct Look: Equatable, Sendable {
    /// Transactions that ended, well or not.
    var attempts = 0
    /// Whether a manager waits for one.
    var hasWork = false
  }

  private let manager: ServiceManager
  private let before = Guarded(Look())
  private let look: @Sendable () -> Look
  private let periodic: Periodic

  init(_ manager: ServiceManager, _ look: @escaping @Sendable () -> Look) {
    self.manager = manager
    self.look = look
    // Four times within the limit, so that one look that finds no progress does not end the service.
    periodic = Periodic(everyMicroseconds: max(1000, (manager.watchdogMicroseconds ?? 0) / 4))
  }

  /// Begins at once, where the manager watches.
  func start() throws(ThreadError) {
    guard manager.watchdogMicroseconds != nil else { return }
    beat()
    try periodic.start { [self] in beat() }
  }

  func stop() { periodic.stop() }

  private func beat() {
    if makesProgress() { manager.notify(.alive) }
  }

  /// Whether the writer has nothing to do or ended a transaction since the last look, failed ones included: a full
  /// disk is not mended by a restart.
  func makesProgress() -> Bool {
    let now = look()
    return before.withLock { before in
      defer { before = now }
      return !now.hasWork || !before.hasWork || now.attempts != before.attempts
    }
  }
}

extension Heartbeat.Look {
  init(_ statistics: PostbackLedger.Statistics) {
    attempts = statistics.commits + statistics.failedCommits
    hasWork = statistics.waiting + statistics.underWay > 0
  }
}
