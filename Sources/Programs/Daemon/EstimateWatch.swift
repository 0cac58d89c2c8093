import Campaigns
import EstimateReports
import Ledger
import System
import Values

/// Makes what the usual pages are estimated from again in the background after its inputs changed, so that pages do not wait for it.
final class EstimateWatch: Watch {
  /// Seconds for which pages show estimates without newer conversions, rather than wait for others.
  private static let secondsBehind: Int64 = 900
  /// Seconds between two looks, during which more conversions come; a fit takes some seconds of one processor.
  private static let secondsBetween: UInt64 = 180

  private let keeper: PartKeeper
  private let context: DaemonContext
  private let problem = Guarded<String?>(nil)
  private let periodic = Periodic(everyMicroseconds: secondsBetween * 1_000_000, .background)

  init(_ keeper: PartKeeper, _ context: DaemonContext) {
    self.keeper = keeper
    self.context = context
  }

  /// Keeps what pages and watch make.
  static func newKeeper() -> PartKeeper { PartKeeper(secondsBehind: secondsBehind) }

  func start() throws(ThreadError) {
    try periodic.start { [self] in look() }
    periodic.tick()
  }

  /// What is being made is left to itself.
  func stop() { periodic.stop(withinSeconds: 1) }

  /// Makes what is not kept of the database as it is now.
  func look() {
    defer { releaseFreeMemory() }
    do {
      try EstimateReport.keepUsual(
        from: try LedgerReader(path: context.database), now: context.clock(), in: keeper)
      problem.withLock { $0 = nil }
    } catch {
      let reason = "\(error)"
      let isNew = problem.withLock { problem in
        defer { problem = reason }
        return problem != reason
      }
      if isNew { context.log.write(.error, "estimates-not-made", [("reason", .string(reason))]) }
    }
  }
}
