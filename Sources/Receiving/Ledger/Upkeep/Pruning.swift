import SQLite
package import Values

/// How many bodies that no figure needs are deleted, or would be.
package struct PrunedBodies: Equatable, Sendable {
  private var counts: [Pruning.Bodies: Int64] = [:]
  /// Single purchases, of which the totals stay.
  package internal(set) var purchases: Int64 = 0

  init() {}

  subscript(_ bodies: Pruning.Bodies) -> Int64 {
    get { counts[bodies, default: 0] }
    set { counts[bodies] = newValue }
  }

  package var rejected: Int64 { self[.rejected] }
  /// Further copies that equal the first one.
  package var copies: Int64 { self[.copies] }
  package var inboxArrivals: Int64 { self[.inboxArrivals] }
}

extension ChangeWriter {
  /// Deletes old bodies that no figure needs: rejected ones, further copies that agree with the first, and what
  /// came to test inboxes.
  ///
  /// Single purchases with what distinguishes accounts are deleted as well. First copies and conflicts stay, and so do
  /// all counts and totals. What an interruption leaves undone, the next call does.
  ///
  /// - Parameter moment: What came before it is old.
  /// - Complexity: Linear in the rejected bodies and further copies.
  package func prune(before moment: Instant) throws(LedgerError) -> PrunedBodies {
    var pruned = PrunedBodies()
    for bodies in Pruning.Bodies.allCases {
      var done: Int64? = .min
      while let after = done {
        let piece = try write(Pruning(bodies: bodies, before: moment, after: after))
        pruned[bodies] += piece.count
        done = piece.last
      }
    }
    while case let piece = try write(PurchasePruning(before: moment)), piece > 0 { pruned.purchases += piece }
    return pruned
  }
}

/// Deletes old bodies among the next rows of a table.
///
/// Each row is looked at in one piece only. A search for the next old rows would look at all that are done already.
struct Pruning: LedgerChange {
  /// Rows that one piece looks at, so that postbacks are stored in between.
  private static let rows = 5000
  static let kind = ChangeKind.pruning

  enum Bodies: UInt8, CaseIterable, ChangeField {
    case rejected, copies, inboxArrivals

    var table: String {
      switch self {
      case .rejected: "rejected"
      case .copies: "postback_copy"
      case .inboxArrivals: "inbox_arrival"
      }
    }

    func isOld(before moment: Instant) -> String {
      let isOld = "received_at < \(moment.milliseconds)"
      return switch self {
      case .rejected, .inboxArrivals: isOld
      case .copies: "last_\(isOld) AND conflict IS NULL AND body IS NOT NULL"
      }
    }

    /// What networks sent instead of these bodies.
    fileprivate var forms: NetworkFormStore.Table? {
      switch self {
      case .rejected: .rejected
      case .copies: .postbackCopy
      case .inboxArrivals: nil
      }
    }

    /// The row of a copy stays: totals are recounted from it, and repeats are known by it.
    fileprivate var deletion: String {
      switch self {
      case .rejected, .inboxArrivals: "DELETE FROM \(table)"
      case .copies: "UPDATE \(table) SET body = NULL"
      }
    }
  }

  struct Outcome: Sendable {
    var count: Int64 = 0
    /// The last row that was looked at; `nil` where there was none.
    var last: Int64?
  }

  let bodies: Bodies
  let before: Instant
  /// The row behind which it begins.
  let after: Int64

  func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) -> Outcome {
    let findEnd = try connection.prepare(
      "SELECT max(id) FROM (SELECT id FROM \(bodies.table) WHERE id > ?1 ORDER BY id LIMIT \(Self.rows))")
    try findEnd.bind(after)
    guard let end = try findEnd.firstRow({ row in row.integer(0) }) ?? nil else { return Outcome() }
    let condition = "\(bodies.isOld(before: before)) AND id > ?1 AND id <= ?2"
    if let forms = bodies.forms {
      // First, because the number of a deleted row can be another row's later.
      try connection.prepare(
        """
        DELETE FROM network_form WHERE kind = \(forms.rawValue)
          AND row IN (SELECT id FROM \(bodies.table) WHERE \(condition))
        """
      ).run(after, end)
    }
    try connection.prepare("\(bodies.deletion) WHERE \(condition)").run(after, end)
    return Outcome(count: Int64(connection.changedRows), last: end)
  }

  static let form = Form(Self.init) { ($0.bodies, $0.before, $0.after) }
}
