public import Values

/// What one unit of a currency is worth in another one, from a day on.
public struct RateRow: Equatable, Sendable {
  /// The first UTC day.
  public let day: Day
  /// The ISO 4217 code of the one unit.
  public let currency: String
  /// The ISO 4217 code of what it is worth.
  public let quote: String
  /// Millionths of millionths of the quote currency for one unit, because some units are worth very little.
  public let picos: Int64

  public init(day: Day, currency: String, quote: String, picos: Int64) {
    self.day = day
    self.currency = currency
    self.quote = quote
    self.picos = picos
  }
}

extension RateRow: ReferenceRow {
  package static let table = ReferenceTable<Self>(
    "rate", groupedBy: ["currency", "quote", "day"], values: ["picos"]
  ) {
    [.text($0.currency), .text($0.quote), .integer(Int64($0.day.number)), .integer($0.picos)]
  }

  package static func read(_ row: borrowing some ReferenceColumns & ~Copyable) -> Self? {
    Self(day: row.day(2), currency: row.text(0) ?? "", quote: row.text(1) ?? "", picos: row.count(3))
  }
}
