import SQLite

/// A table of what advertisers import.
package enum ImportedTable: String, Sendable {
  case spend
  case names = "campaign_name"
  case rates = "rate"
  case totals = "network_total"
  case installs = "own_installs"
  case users = "value_worth"
  case proceeds = "own_proceeds"

  /// Whether each of its rows is of an app, so that a reader of some apps sees no others.
  fileprivate var isOfApps: Bool {
    switch self {
    case .spend, .installs, .users, .proceeds: true
    case .names, .rates, .totals: false
    }
  }
}

extension LedgerReader {
  /// How many rows were imported of a kind, of which no more are counted than `most`.
  package func importedCount(_ table: ImportedTable, atMost most: Int = .max) throws(LedgerError) -> Int {
    let apps = table.isOfApps ? limit.appsText.map { "WHERE app IN (\($0))" } : nil
    let statement = try connection.prepare(
      "SELECT count(*) FROM (SELECT 1 FROM \(table.rawValue) \(apps ?? "") LIMIT ?1)")
    try statement.bind(Int64(most))
    return try statement.firstRow { Int($0.count(0)) } ?? 0
  }

  /// Whether any row was imported of a kind.
  package func hasImported(_ table: ImportedTable) throws(LedgerError) -> Bool {
    try importedCount(table, atMost: 1) > 0
  }
}
