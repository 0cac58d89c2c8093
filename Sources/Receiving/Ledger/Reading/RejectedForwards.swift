import SQLite
public import Values

/// Bodies that a network forwarded and that were rejected.
public struct RejectedForwards: Equatable, Sendable {
  /// The forwarding network's configured name.
  public let name: String
  public let state: Rejection.State
  public let reason: String
  /// How many came, kept or not.
  public let seen: Int64
}

extension LedgerReader {
  /// How many forwarded bodies were rejected in a range of UTC days, by network and reason.
  ///
  /// - Parameters:
  ///   - from: The first day; `nil` for no bound.
  ///   - to: The first day that no longer counts; `nil` for no bound.
  /// - Returns: The counts, by name, state and reason.
  public func rejectedForwards(from: Day?, to: Day?) throws(LedgerError) -> [RejectedForwards] {
    let statement = try connection.prepare(
      """
      SELECT o.name, t.state, t.reason, sum(t.seen) FROM rejected_total t JOIN origin o ON o.id = t.origin
      WHERE o.route = 'forwarded' AND t.day >= ?1 AND t.day < ?2 GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
      """)
    try statement.bind(Int64(from?.number ?? .min), Int64(to?.number ?? .max))
    var found: [RejectedForwards] = []
    try statement.forEachRow { row in
      guard let state = Rejection.State(rawValue: row.text(1) ?? "") else { return }
      found.append(
        RejectedForwards(
          name: row.text(0) ?? "", state: state, reason: row.text(2) ?? "", seen: row.count(3)))
    }
    return found
  }
}
