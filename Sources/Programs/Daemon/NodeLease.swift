import Ledger
import System
import Values

/// Claims, for a node of a journal, to do what only one node must do, and renews the claim.
///
/// A node that ends without a word is followed by another one four to five seconds later.
final class NodeLease: Sendable {
  private struct Held: Sendable {
    let epoch: Int64
    let until: Instant
  }

  private static let job = "watches"
  /// Milliseconds that a claim holds.
  private static let lasts: Int64 = 4000
  /// Milliseconds before its end at which it is renewed.
  private static let renewed: Int64 = 2500

  let node: String
  private let context: DaemonContext
  private let held = Guarded<Held?>(nil)

  init(_ node: String, _ context: DaemonContext) {
    self.node = node
    self.context = context
  }

  /// Claims or renews where that is due.
  ///
  /// - Returns: The epoch of this node's lease; `nil` where another node has the work, or that cannot be found out.
  func look() -> Int64? {
    let now = context.clock()
    let own = held.withLock { $0 }
    do throws(LedgerError) {
      let found = try context.changes.read { reader throws(LedgerError) in
        try reader.lease(of: Self.job)
      }
      if let found, found.until > now, found.node != node || found.epoch == own?.epoch {
        guard found.node == node else { return keep(nil) }
        if found.until > now + Self.renewed { return keep(Held(epoch: found.epoch, until: found.until)) }
      }
      let until = now + Self.lasts
      let epoch = try context.changes.write(
        LeaseClaim(job: Self.job, node: node, renews: own?.epoch, at: now, until: until))
      return keep(epoch.map { Held(epoch: $0, until: until) })
    } catch {
      // The claim of before still keeps others away.
      return own.flatMap { context.clock() < $0.until ? $0.epoch : keep(nil) }
    }
  }

  private func keep(_ lease: Held?) -> Int64? {
    held.withLock { $0 = lease }
    return lease?.epoch
  }

  /// What everything needs that this node does while its lease has an epoch.
  func context(of epoch: Int64) -> DaemonContext {
    var leased = context
    leased.changes = LeasedWriter(context.changes, job: Self.job, epoch: epoch)
    return leased
  }
}
