import SQLite
import Values

/// What arrivals are counted by: one row of the table of hours.
struct ArrivalCell: Hashable {
  /// Hours since 1970-01-01T00:00:00Z.
  let hour: Int64
  let origin: Int64
  let environment: Int64
  let network: Int64

  /// Places an arrival; without an environment and a network it is one that is rejected.
  init(_ arrival: Arrival, origin: Int64, environment: Int64 = 0, network: Int64 = 0) {
    hour = arrival.receivedAt.hour
    self.origin = origin
    self.environment = environment
    self.network = network
  }
}

/// Adds counts to the table of arrivals by the hour.
final class ArrivalStore {
  private let addCounts: LedgerStatement

  init(_ connection: borrowing LedgerDatabase) throws(LedgerError) {
    addCounts = try connection.prepare(
      """
      INSERT INTO arrival_hour(hour, origin, environment, network, first, repeated, conflicting, rejected)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      ON CONFLICT DO UPDATE SET first = first + excluded.first, repeated = repeated + excluded.repeated,
        conflicting = conflicting + excluded.conflicting, rejected = rejected + excluded.rejected
      """)
  }

  func add(_ count: ArrivalCount, to cell: ArrivalCell) throws(LedgerError) {
    try addCounts.run(
      cell.hour, cell.origin, cell.environment, cell.network, count.first, count.repeated, count.conflicting,
      count.rejected)
  }
}
