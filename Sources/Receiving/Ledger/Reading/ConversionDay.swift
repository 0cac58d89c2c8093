public import Postbacks
import SQLite
import System
public import Values

/// A day on which conversions arrived, and of which environment.
public struct ConversionDay: Hashable, Sendable {
  public let day: Day
  public let environment: Environment
}

/// Which conversions a search for the last day looks at.
public struct ConversionChoice: Sendable {
  /// The environment; `nil` for all.
  public var environment: Environment?
  public var apps: [AppID] = []
  public var networks: [AdNetworkID] = []
  /// The campaign's digits; `nil` for all.
  public var campaign: String?

  public init() {}
}

extension LedgerReader {
  /// Rows stored last among which a conversion of the last hour is looked for.
  private static let lastRows = 64

  /// When the conversion arrived that arrived last, up to a moment; `nil` where there is none.
  ///
  /// Rows are in the order in which they were stored: the import of a history puts old ones behind newer ones. The moment
  /// is exact where that conversion is one of the rows stored last, and otherwise the start of its hour, as the hours of
  /// arrival have it.
  ///
  /// - Parameter now: The moment; rows of a file can have a later one.
  public func newestConversion(until now: Instant) throws(LedgerError) -> Instant? {
    try asLedger { () throws(SQLiteError) in
      let hours = try connection.prepare(
        "SELECT hour FROM arrival_hour WHERE hour <= ?1 AND first > 0 ORDER BY hour DESC LIMIT 1")
      try hours.bind(now.hour, at: 1)
      guard let hour = try hours.firstRow({ Instant(hour: $0.count(0)) }) else { return nil }
      let rows = try connection.prepare(
        """
        SELECT max(received_at) FROM (SELECT received_at FROM postback ORDER BY id DESC LIMIT \(Self.lastRows))
        WHERE received_at BETWEEN ?1 AND ?2
        """)
      try rows.bind([hour.milliseconds, now.milliseconds])
      return try rows.firstRow { $0.integer(0) }?.map { Instant(milliseconds: $0) } ?? hour
    }
  }

  /// The arrival of the conversion that was stored last, which a clock must not be behind; `nil` where there is none.
  public func lastStoredArrival() throws(LedgerError) -> Instant? {
    try asLedger { () throws(SQLiteError) in
      try connection.integer("SELECT received_at FROM postback ORDER BY id DESC LIMIT 1")
        .map { Instant(milliseconds: $0) }
    }
  }

  /// The last day of arrival of some conversions, up to a day; `nil` where there is none.
  ///
  /// - Complexity: Linear in the cells of the days behind it.
  public func lastDay(of choice: ConversionChoice, until day: Day) throws(LedgerError) -> ConversionDay? {
    guard let networks = rows(of: choice.networks) else { return nil }
    func list(_ numbers: [Int64]) -> String { numbers.map(String.init).joined(separator: ", ") }
    var conditions = ["day <= \(day.number)"]
    conditions.append(
      choice.environment.map { "environment = \($0.code)" } ?? "environment <> \(Environment.withdrawn.code)")
    if !choice.apps.isEmpty { conditions.append("app IN (\(list(choice.apps.map(\.number))))") }
    if let rows = networks.some { conditions.append("network IN (\(list(rows)))") }
    if choice.campaign != nil { conditions.append("campaign = ?1") }
    let sql = """
      SELECT day, environment FROM campaign_cell JOIN campaign_total t ON t.cell = campaign_cell.id
      WHERE t.postbacks > 0 AND \(conditions.joined(separator: " AND "))
      ORDER BY day DESC, environment LIMIT 1
      """
    return try asLedger { () throws(SQLiteError) in
      let statement = try connection.prepare(sql)
      if let campaign = choice.campaign { try statement.bind(campaign, at: 1) }
      return try statement.firstRow { row -> ConversionDay? in
        decoded(row.integer(1), by: { $0.code }).map { ConversionDay(day: row.day(0), environment: $0) }
      } ?? nil
    }
  }
}
