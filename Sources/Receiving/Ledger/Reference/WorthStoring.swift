import Postbacks
import SQLite
import Values

/// Puts what is known of an app's users in the place of what was known of the same version of its mapping.
struct WorthStoring: LedgerChange {
  static let kind = ChangeKind.worthStoring

  let app: AppID
  let effectiveFrom: Instant
  let rows: [ValueWorthRow]
  let finalHours: [FinalHourRow]
  let windowUpdates: [WindowUpdateRow]
  let withinValues: [WithinValueRow]

  func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) {
    for table in ["value_worth", "worth_amount", "final_hour", "window_update", "within_value"] {
      try connection.prepare("DELETE FROM \(table) WHERE app = ?1 AND effective_from = ?2").run([
        app.number, effectiveFrom.milliseconds,
      ])
    }
    let insert = try connection.prepare(
      "INSERT INTO value_worth VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")
    let insertAmount = try connection.prepare("INSERT INTO worth_amount VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
    for row in rows {
      try insert.run([
        row.app.number, row.effectiveFrom.milliseconds, row.horizon.code, row.currency, Int64(row.value),
        row.users, row.micros, row.squares, row.cubes, row.largest,
      ])
      let users = Dictionary(row.amounts.map { ($0, 1) }, uniquingKeysWith: +)
      for (micros, users) in users.ordered(by: { $0.key < $1.key }) {
        try insertAmount.run([
          row.app.number, row.effectiveFrom.milliseconds, row.horizon.code, Int64(row.value), micros,
          Int64(users),
        ])
      }
    }
    try FinalHourRow.table.insert(finalHours, on: connection)
    try WindowUpdateRow.table.insert(windowUpdates, on: connection)
    try WithinValueRow.table.insert(withinValues, on: connection)
  }

  func write(to bytes: inout ChangeEncoder) {
    bytes.add(app, effectiveFrom, rows, finalHours, windowUpdates, withinValues)
  }
}

extension WorthStoring {
  init(from bytes: inout ChangeDecoder) throws(ChangeDefect) {
    self.init(
      app: try bytes.next(), effectiveFrom: try bytes.next(), rows: try bytes.next(),
      finalHours: try bytes.next(), windowUpdates: try bytes.next(), withinValues: try bytes.next())
  }
}

/// Removes what is known of users with values of versions.
struct WorthRemoval: LedgerChange {
  static let kind = ChangeKind.worthRemoval

  struct Value: ChangeField {
    let app: AppID
    let effectiveFrom: Instant
    let value: Int

    func write(to bytes: inout ChangeEncoder) { bytes.add(app, effectiveFrom, value) }
  }

  let values: [Value]

  func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) -> Int {
    var count = 0
    for table in ["worth_amount", "final_hour", "window_update", "value_worth"] {
      let delete = try connection.prepare(
        "DELETE FROM \(table) WHERE app = ?1 AND effective_from = ?2 AND value = ?3 RETURNING 1")
      for value in values {
        try delete.bind([value.app.number, value.effectiveFrom.milliseconds, Int64(value.value)])
        try delete.forEachRow { _ in if table == "value_worth" { count += 1 } }
      }
    }
    // What groups show is of all values together.
    try connection.execute(
      """
      DELETE FROM within_value WHERE NOT EXISTS (
        SELECT 1 FROM value_worth AS worth
        WHERE worth.app = within_value.app AND worth.effective_from = within_value.effective_from)
      """)
    return count
  }

  func write(to bytes: inout ChangeEncoder) { bytes.add(values) }
}

extension WorthRemoval {
  init(from bytes: inout ChangeDecoder) throws(ChangeDefect) { self.init(values: try bytes.next()) }
}

extension WorthRemoval.Value {
  init(from bytes: inout ChangeDecoder) throws(ChangeDefect) {
    self.init(app: try bytes.next(), effectiveFrom: try bytes.next(), value: try bytes.next())
  }
}

extension WorthHorizon: ChangeField {
  package func write(to bytes: inout ChangeEncoder) { bytes.add(code) }

  package init(from bytes: inout ChangeDecoder) throws(ChangeDefect) {
    let code: Int64 = try bytes.next()
    guard (0...Int64(Int32.max)).contains(code) else { throw .badValue(of: "horizon") }
    self.init(code: code)
  }
}

extension ValueWorthRow: ChangeField {
  package func write(to bytes: inout ChangeEncoder) {
    bytes.add(
      app, effectiveFrom, horizon, currency, value, users, micros, squares, cubes, largest, amounts)
  }

  package init(from bytes: inout ChangeDecoder) throws(ChangeDefect) {
    self.init(
      app: try bytes.next(), effectiveFrom: try bytes.next(), horizon: try bytes.next(),
      currency: try bytes.next(), value: try bytes.next(), users: try bytes.next(),
      micros: try bytes.next(), squares: try bytes.next(), cubes: try bytes.next(),
      largest: try bytes.next(), amounts: try bytes.next())
    guard Self.possibleUsers.contains(users), amounts.count <= Self.mostAmounts else {
      throw .badValue(of: "users")
    }
  }
}

extension FinalHourRow: ChangeField {
  package func write(to bytes: inout ChangeEncoder) { bytes.add(app, effectiveFrom, value, hour, users) }

  package init(from bytes: inout ChangeDecoder) throws(ChangeDefect) {
    self.init(
      app: try bytes.next(), effectiveFrom: try bytes.next(), value: try bytes.next(),
      hour: try bytes.next(), users: try bytes.next())
  }
}
