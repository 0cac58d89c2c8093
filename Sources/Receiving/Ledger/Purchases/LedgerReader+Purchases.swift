package import Postbacks
import SQLite
package import Values

/// What the rows of a report on purchases are distinguished by, beside the currency.
package enum PurchaseDimension: String, Hashable, Sendable, CaseIterable {
  case app, day, product, type
}

/// A question about purchases.
package struct PurchaseQuery: Sendable {
  package var environment = PurchaseEnvironment.production
  /// The first UTC day of a purchase or refund that counts; `nil` for no bound.
  package var from: Day?
  /// The first UTC day that no longer counts; `nil` for no bound.
  package var to: Day?
  /// None for all.
  package var apps: [AppID] = []
  package var dimensions: [PurchaseDimension] = []

  package init() {}
}

/// Purchases of one currency; what the question does not distinguish is `nil`.
package struct PurchaseRow: Equatable, Sendable {
  package var app: AppID?
  package var day: Day?
  package var product: String?
  package var type: PurchaseType?
  /// `nil` where the App Store stated no amount.
  package let currency: CurrencyCode?
  /// Transactions that were charged, trials among them.
  package let charges: Int64
  package let refunds: Int64
  /// Access by Family Sharing that ended.
  package let revocations: Int64
  /// What was charged, and what reversals of refunds gave back.
  package let charged: Amount
  package let refunded: Amount

  /// Whether a sum does not fit and is the largest amount instead.
  package var didSaturate: Bool { max(charged, refunded).micros == .max }
  /// What is left.
  package var proceeds: Amount { Amount(micros: charged.micros.subtractingHeld(refunded.micros)) }
}

extension LedgerReader {
  /// The purchases of a question, sorted by its dimensions and the currency.
  package func purchases(_ query: PurchaseQuery) throws(LedgerError) -> [PurchaseRow] {
    guard let apps = limit.apps(of: query.apps) else { return [] }
    let names = query.dimensions.map(\.rawValue) + ["currency"]
    let list = names.joined(separator: ", ")
    let numbers = apps.map { "\($0.number)" }.joined(separator: ", ")
    let statement = try connection.prepare(
      """
      SELECT \(list), \(Self.sum("counted", of: .charge)), \(Self.sum("counted", of: .refund)),
        \(Self.sum("counted", of: .revocation)), \(Self.sum("micros", of: .charge, .refundReversal)),
        \(Self.sum("micros", of: .refund))
      FROM purchase_total WHERE environment = ?1 AND day >= ?2 AND day < ?3
        \(apps.isEmpty ? "" : "AND app IN (\(numbers))") GROUP BY \(list) ORDER BY \(list)
      """)
    try statement.bind(
      query.environment.rawValue, Int64(query.from?.number ?? .min), Int64(query.to?.number ?? .max))
    return try statement.rows { row in
      let end = Int32(query.dimensions.count)
      var found = PurchaseRow(
        currency: row.text(end).flatMap { CurrencyCode($0) }, charges: row.count(end + 1),
        refunds: row.count(end + 2), revocations: row.count(end + 3),
        charged: Amount(micros: row.count(end + 4)), refunded: Amount(micros: row.count(end + 5)))
      for (index, dimension) in query.dimensions.enumerated() {
        found.set(dimension, from: row, Int32(index))
      }
      return found
    }
  }

  /// A sum over the types of some sides.
  private static func sum(_ column: String, of sides: PurchaseType.Side...) -> String {
    let types = PurchaseType.allCases.filter { sides.contains($0.side) }.map { "'\($0.rawValue)'" }
    let values = "CASE WHEN type IN (\(types.joined(separator: ", "))) THEN \(column) ELSE 0 END"
    return heldSumSQL(values)
  }
}

extension PurchaseRow {
  fileprivate mutating func set(_ dimension: PurchaseDimension, from row: borrowing Row, _ column: Int32) {
    switch dimension {
    case .app: app = AppID(row.count(column))
    case .day: day = Day(number: Int32(truncatingIfNeeded: row.count(column)))
    case .product: product = row.text(column)
    case .type: type = row.text(column).flatMap { PurchaseType(rawValue: $0) }
    }
  }
}
