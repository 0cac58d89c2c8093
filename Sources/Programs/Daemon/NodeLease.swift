import Ledger
import Values

/// Claims, for a node of a journal, to do what only one node must do, and renews the claim.
///
/// A node that ends without a word is followed by another one four to five seconds later.
struct NodeLease: Sendable {
  private static let job = "watches"
  /// Milliseconds that a claim holds.
  private static let lasts: Int64 = 4000
  /// Milliseconds before its end at which it is renewed.
  private static let renewed: Int64 = 2500

  let node: String
  private let context: DaemonContext

  init(_ node: String, _ context: DaemonContext) {
    self.node = node
    self.context = context
  }

  /// Claims or renews where that is due.
  ///
  /// - Returns: Whether this node has the work now; `false` where that cannot be found out.
  func look() -> Bool {
    let now = context.clock()
    do throws(LedgerError) {
      let held = try LedgerReader(path: context.database).lease(of: Self.job)
      if let held, held.until > now, held.node != node || held.until > now + Self.renewed {
        return held.node == node
      }
      return try context.changes.write(
        LeaseClaim(job: Self.job, node: node, at: now, until: now + Self.lasts))
    } catch {
      return false
    }
  }
}
