public import Postbacks
import SQLite
public import Values

/// The measured revenue of the advertiser's own users that end with one value.
public struct ValueWorthRow: Hashable, Sendable {
  /// The app.
  public let app: AppID
  /// When the version of the mapping began that gave them the value.
  public let effectiveFrom: Instant
  /// The ISO 4217 code of the amounts.
  public let currency: String
  /// The value, 0 through 63.
  public let value: Int
  /// How many users there were.
  public let users: Int64
  /// Their revenue, in millionths of the currency's unit.
  public let micros: Int64
  /// The sum of the squares of each one's revenue, in whole units of the currency.
  public let squares: Double
  /// The largest revenue of one of them, in millionths.
  public let largest: Int64

  public init(
    app: AppID, effectiveFrom: Instant, currency: String, value: Int, users: Int64, micros: Int64,
    squares: Double, largest: Int64
  ) {
    self.app = app
    self.effectiveFrom = effectiveFrom
    self.currency = currency
    self.value = value
    self.users = users
    self.micros = micros
    self.squares = squares
    self.largest = largest
  }
}

extension ReferenceStore {
  /// Puts the revenue of an app's users in the place of what was known of the same version of its mapping.
  ///
  /// - Throws: ``LedgerError``; then nothing has changed.
  public func replaceWorth(of app: AppID, effectiveFrom: Instant, with rows: [ValueWorthRow])
    throws(LedgerError)
  {
    try asLedger { () throws(SQLiteError) in
      try connection.transaction { () throws(SQLiteError) in
        try connection.execute(
          "DELETE FROM value_worth WHERE app = \(app.number) AND effective_from = \(effectiveFrom.milliseconds)"
        )
        let insert = try connection.prepare("INSERT INTO value_worth VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")
        for row in rows {
          try insert.bind(row.app.number, at: 1)
          try insert.bind(row.effectiveFrom.milliseconds, at: 2)
          try insert.bind(row.currency, at: 3)
          try insert.bind(Int64(row.value), at: 4)
          try insert.bind(row.users, at: 5)
          try insert.bind(row.micros, at: 6)
          try insert.bind(row.squares, at: 7)
          try insert.bind(row.largest, at: 8)
          try insert.run()
        }
      }
    }
  }
}

extension LedgerReader {
  /// What is known of users by value, by app, version and value.
  public func valueWorth() throws(LedgerError) -> [ValueWorthRow] {
    try asLedger { () throws(SQLiteError) in
      var rows: [ValueWorthRow] = []
      try connection.prepare("SELECT * FROM value_worth ORDER BY app, effective_from, value").forEachRow {
        row in
        guard let app = AppID(row.count(0)) else { return }
        rows.append(
          ValueWorthRow(
            app: app, effectiveFrom: Instant(milliseconds: row.count(1)), currency: row.text(2) ?? "",
            value: Int(row.count(3)), users: row.count(4), micros: row.count(5), squares: row.real(6),
            largest: row.count(7)))
      }
      return rows
    }
  }
}
