public import Platform
import SQLite

/// What an examination of a database found.
public struct LedgerHealth: Hashable, Sendable {
  /// A count of rows beside the sum of the totals that have to agree with it.
  public struct Agreement: Hashable, Sendable {
    /// What the rows come to.
    public let stored: Int64
    /// What the campaign totals come to.
    public let counted: Int64
  }

  /// What SQLite calls damaged; empty where nothing is.
  public let damage: [String]
  /// Conversions.
  public let conversions: Agreement
  /// Further copies of them.
  public let copies: Agreement
  /// When the newest conversion came; nil where there is none.
  public let newest: Instant?
}

extension LedgerReader {
  /// Examines the whole file: its structure, and whether the totals agree with the rows.
  ///
  /// - Complexity: Linear in the size of the file.
  /// - Throws: ``LedgerError``.
  public func examine() throws(LedgerError) -> LedgerHealth {
    try asLedger { () throws(SQLiteError) in
      var damage: [String] = []
      try connection.prepare("PRAGMA quick_check(5)").forEachRow { row in
        let text = row.text(0) ?? ""
        if text != "ok" { damage.append(text) }
      }
      // One statement sees one state of the file, however busy its writer is.
      let counts = try connection.prepare(
        """
        SELECT (SELECT count(*) FROM postback), (SELECT coalesce(sum(postbacks), 0) FROM campaign_total),
          (SELECT coalesce(sum(times), 0) FROM sighting),
          (SELECT coalesce(sum(repeats + conflicts), 0) FROM campaign_total),
          (SELECT received_at FROM postback ORDER BY id DESC LIMIT 1)
        """
      ).firstRow { row in
        (
          LedgerHealth.Agreement(stored: row.count(0), counted: row.count(1)),
          LedgerHealth.Agreement(stored: row.count(2), counted: row.count(3)),
          row.integer(4).map { Instant(milliseconds: $0) }
        )
      }
      guard let (conversions, copies, newest) = counts else {
        throw SQLiteError(code: 1, message: "the counts gave no row")
      }
      return LedgerHealth(damage: damage, conversions: conversions, copies: copies, newest: newest)
    }
  }
}
