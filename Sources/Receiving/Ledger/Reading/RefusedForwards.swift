import SQLite
public import Values

/// Bodies that a network forwarded and that were not believed.
public struct RefusedForwards: Hashable, Sendable {
  /// The forwarding network's configured name.
  public let name: String
  /// In which way they were not believed.
  public let state: Refusal.State
  /// The stable code of the reason.
  public let reason: String
  /// How many came, kept or not.
  public let seen: Int64
}

extension LedgerReader {
  /// How many forwarded bodies were not believed in a range of UTC days, by network and reason.
  ///
  /// - Parameters:
  ///   - from: The first day; `nil` for no bound.
  ///   - to: The first day that no longer counts; `nil` for no bound.
  /// - Returns: The counts, by name, state and reason.
  /// - Throws: ``LedgerError``.
  public func refusedForwards(from: Day?, to: Day?) throws(LedgerError) -> [RefusedForwards] {
    try asLedger { () throws(SQLiteError) in
      let statement = try connection.prepare(
        """
        SELECT o.name, t.state, t.reason, sum(t.seen) FROM refused_total t JOIN origin o ON o.id = t.origin
        WHERE o.route = 'forwarded' AND t.day >= ?1 AND t.day < ?2 GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
        """)
      try statement.bind(Int64(from?.number ?? .min), at: 1)
      try statement.bind(Int64(to?.number ?? .max), at: 2)
      var found: [RefusedForwards] = []
      try statement.forEachRow { row in
        guard let state = Refusal.State(rawValue: row.text(1) ?? "") else { return }
        found.append(
          RefusedForwards(
            name: row.text(0) ?? "", state: state, reason: row.text(2) ?? "", seen: row.count(3)))
      }
      return found
    }
  }
}
