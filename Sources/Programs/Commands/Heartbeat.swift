import Ledger
import System

/// Tells the service manager that the daemon makes progress, for as long as its writer does.
final class Heartbeat: Sendable {
  /// What is known of a writer at one moment.
  struct Look: Hashable, Sendable {
    /// Transactions that ended, well or not.
    var attempts = 0
    /// Whether somebody waits for one.
    var hasWork = false
  }

  private let manager: ServiceManager
  private let before = Guarded(Look())
  private let look: @Sendable () -> Look

  /// Watches a writer.
  ///
  /// - Parameters:
  ///   - manager: Who is told.
  ///   - look: Looks at the writer.
  init(_ manager: ServiceManager, _ look: @escaping @Sendable () -> Look) {
    self.manager = manager
    self.look = look
  }

  /// Starts to tell, where the manager watches, on a thread that lasts as long as the process.
  ///
  /// - Throws: `ThreadError`.
  func start() throws(ThreadError) {
    guard let limit = manager.watchdogMicroseconds else { return }
    // Four times within the limit, so that one look that finds no progress does not end the service.
    let pause = UInt32(clamping: max(1000, limit / 4))
    _ = try Worker { [self] in
      while true {
        if makesProgress() { manager.notify(.alive) }
        rest(microseconds: pause)
      }
    }
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
  /// Looks at the writer of a ledger.
  init(_ statistics: PostbackLedger.Statistics) {
    attempts = statistics.commits + statistics.failedCommits
    hasWork = statistics.waiting + statistics.underWay > 0
  }
}
