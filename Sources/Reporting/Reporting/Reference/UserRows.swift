package import Arguments
package import Ledger
package import Postbacks
package import Tables
package import Values

/// What is known of first-party users by value.
package struct UserRows: ImportedRows {
  package var period = Period<Instant>()
  package var apps: [AppID] = []

  package init() {}

  package static let word = "users"
  package static let noun: (one: String, many: String) = (one: "value of users", many: "values of users")
  package static let listing = "List the measured revenue of first-party users by conversion value."
  package static let parameters: [Parameter<Self>] = [
    .init("from", \.period.from, "First start of a mapping version to include (UTC)."),
    .init("to", \.period.to, "First start of a mapping version to exclude (UTC)."),
    .init("app", \.apps, "App Store numbers of the apps to include.", as: .init(defaultNote: "all")),
  ]

  package static let columns: [Column<ValueWorthRow>] = [
    Column("app", "app", "App Store number of the app.") { Identifier("\($0.app.number)") },
    Column("effective-from", "mapping from", "When the mapping version takes effect.", \.effectiveFrom),
    Column("value", "value", "Conversion value of the users.", \.value),
    Column("users", "users", "Users who ended with the value.", \.users),
    Column("currency", "currency", "Currency of the amounts.", \.currency),
    Column("mean", "mean", "Mean revenue of a user.") {
      Amount(micros: $0.users > 0 ? $0.micros / $0.users : 0)
    },
    Column("largest", "largest", "Largest revenue of a user.") { Amount(micros: $0.largest) },
  ]

  package static func key(_ row: ValueWorthRow) -> String {
    "\(row.app.number)\u{1F}\(row.effectiveFrom.milliseconds)\u{1F}\(row.value)"
  }

  package func rows(in reader: LedgerReader) throws(LedgerError) -> [ValueWorthRow] {
    try reader.valueWorth().filter { row in
      (apps.isEmpty || apps.contains(row.app)) && (period.from.map { $0 <= row.effectiveFrom } ?? true)
        && (period.to.map { row.effectiveFrom < $0 } ?? true)
    }
  }

  package static func remove(_ rows: [ValueWorthRow], from store: ReferenceStore) throws(LedgerError) -> Int {
    try store.remove(rows)
  }
}
