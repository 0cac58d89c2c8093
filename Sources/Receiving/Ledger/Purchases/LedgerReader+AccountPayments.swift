package import Postbacks
import SQLite
package import Values

/// What an account paid at a moment, or got back.
package struct AccountPayment: Equatable, Sendable {
  package let at: Instant
  package let currency: CurrencyCode
  /// In millionths; below 0 for a refund.
  package let micros: Int64

  package init(at: Instant, currency: CurrencyCode, micros: Int64) {
    (self.at, self.currency, self.micros) = (at, currency, micros)
  }
}

extension LedgerReader {
  /// The payments of accounts that are kept singly, each account's in the order of time.
  ///
  /// - Parameter accounts: Digests of accounts.
  package func payments(of accounts: [[UInt8]]) throws(LedgerError) -> [[UInt8]: [AccountPayment]] {
    let statement = try connection.prepare(
      "SELECT at, type, currency, micros FROM purchase WHERE account = ?1 AND micros > 0 ORDER BY at, id")
    var found: [[UInt8]: [AccountPayment]] = [:]
    for account in accounts {
      try statement.bind(account)
      found[account] = try statement.rows { row in
        guard let type = row.text(1).flatMap({ PurchaseType(rawValue: $0) }),
          let currency = row.text(2).flatMap({ CurrencyCode($0) })
        else { return nil }
        return AccountPayment(
          at: Instant(milliseconds: row.count(0)), currency: currency, micros: type.sign * row.count(3))
      }
    }
    return found
  }

  /// The moments between which all purchases of an app are kept singly: from the first one, or from the last pruning, to
  /// the last one; `nil` without any.
  package func keptPurchases(
    of app: AppID, environment: PurchaseEnvironment
  ) throws(LedgerError) -> ClosedRange<Instant>? {
    let statement = try connection.prepare(
      """
      SELECT max(min(at), coalesce((SELECT kept_from FROM purchase_key), 0)), max(at) FROM purchase
      WHERE app = ?1 AND environment = ?2 HAVING count(*) > 0
      """)
    try statement.bind(app.number, environment.rawValue)
    return try statement.firstRow { row in
      let (first, last) = (Instant(milliseconds: row.count(0)), Instant(milliseconds: row.count(1)))
      return first...max(first, last)
    }
  }
}
