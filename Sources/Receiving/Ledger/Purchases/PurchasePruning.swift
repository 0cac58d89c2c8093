import SQLite
import Values

/// Deletes the next of the single purchases of before a moment; their totals stay.
struct PurchasePruning: LedgerChange, Equatable {
  static let kind = ChangeKind.purchasePruning
  /// Rows that one piece deletes, so that postbacks are stored in between.
  private static let rows = 5000

  let before: Instant

  /// Returns how many rows it deleted; 0 where none is left.
  func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) -> Int64 {
    // From the first piece on: what comes in must not be older than what is there. Not beyond what was stored, so that a
    // clock that was ahead closes no later day.
    try connection.prepare(
      "UPDATE purchase_key SET kept_from = max(kept_from, min(?1, (SELECT coalesce(max(at) + 1, 0) FROM purchase)))"
    ).run(before.milliseconds)
    try connection.prepare(
      "DELETE FROM purchase WHERE id IN (SELECT id FROM purchase WHERE at < ?1 ORDER BY at LIMIT \(Self.rows))"
    ).run(before.milliseconds)
    return Int64(connection.changedRows)
  }

  static let form = Form(Self.init) { $0.before }
}
