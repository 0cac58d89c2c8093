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
      try connection.prepare("DELETE FROM \(table) WHERE app = ?1 AND effective_from = ?2").run(
        app.number, effectiveFrom.milliseconds)
    }
    let insert = try connection.prepare(
      "INSERT INTO value_worth VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")
    let insertAmount = try connection.prepare("INSERT INTO worth_amount VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
    for row in rows {
      try insert.run(
        row.app.number, row.effectiveFrom.milliseconds, row.horizon.code, row.currency, Int64(row.value),
        row.users, row.micros, row.squares, row.cubes, row.largest)
      let users = Dictionary(row.amounts.map { ($0, 1) }, uniquingKeysWith: +)
      for (micros, users) in users.ordered(by: { $0.key < $1.key }) {
        try insertAmount.run(
          row.app.number, row.effectiveFrom.milliseconds, row.horizon.code, Int64(row.value), micros,
          Int64(users))
      }
    }
    try FinalHourRow.table.insert(finalHours, on: connection)
    try WindowUpdateRow.table.insert(windowUpdates, on: connection)
    try WithinValueRow.table.insert(withinValues, on: connection)
  }

  static let form = Form(Self.init) {
    ($0.app, $0.effectiveFrom, $0.rows, $0.finalHours, $0.windowUpdates, $0.withinValues)
  }
}

/// Removes what is known of users with values of versions.
struct WorthRemoval: LedgerChange {
  static let kind = ChangeKind.worthRemoval

  struct Value: ChangeRecord {
    let app: AppID
    let effectiveFrom: Instant
    let value: Int

    static let form = Form(Self.init) { ($0.app, $0.effectiveFrom, $0.value) }
  }

  let values: [Value]

  func apply(on connection: borrowing LedgerDatabase) throws(LedgerError) -> Int {
    var count = 0
    for table in ["worth_amount", "final_hour", "window_update", "value_worth"] {
      let delete = try connection.prepare(
        "DELETE FROM \(table) WHERE app = ?1 AND effective_from = ?2 AND value = ?3 RETURNING 1")
      for value in values {
        try delete.bind(value.app.number, value.effectiveFrom.milliseconds, Int64(value.value))
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

  static let form = Form(Self.init) { $0.values }
}

extension WorthHorizon: ChangeField {
  package func write(to bytes: inout ChangeEncoder) { bytes.add(code) }

  package init(from bytes: inout ChangeDecoder) throws(ChangeDefect) {
    let code: Int64 = try bytes.next()
    guard (0...Int64(Int32.max)).contains(code) else { throw .badValue(of: "horizon") }
    self.init(code: code)
  }
}

extension ValueWorthRow: ChangeRecord {
  package static let form = Form(Self.init) {
    (
      $0.app, $0.effectiveFrom, $0.horizon, $0.currency, $0.value, $0.users, $0.micros, $0.squares, $0.cubes,
      $0.largest, $0.amounts
    )
  } check: { row throws(ChangeDefect) in
    guard possibleUsers.contains(row.users), row.amounts.count <= mostAmounts else {
      throw .badValue(of: "users")
    }
  }
}

extension FinalHourRow: ChangeRecord {
  package static let form = Form(Self.init) { ($0.app, $0.effectiveFrom, $0.value, $0.hour, $0.users) }
}
