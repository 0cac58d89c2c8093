@testable import Ledger
import SQLite

/// What takes each step of the layout back, by its number; what the step added is lost.
private let inverses: [Int: [String]] = [
  2: [
    "DROP TABLE value_hour", "DROP TABLE mapping_version", "DROP TABLE spend", "DROP TABLE campaign_name",
    "DROP TABLE rate", "DROP TABLE network_total", "DROP TABLE token", "DROP TABLE value_worth",
    "CREATE TABLE fine_value_total(id INTEGER PRIMARY KEY, postbacks INTEGER NOT NULL) STRICT",
  ],
  3: ["redownloads", "postbacks", "with_value", "micros", "currency"].map {
    "ALTER TABLE network_total DROP COLUMN \($0)"
  },
  4: ["ALTER TABLE token DROP COLUMN secret"],
  7: [
    "DROP INDEX sighting_in_conflict", "DELETE FROM sighting WHERE digest = x''",
    "ALTER TABLE sighting DROP COLUMN digest",
  ],
  5: ["DROP TABLE arrival_hour", "DROP TABLE alert", "DROP TABLE alert_notice"],
  6: [
    "DROP TABLE spend",
    """
    CREATE TABLE spend(
      day INTEGER NOT NULL, network TEXT NOT NULL, campaign TEXT NOT NULL, app INTEGER NOT NULL,
      currency TEXT NOT NULL, micros INTEGER NOT NULL,
      PRIMARY KEY(day, network, campaign, app, currency)) STRICT, WITHOUT ROWID
    """,
  ],
  8: ["DROP TABLE rejected_mapping", "DROP TABLE last_time"],
  9: ["ALTER TABLE value_worth DROP COLUMN cubes", "DROP TABLE worth_amount"],
]

/// Brings a file of today's layout back to an earlier one, with the rows that were there then.
func downgrade(_ connection: borrowing Connection, to layout: Int) throws {
  for step in stride(from: Schema.steps.count, to: layout, by: -1) {
    for statement in inverses[step] ?? [] { try connection.execute(statement) }
  }
  try setLayout(Int64(layout), of: connection)
}

/// Makes a database say that it has a layout; the number of the file stays.
func setLayout(_ layout: Int64, of connection: borrowing Connection) throws {
  let found = try connection.integer("PRAGMA user_version") ?? 0
  try connection.execute("PRAGMA user_version = \((found >> 10) << 10 | layout)")
}
