import SQLite

/// Adds increments to the campaign table.
final class TotalsStore {
  private let upsert: Statement
  private static let keyColumns = ["day", "environment", "app", "network", "version", "campaign", "window"]

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    let columns = Self.keyColumns + TotalsColumn.names
    let parameters = (1...columns.count).map { "?\($0)" }
    let sums = TotalsColumn.names.map { "\($0) = \($0) + excluded.\($0)" }
    upsert = try connection.prepare(
      """
      INSERT INTO campaign_total(\(columns.joined(separator: ", "))) VALUES (\(parameters.joined(separator: ", ")))
      ON CONFLICT DO UPDATE SET \(sums.joined(separator: ", "))
      """)
  }

  func add(_ increment: TotalsIncrement, to key: TotalsKey) throws(SQLiteError) {
    try upsert.bind(Int64(key.day), at: 1)
    try upsert.bind(key.environment, at: 2)
    try upsert.bind(key.app, at: 3)
    try upsert.bind(key.network, at: 4)
    try upsert.bind(key.version, at: 5)
    try upsert.bind(key.campaign, at: 6)
    try upsert.bind(key.window, at: 7)
    var position = Int32(Self.keyColumns.count)
    for count in increment.counts {
      position += 1
      try upsert.bind(count, at: position)
    }
    try upsert.run()
  }
}
