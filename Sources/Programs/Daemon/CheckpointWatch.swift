import Ledger
import System
import Values

/// Has the nodes of a journal compare their figures, after many postbacks and once an hour.
final class CheckpointWatch: Watch {
  /// Postbacks after which nodes are compared.
  private static let postbacks: Int64 = 100_000
  /// Milliseconds after which they are in any case.
  private static let longest: Int64 = 3_600_000

  private let node: String
  private let context: DaemonContext
  private let periodic = Periodic(everyMicroseconds: 1_000_000)

  init(_ node: String, _ context: DaemonContext) {
    self.node = node
    self.context = context
  }

  func start() throws(ThreadError) { try periodic.start { [self] in look() } }

  func stop() { periodic.stop() }

  private func look() {
    let now = context.clock()
    do throws(LedgerError) {
      let last = try context.changes.read { reader throws(LedgerError) in try reader.lastCheckpoint() }
      if let last {
        let isDue =
          last.postbacksBehind >= Self.postbacks
          || now.milliseconds - last.checkpoint.at.milliseconds >= Self.longest
        guard isDue else { return }
      }
      let checkpoint = try context.changes.write(CheckpointMark(at: now))
      try context.changes.write(CheckpointComparison(checkpoint, of: node))
    } catch {
      // The next look tries again; what the journal does not take is logged by those who wait for it.
      context.log.write(.warning, "checkpoint-failed", [("reason", .string(error.message))])
    }
  }
}
