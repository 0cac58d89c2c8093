import SQLite

final class TotalsStore {
  /// Cells whose rows are remembered; a day of a large network has fewer.
  private static let rememberedCells = 1 << 16

  private static let places = TotalsColumn.allCases.map(\.place)
  private static let placesWithoutCopies = TotalsColumn.allCases.filter { !$0.isOfCopies }.map(\.place)

  private let findCell: Statement
  private let addCell: Statement
  private let addCounts: Statement
  /// Leaves the columns of copies as they are, so that no index is looked at.
  private let addCountsWithoutCopies: Statement
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
    addCounts = try connection.prepare(Self.addition(to: TotalsColumn.allCases))
    addCountsWithoutCopies = try connection.prepare(
      Self.addition(to: TotalsColumn.allCases.filter { !$0.isOfCopies }))
    addValue = try connection.prepare(
      """
      INSERT INTO value_hour(id, postbacks) VALUES (?1, ?2)
      ON CONFLICT DO UPDATE SET postbacks = postbacks + excluded.postbacks
      """)
  }

  /// SQL that adds to some columns; parameters are the cell, then a count for every column by its place.
  private static func addition(to columns: [TotalsColumn]) -> String {
    let names = TotalsColumn.allCases.map(\.rawValue).joined(separator: ", ")
    let values = TotalsColumn.allCases.map { columns.contains($0) ? "?\($0.place + 2)" : "0" }
    let sums = columns.map { "\($0.rawValue) = \($0.rawValue) + excluded.\($0.rawValue)" }
    return """
      INSERT INTO campaign_total(cell, \(names)) VALUES (?1, \(values.joined(separator: ", ")))
      ON CONFLICT DO UPDATE SET \(sums.joined(separator: ", "))
      """
  }

  /// Forgets the rows of cells, because a rollback may have taken some of them.
  func reset() { cells.removeAll() }

  func add(
    _ increment: CampaignIncrement, to cell: CampaignCell, on connection: borrowing Connection
  ) throws(SQLiteError) {
    let row = try row(of: cell, on: connection)
    if increment.hasCopies {
      try Self.add(increment, to: Self.places, by: addCounts, row)
    } else {
      try Self.add(increment, to: Self.placesWithoutCopies, by: addCountsWithoutCopies, row)
    }
    for (slot, count) in increment.values {
      try addValue.bind(row << 12 | slot, at: 1)
      try addValue.bind(count, at: 2)
      try addValue.run()
    }
  }

  private static func add(
    _ increment: CampaignIncrement, to places: [Int], by addition: borrowing Statement, _ row: Int64
  ) throws(SQLiteError) {
    try addition.bind(row, at: 1)
    for place in places { try addition.bind(increment.counts[place], at: Int32(place + 2)) }
    try addition.run()
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
