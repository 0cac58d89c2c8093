import SQLite
package import Values

/// A node's claim to do what only one node must do, for some seconds.
///
/// It holds where no other node's claim holds at its moment. The moments are of the claiming nodes' clocks, which therefore
/// have to agree to a second or so.
package struct LeaseClaim: LedgerChange, Equatable {
  package static let kind = ChangeKind.leaseClaim

  private let job: String
  private let node: String
  /// The epoch of the lease that it renews; `nil` for a process that begins.
  private let renews: Int64?
  private let at: Instant
  private let until: Instant

  package init(job: String, node: String, renews: Int64?, at: Instant, until: Instant) {
    (self.job, self.node, self.renews) = (job, node, renews)
    (self.at, self.until) = (at, until)
  }

  /// Returns the epoch of the node's lease; `nil` where another node has the job.
  package func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) -> Int64? {
    let held = try Lease.held(job, on: connection)
    if let held, held.node != node, held.until > at { return nil }
    let isRenewal = held.map { $0.node == node && $0.epoch == renews } ?? false
    let epoch = (held?.epoch ?? 0) &+ (isRenewal ? 0 : 1)
    try connection.prepare("INSERT OR REPLACE INTO lease(job, node, until, epoch) VALUES (?1, ?2, ?3, ?4)")
      .run(job, node, until.milliseconds, epoch)
    return epoch
  }

  package static let form = Form(Self.init) { ($0.job, $0.node, $0.renews, $0.at, $0.until) }
}

/// Which node has a job.
package struct Lease: Equatable, Sendable {
  package let node: String
  package let until: Instant
  /// One more each time that another node, or another process of a node, gets it.
  package let epoch: Int64

  static func held(
    _ job: String, on connection: borrowing LedgerDatabase
  ) throws(LedgerError) -> Lease? {
    let select = try connection.prepare("SELECT node, until, epoch FROM lease WHERE job = ?1")
    try select.bind(job)
    return try select.firstRow { row in
      Lease(node: row.text(0) ?? "", until: Instant(milliseconds: row.count(1)), epoch: row.count(2))
    }
  }
}

extension LedgerReader {
  /// The node that had a job last; `nil` where none had it yet.
  package func lease(of job: String) throws(LedgerError) -> Lease? {
    try Lease.held(job, on: connection)
  }
}
