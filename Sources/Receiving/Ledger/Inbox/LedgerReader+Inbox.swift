package import Postbacks
import SQLite
package import Values
package import Verification

package struct StoredInboxArrival: Equatable, Sendable {
  /// Its number; later arrivals have higher ones.
  package let id: Int64
  package let inbox: Int64
  package let receivedAt: Instant
  package let state: VerdictState
  /// Whose key signed it; `nil` where it is not valid.
  package let environment: Environment?
  /// Why it is not valid, in words; `nil` where it is.
  package let reason: String?
  /// `first`, `copy` or `conflict`, where it is stored as a postback too.
  package let stored: String?
  package let body: [UInt8]
}

extension LedgerReader {
  /// Arrivals at test inboxes, in order.
  ///
  /// - Parameters:
  ///   - inbox: The number of one inbox; `nil` for all.
  ///   - row: The number after which they begin.
  ///   - moment: Only those from this moment on.
  /// - Returns: Those that are kept.
  package func inboxArrivals(
    of inbox: Int64? = nil, after row: Int64 = 0, since moment: Instant? = nil
  ) throws(LedgerError) -> [StoredInboxArrival] {
    let statement = try connection.prepare(
      """
      SELECT id, inbox, received_at, state, environment, reason, stored, body FROM inbox_arrival
      WHERE id > ?1 AND received_at >= ?2 AND (?3 IS NULL OR inbox = ?3) ORDER BY id
      """)
    try statement.bind(row, moment?.milliseconds ?? .min, inbox)
    var arrivals: [StoredInboxArrival] = []
    try statement.forEachRow { row in
      guard let state = VerdictState(rawValue: row.text(3) ?? "") else { return }
      arrivals.append(
        StoredInboxArrival(
          id: row.count(0), inbox: row.count(1), receivedAt: Instant(milliseconds: row.count(2)),
          state: state, environment: row.text(4).flatMap { Environment(rawValue: $0) },
          reason: row.text(5), stored: row.text(6), body: row.bytes(7)))
    }
    return arrivals
  }
}
