import Postbacks
import SQLite
import Values

/// Turns a question about campaigns into SQL and the answer back into rows.
struct CampaignPlan {
  private let query: CampaignQuery
  /// The SQL expressions of the key columns, in the order of the answer.
  private let keys: [(dimension: CampaignDimension, sql: String)]

  init(_ query: CampaignQuery) {
    self.query = query
    var keys: [(CampaignDimension, String)] = []
    for dimension in query.dimensions {
      switch dimension {
      case .day, .app, .network, .version, .window: keys.append((dimension, dimension.rawValue))
      case .campaign:
        // A campaign-id and a source identifier of the same digits are different campaigns.
        keys.append((dimension, "version >= \(ProtocolVersion.v4_0.code)"))
        let text = query.digits.map {
          "CASE WHEN version >= \(ProtocolVersion.v4_0.code) THEN substr(campaign, -\($0)) ELSE campaign END"
        }
        keys.append((dimension, text ?? "campaign"))
      }
    }
    self.keys = keys
  }

  /// The SQL that sums the counts; everything put into it is a number of our own making.
  func sql(networks: [Int64]?) -> String {
    let outcomes = Outcome.allCases.map {
      "sum(iif(c.window = 0 AND c.outcome = \($0.code), t.postbacks, 0))"
    }
    let sums =
      TotalsColumn.allCases.map { "sum(t.\($0.rawValue))" } + outcomes + ["min(c.day)", "max(c.day)"]
    return select(
      sums, from: "campaign_cell c CROSS JOIN campaign_total t ON t.cell = c.id", networks, groupedBy: [])
  }

  /// The SQL that sums the fine values: the same keys, then a value and its sum.
  func fineSQL(networks: [Int64]?) -> String {
    select(
      ["v.id & 127 AS value", "sum(v.postbacks)"], from: Self.valuesOfCells, networks, and: "v.id & 127 < 64",
      groupedBy: ["value"])
  }

  private static let valuesOfCells =
    "campaign_cell c CROSS JOIN value_hour v ON v.id BETWEEN c.id * 4096 AND c.id * 4096 + 4095"

  /// The SQL that sums values by what decides their meaning: the same keys, then app, version, window, day, hour or
  /// NULL, value, outcome and sum.
  ///
  /// The temporary table `decoded_app` names the apps. Days that `hourly_day` has come by the hour, all others as a
  /// whole. Tables, because an expression of hundreds of mappings is deeper than SQLite allows.
  func valueSQL(networks: [Int64]?) -> String {
    let hour = """
      CASE WHEN EXISTS (SELECT 1 FROM hourly_day h WHERE h.app = c.app
          AND h.has_windows = (c.version >= \(ProtocolVersion.v4_0.code)) AND h.window = c.window AND h.day = c.day)
        THEN v.id >> 7 & 31 END
      """
    return select(
      [
        "c.app AS its_app", "c.version AS its_version", "c.window AS its_window", "c.day AS its_day",
        "\(hour) AS its_hour", "v.id & 127 AS its_value", "c.outcome AS its_outcome", "sum(v.postbacks)",
      ], from: Self.valuesOfCells, networks,
      and: "v.id & 127 < 67 AND c.app IN (SELECT app FROM decoded_app)",
      groupedBy: ["its_app", "its_version", "its_window", "its_day", "its_hour", "its_value", "its_outcome"])
  }

  /// The tables that ``valueSQL(networks:)`` asks, made anew; they live and end with the connection.
  static func prepareTables(
    _ apps: [AppID], _ hourly: [HourlyDays], on connection: borrowing Connection
  ) throws(SQLiteError) {
    try connection.execute(
      """
      CREATE TEMP TABLE IF NOT EXISTS decoded_app(app INTEGER PRIMARY KEY);
      CREATE TEMP TABLE IF NOT EXISTS hourly_day(
        app INTEGER, has_windows INTEGER, window INTEGER, day INTEGER,
        PRIMARY KEY(app, has_windows, window, day)) WITHOUT ROWID;
      DELETE FROM decoded_app;
      DELETE FROM hourly_day;
      """)
    let insertApp = try connection.prepare("INSERT OR IGNORE INTO decoded_app VALUES (?1)")
    for app in apps {
      try insertApp.bind(app.number, at: 1)
      try insertApp.run()
    }
    let insertDay = try connection.prepare("INSERT OR IGNORE INTO hourly_day VALUES (?1, ?2, ?3, ?4)")
    for days in hourly {
      for day in days.days {
        try insertDay.bind(days.app.number, at: 1)
        try insertDay.bind(days.hasWindows ? 1 : 0, at: 2)
        try insertDay.bind(Int64(days.window.rawValue), at: 3)
        try insertDay.bind(Int64(day), at: 4)
        try insertDay.run()
      }
    }
  }

