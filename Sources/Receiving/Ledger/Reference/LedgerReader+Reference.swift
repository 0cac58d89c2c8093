import SQLite
public import Values
public import Postbacks

extension LedgerReader {
  package func imported<Row: ReferenceRow>(_ kind: Row.Type = Row.self) throws(LedgerError) -> [Row] {
    try imported("ORDER BY \(Row.table.order)") { _ throws(LedgerError) in }
  }

  private func imported<Row: ReferenceRow>(
    _ clauses: String, _ bind: (borrowing LedgerStatement) throws(LedgerError) -> Void
  ) throws(LedgerError) -> [Row] {
    let statement = try connection.prepare("\(Row.table.selection) \(clauses)")
    try bind(statement)
    var rows: [Row] = []
    try statement.forEachRow { row in if let row = Row.read(row) { rows.append(row) } }
    return rows
  }

  /// Gives the rows of a kind of a range of UTC days, one after the other and in no order.
  package func forEachImported<Row: ReferenceRow>(
    from: Day, to: Day, _ body: (Row) -> Void
  ) throws(LedgerError) {
    let statement = try connection.prepare("\(Row.table.selection) WHERE day >= ?1 AND day < ?2")
    try statement.bind(Int64(from.number), Int64(to.number))
    try statement.forEachRow { row in if let row = Row.read(row) { body(row) } }
  }

  /// What an import of rows would change, without a change.
  package func changes<Row: ReferenceRow>(importing rows: [Row]) throws(LedgerError) -> ReferenceChanges<Row>
  {
    let table = Row.table
    let groups = ReferenceGroups(rows, in: table)
    var changes = ReferenceChanges<Row>()
    let select = try connection.prepare("\(table.selection) WHERE \(table.condition(on: table.groupCount))")
    for group in groups.order {
      try select.bind(group)
      var stored: [Row] = []
      try select.forEachRow { row in if let row = Row.read(row) { stored.append(row) } }
      changes += ReferenceDifference(stored: stored, imported: groups.rows[group] ?? [], in: table).changes
    }
    return changes
  }

  /// All rows of a kind as they would be after an import, in no order.
  package func imported<Row: ReferenceRow>(after rows: [Row]) throws(LedgerError) -> [Row] {
    let table = Row.table
    let groups = ReferenceGroups(rows, in: table)
    var stored = ReferenceGroups(try imported(Row.self), in: table).rows
    for (group, given) in groups.rows { stored[group] = table.merge(stored[group] ?? [], given) }
    return stored.values.flatMap(\.self)
  }

  /// Whether anything was paid for the postbacks of some environments in a range of UTC days.
  public func hasSpend(from: Day?, to: Day?, of environments: [Environment]) throws(LedgerError) -> Bool {
    let codes = environments.map { String($0.code) }.joined(separator: ", ")
    let apps = limit.appsText.map { " AND app IN (\($0))" } ?? ""
    let statement = try connection.prepare(
      "SELECT 1 FROM spend WHERE environment IN (\(codes)) AND day >= ?1 AND day < ?2\(apps) LIMIT 1")
    try statement.bind(Int64(from?.number ?? .min), Int64(to?.number ?? .max))
    var isFound = false
    try statement.forEachRow { _ in isFound = true }
    return isFound
  }

  /// The names of campaigns, networks and apps, by network, campaign and day.
  public func campaignNames() throws(LedgerError) -> [CampaignNameRow] { try imported() }

  /// The same, one after the other.
  package func forEachCampaignName(_ body: (CampaignNameRow) -> Void) throws(LedgerError) {
    let table = CampaignNameRow.table
    let statement = try connection.prepare("\(table.selection) ORDER BY \(table.order)")
    try statement.forEachRow { row in if let row = CampaignNameRow.read(row) { body(row) } }
  }

  /// The names of networks and apps alone, by day.
  public func namesOfNetworksAndApps() throws(LedgerError) -> [CampaignNameRow] {
    try imported("WHERE campaign = '' ORDER BY network, app, from_day") { _ throws(LedgerError) in }
  }

  /// The exchange rates, by pair and day.
  public func rates() throws(LedgerError) -> [RateRow] { try imported() }

  /// What advertisers counted themselves in a range of UTC days, by app and day.
  public func ownInstalls(from: Day?, to: Day?) throws(LedgerError) -> [OwnInstallsRow] {
    let rows: [OwnInstallsRow] = try imported("WHERE day >= ?1 AND day < ?2 ORDER BY app, day") {
      statement throws(LedgerError) in
      try statement.bind(Int64(from?.number ?? .min), Int64(to?.number ?? .max))
    }
    return readable(rows) { $0.app }
  }

  /// What apps earned in a range of UTC days by the advertiser's books, by app and day.
  public func proceeds(from: Day?, to: Day?) throws(LedgerError) -> [ProceedsRow] {
    let rows: [ProceedsRow] = try imported("WHERE day >= ?1 AND day < ?2 ORDER BY app, day, currency") {
      statement throws(LedgerError) in
      try statement.bind(Int64(from?.number ?? .min), Int64(to?.number ?? .max))
    }
    return readable(rows) { $0.app }
  }

  /// The rows of the apps that this reader may read; where it is limited to some, a row of none is not among them.
  func readable<Row>(_ rows: [Row], _ app: (Row) -> AppID?) -> [Row] {
    let apps = Set(limit.apps)
    return apps.isEmpty ? rows : rows.filter { app($0).map(apps.contains) ?? false }
  }

  /// What networks counted in a range of their days, by network, campaign and day.
  public func networkTotals(from: Day?, to: Day?) throws(LedgerError) -> [NetworkTotalRow] {
    try imported("WHERE day >= ?1 AND day < ?2 ORDER BY network, campaign, day") {
      statement throws(LedgerError) in
      try statement.bind(Int64(from?.number ?? .min), Int64(to?.number ?? .max))
    }
  }
}
