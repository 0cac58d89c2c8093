import SQLite

/// Adds increments to the tables of totals.
final class TotalsStore {
  /// Cells whose rows are remembered; a day of a large network has fewer.
  private static let rememberedCells = 1 << 16

  private let findCell: Statement
  private let addCell: Statement
  private let addCounts: Statement
  private let addValue: Statement
  private var cells: [CampaignCell: Int64] = [:]

  init(_ connection: borrowing Connection) throws(SQLiteError) {
    findCell = try connection.prepare(
      """
      SELECT id FROM campaign_cell
      WHERE day = ?1 AND environment = ?2 AND app = ?3 AND network = ?4 AND version = ?5 AND campaign = ?6
        AND window = ?7 AND outcome = ?8
      """)
    addCell = try connection.prepare(
      """
      INSERT INTO campaign_cell(day, environment, app, network, version, campaign, window, outcome)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      """)
    let names = TotalsColumn.allCases.map(\.rawValue)
    let parameters = names.indices.map { "?\($0 + 2)" }
    let sums = names.map { "\($0) = \($0) + excluded.\($0)" }
    addCounts = try connection.prepare(
      """
      INSERT INTO campaign_total(cell, \(names.joined(separator: ", "))) VALUES (?1, \(parameters.joined(separator: ", ")))
      ON CONFLICT DO UPDATE SET \(sums.joined(separator: ", "))
      """)
    addValue = try connection.prepare(
      """
      INSERT INTO value_hour(id, postbacks) VALUES (?1, ?2)
      ON CONFLICT DO UPDATE SET postbacks = postbacks + excluded.postbacks
      """)
  }

  /// Forgets the rows of cells, because a rollback may have taken some of them.
  func reset() { cells.removeAll() }

  func add(
    _ increment: CampaignIncrement, to cell: CampaignCell, on connection: borrowing Connection
  ) throws(SQLiteError) {
    let row = try row(of: cell, on: connection)
    try addCounts.bind(row, at: 1)
    var position: Int32 = 1
    for count in increment.counts {
      position += 1
      try addCounts.bind(count, at: position)
    }
    try addCounts.run()
    for (slot, count) in increment.values {
      try addValue.bind(row << 12 | slot, at: 1)
      try addValue.bind(count, at: 2)
      try addValue.run()
    }
  }

  private func row(of cell: CampaignCell, on connection: borrowing Connection) throws(SQLiteError) -> Int64 {
    if let row = cells[cell] { return row }
    if cells.count >= Self.rememberedCells { cells.removeAll() }
    try Self.bind(cell, to: findCell)
    if let row = try findCell.firstRow({ $0.count(0) }) {
      cells[cell] = row
      return row
    }
    try Self.bind(cell, to: addCell)
    try addCell.run()
    cells[cell] = connection.lastInsertedID
    return connection.lastInsertedID
  }

  private static func bind(_ cell: CampaignCell, to statement: borrowing Statement) throws(SQLiteError) {
    try statement.bind(Int64(cell.day), at: 1)
    try statement.bind(cell.environment, at: 2)
    try statement.bind(cell.app, at: 3)
    try statement.bind(cell.network, at: 4)
    try statement.bind(cell.version, at: 5)
    try statement.bind(cell.campaign, at: 6)
    try statement.bind(cell.window, at: 7)
    try statement.bind(cell.outcome, at: 8)
  }
}
