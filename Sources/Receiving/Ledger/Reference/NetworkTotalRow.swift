import SQLite
public import Values

/// What a network reports for a campaign on a day.
///
/// What the network does not report is `nil`, which is not 0.
public struct NetworkTotalRow: Hashable, Sendable {
  /// The day, as the network dates it.
  public let day: Day
  /// The network, in lower case.
  public let network: String
  /// The campaign, by its digits in postbacks or by its name; empty where the network reports only its total.
  public let campaign: String
  /// Installs.
  public var installs: Int64
  /// Redownloads.
  public var redownloads: Int64?
  /// Postbacks of every kind.
  public var postbacks: Int64?
  /// Conversions with a value.
  public var withValue: Int64?
  /// Revenue in millionths of the currency's unit.
  public var micros: Int64?
  /// The ISO 4217 code of the revenue.
  public var currency: String?

  public init(
    day: Day, network: String, campaign: String, installs: Int64, redownloads: Int64? = nil,
    postbacks: Int64? = nil, withValue: Int64? = nil, micros: Int64? = nil, currency: String? = nil
  ) {
    self.day = day
    self.network = network
    self.campaign = campaign
    self.installs = installs
    self.redownloads = redownloads
    self.postbacks = postbacks
    self.withValue = withValue
    self.micros = micros
    self.currency = currency
  }
}

extension ReferenceStore {
  /// Puts what networks counted into the database, all rows or none.
  public func put(_ rows: [NetworkTotalRow]) throws(LedgerError) {
    let target =
      "network_total(day, network, campaign, installs, redownloads, postbacks, with_value, micros, currency)"
    try put(rows, target, columns: 9) { row, statement throws(SQLiteError) in
      try statement.bind(Int64(row.day.number), at: 1)
      try statement.bind(row.network, at: 2)
      try statement.bind(row.campaign, at: 3)
      try statement.bind(row.installs, at: 4)
      try statement.bind(row.redownloads, at: 5)
      try statement.bind(row.postbacks, at: 6)
      try statement.bind(row.withValue, at: 7)
      try statement.bind(row.micros, at: 8)
      try statement.bind(row.currency, at: 9)
    }
  }
}

extension LedgerReader {
  /// What networks counted in a range of their days, by network, campaign and day.
  public func networkTotals(from: Day?, to: Day?) throws(LedgerError) -> [NetworkTotalRow] {
    try asLedger { () throws(SQLiteError) in
      let statement = try connection.prepare(
        """
        SELECT day, network, campaign, installs, redownloads, postbacks, with_value, micros, currency
        FROM network_total WHERE day >= ?1 AND day < ?2 ORDER BY network, campaign, day
        """)
      try statement.bind(Int64(from?.number ?? .min), at: 1)
      try statement.bind(Int64(to?.number ?? .max), at: 2)
      var rows: [NetworkTotalRow] = []
      try statement.forEachRow { row in
        rows.append(
          NetworkTotalRow(
            day: Day(number: Int32(truncatingIfNeeded: row.count(0))), network: row.text(1) ?? "",
            campaign: row.text(2) ?? "", installs: row.count(3), redownloads: row.integer(4),
            postbacks: row.integer(5), withValue: row.integer(6), micros: row.integer(7),
            currency: row.text(8)))
      }
      return rows
    }
  }
}
