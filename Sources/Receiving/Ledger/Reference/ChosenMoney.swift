package import Values

/// The currency and the days after install that people chose for the estimated money of all pages.
package struct ChosenMoney: Hashable, Sendable {
  /// `nil` for that of the mappings.
  package let currency: CurrencyCode?
  /// How many days after install count; `nil` for the hours that values count.
  package let days: Int?

  package static let possibleDays = 1...3_650

  package init(currency: CurrencyCode?, days: Int?) { (self.currency, self.days) = (currency, days) }
}

extension ChosenMoney: ReferenceRow {
  /// A table of one row.
  package static let table = ReferenceTable<Self>(
    "chosen_money", groupedBy: ["id"], values: ["currency", "days"]
  ) { [.integer(0), .text($0.currency?.text), .integer($0.days.map { Int64($0) })] }

  package static func read(_ row: borrowing some ReferenceColumns & ~Copyable) -> Self? {
    let days = row.integer(2).flatMap { Int(exactly: $0) }
    return Self(
      currency: row.text(1).flatMap { CurrencyCode($0) },
      days: days.flatMap { possibleDays.contains($0) ? $0 : nil })
  }
}