  /// The values of a row of that answer; `nil` for codes this program does not know.
  func valueCount(of row: borrowing Row) -> ValueCount? {
    let first = Int32(keys.count)
    guard let app = AppID(row.count(first)),
      let version: ProtocolVersion = decoded(row.integer(first + 1), by: { $0.code }),
      let window = ConversionWindow(rawValue: Int(row.count(first + 2))),
      let value = ConversionValue(slot: row.count(first + 5)),
      let outcome: Outcome = decoded(row.integer(first + 6), by: { $0.code })
    else { return nil }
    let day = Day(number: Int32(truncatingIfNeeded: row.count(first + 3)))
    let arrival =
      row.integer(first + 4).map { hour in
        (day.start + hour * Hour.milliseconds).followingHour
      } ?? day.start..<day.next.start
    return ValueCount(
      app: app, version: version, window: window, outcome: outcome, arrival: arrival, value: value,
      postbacks: row.count(first + 7))
  }

  /// Puts a question together, cells first.
  ///
  /// The cells have the conditions, and each then finds its counts by key. `CROSS JOIN` holds SQLite to that order;
  /// left alone, it compares every value with every cell.
  private func select(
    _ sums: [String], from tables: String, _ networks: [Int64]?, and condition: String? = nil,
    groupedBy more: [String]
  ) -> String {
    var conditions = ["environment = \(query.environment.code)"] + (condition.map { [$0] } ?? [])
    if let from = query.from { conditions.append("day >= \(from.number)") }
    if let to = query.to { conditions.append("day < \(to.number)") }
    if !query.apps.isEmpty { conditions.append("app IN (\(list(query.apps.map(\.number))))") }
    if let networks { conditions.append("network IN (\(list(networks)))") }
    var sql = "SELECT \((keys.map(\.sql) + sums).joined(separator: ", ")) FROM \(tables)"
    sql += " WHERE \(conditions.joined(separator: " AND "))"
    let groups = keys.indices.map { String($0 + 1) } + more
    return sql + (groups.isEmpty ? " HAVING count(*) > 0" : " GROUP BY \(groups.joined(separator: ", "))")
  }

  /// The keys of a row of either answer, as text that distinguishes it.
  func key(of row: borrowing Row) -> [String] { keys.indices.map { row.text(Int32($0)) ?? "" } }

  /// The fine value of a row of the second answer, and how many postbacks have it.
  func fineValue(of row: borrowing Row) -> (value: Int, postbacks: Int64) {
    (Int(row.count(Int32(keys.count))), row.count(Int32(keys.count) + 1))
  }

  /// One row of the first answer, with its fine values.
  func row(from row: borrowing Row, fine: [Int64]?, networks: [Int64: String]) -> CampaignRow {
    var day: Day?
    var app: AppID?
    var network: String?
    var campaign: Campaign?
    var version: ProtocolVersion?
    var window: ConversionWindow?
    var hasSourceIdentifier = false
    for (index, key) in keys.enumerated() {
      let column = Int32(index)
      switch key.dimension {
      case .day: day = Day(number: Int32(truncatingIfNeeded: row.count(column)))
      case .app: app = AppID(row.count(column))
      case .network: network = networks[row.count(column)]
      case .version: version = decoded(row.integer(column)) { $0.code }
      case .window: window = ConversionWindow(rawValue: Int(row.count(column)))
      case .campaign where index == 0 || keys[index - 1].dimension != .campaign:
        hasSourceIdentifier = row.count(column) != 0
      case .campaign:
        let text = row.text(column) ?? ""
        campaign =
          hasSourceIdentifier
          ? SourceIdentifier(text).map { .sourceIdentifier($0) }
          : Int64(text).flatMap { CampaignID($0) }.map { .campaignID($0) }
      }
    }
    let first = Int32(keys.count)
    let outcomes = first + Int32(TotalsColumn.allCases.count)
    let counts = CampaignCounts(
      columns: TotalsColumn.allCases.indices.map { row.count(first + Int32($0)) },
      outcomes: Outcome.allCases.indices.map { row.count(outcomes + Int32($0)) },
      fine: fine ?? [Int64](repeating: 0, count: 64))
    let behind = outcomes + Int32(Outcome.allCases.count)
    let days =
      Day(
        number: Int32(truncatingIfNeeded: row.count(behind)))...Day(
        number: Int32(truncatingIfNeeded: row.count(behind + 1)))
    return CampaignRow(
      day: day, app: app, network: network, campaign: campaign, version: version, window: window,
      days: days, counts: counts)
  }

  private func list(_ numbers: [Int64]) -> String { numbers.map(String.init).joined(separator: ", ") }
}
