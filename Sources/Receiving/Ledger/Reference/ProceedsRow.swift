public import Postbacks
public import Values

/// What an app earned on a day by the advertiser's own books, from all of its users.
public struct ProceedsRow: Equatable, Sendable {
  /// The UTC day of the payments.
  public let day: Day
  public let app: AppID
  /// The ISO 4217 code.
  public let currency: String
  /// What is left, in millionths; below 0 where refunds are more than payments.
  public let proceeds: Int64
  /// The store's commission, in millionths; `nil` where the books do not state it.
  public let commission: Int64?
  /// What was paid back, in millionths; `nil` where the books do not state it.
  public let refunds: Int64?
  /// Taxes, in millionths; `nil` where the books do not state them.
  public let tax: Int64?

  public init(
    day: Day, app: AppID, currency: String, proceeds: Int64, commission: Int64? = nil, refunds: Int64? = nil,
    tax: Int64? = nil
  ) {
    self.day = day
    self.app = app
    self.currency = currency
    self.proceeds = proceeds
    self.commission = commission
    self.refunds = refunds
    self.tax = tax
  }
}

extension ProceedsRow: ReferenceRow {
  package static let table = ReferenceTable<Self>(
    "own_proceeds", groupedBy: ["day", "app", "currency"],
    values: ["proceeds", "commission", "refunds", "tax"]
  ) { row in
    [
      .integer(Int64(row.day.number)), .integer(row.app.number), .text(row.currency), .integer(row.proceeds),
      .integer(row.commission), .integer(row.refunds), .integer(row.tax),
    ]
  }

  package static func read(_ row: borrowing some ReferenceColumns & ~Copyable) -> Self? {
    guard let app = AppID(row.count(1)) else { return nil }
    return Self(
      day: row.day(0), app: app, currency: row.text(2) ?? "", proceeds: row.count(3),
      commission: row.integer(4), refunds: row.integer(5), tax: row.integer(6))
  }
}
