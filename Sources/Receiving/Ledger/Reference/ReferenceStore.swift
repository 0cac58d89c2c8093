public import Postbacks
import SQLite
public import Values

/// What an advertiser paid a network for a campaign on a day.
public struct SpendRow: Hashable, Sendable {
  /// The UTC day.
  public let day: Day
  /// The network, in lower case.
  public let network: String
  /// The campaign, by its digits in postbacks or by its name.
  public let campaign: String
  /// The App Store number of the app; `nil` where the file does not have it.
  public let app: Int64?
  /// The ISO 4217 code.
  public let currency: String
  /// Millionths of the currency's unit.
  public let micros: Int64

  public init(day: Day, network: String, campaign: String, app: Int64?, currency: String, micros: Int64) {
    self.day = day
    self.network = network
    self.campaign = campaign
    self.app = app
    self.currency = currency
    self.micros = micros
  }
}

/// What people call a campaign in some days.
public struct CampaignNameRow: Hashable, Sendable {
  /// The network, in lower case.
  public let network: String
  /// The campaign id, or two to four last digits of a source identifier.
  public let campaign: String
  /// The first UTC day.
  public let from: Day
  /// The first UTC day that no longer counts; `nil` for no end.
  public let to: Day?
  /// The campaign's name.
  public let name: String
  /// The ad set's name.
  public let adSet: String?
  /// The creative's name.
  public let creative: String?
  /// The country.
  public let country: String?

  public init(
    network: String, campaign: String, from: Day, to: Day?, name: String, adSet: String?, creative: String?,
    country: String?
  ) {
    self.network = network
    self.campaign = campaign
    self.from = from
    self.to = to
    self.name = name
    self.adSet = adSet
    self.creative = creative
    self.country = country
  }
}

/// What one unit of a currency is worth in another one, from a day on.
public struct RateRow: Hashable, Sendable {
  /// The first UTC day.
  public let day: Day
  /// The ISO 4217 code of the one unit.
  public let currency: String
  /// The ISO 4217 code of what it is worth.
  public let quote: String
  /// Millionths of millionths of the quote currency for one unit, because some units are worth very little.
  public let picos: Int64

  public init(day: Day, currency: String, quote: String, picos: Int64) {
    self.day = day
    self.currency = currency
    self.quote = quote
    self.picos = picos
  }
}

/// Takes what advertisers know into a ledger while its writer goes on; one thread owns it.
///
/// A row that is there already is replaced, so that a file can be imported again.
public final class ReferenceStore {
  let connection: Connection

  /// Opens a database, and makes it when it is missing.
  public init(path: String) throws(LedgerError) { connection = try LedgerWriter.open(path, LedgerSettings()) }

  /// Puts spend into the database, all rows or none, in the place of what is there for the same environment, days,
  /// networks, campaigns and currencies, whatever app that names.
  ///
  /// - Parameters:
  ///   - rows: What was paid.
  ///   - environment: Whose postbacks it is compared with.
  /// - Throws: ``LedgerError``.
  public func put(_ rows: [SpendRow], of environment: Environment) throws(LedgerError) {
    let clear = """
      DELETE FROM spend WHERE environment = ?7 AND day = ?1 AND network = ?2 AND campaign = ?3 AND ?4 = ?4
        AND currency = ?5 AND ?6 = ?6
      """
    let target = "spend(day, network, campaign, app, currency, micros, environment)"
    try put(rows, clearingBy: clear, target, columns: 7) { row, statement throws(SQLiteError) in
      try statement.bind(Int64(row.day.number), at: 1)
      try statement.bind(row.network, at: 2)
      try statement.bind(row.campaign, at: 3)
      try statement.bind(row.app ?? 0, at: 4)
      try statement.bind(row.currency, at: 5)
      try statement.bind(row.micros, at: 6)
      try statement.bind(environment.code, at: 7)
    }
  }

  /// Puts names into the database, all rows or none.
  public func put(_ rows: [CampaignNameRow]) throws(LedgerError) {
    try put(
      rows, "campaign_name(network, campaign, from_day, to_day, name, ad_set, creative, country)", columns: 8
    ) { row, statement throws(SQLiteError) in
      try statement.bind(row.network, at: 1)
      try statement.bind(row.campaign, at: 2)
      try statement.bind(Int64(row.from.number), at: 3)
      try statement.bind(row.to.map { Int64($0.number) }, at: 4)
      try statement.bind(row.name, at: 5)
      try statement.bind(row.adSet, at: 6)
      try statement.bind(row.creative, at: 7)
      try statement.bind(row.country, at: 8)
    }
  }

  /// Puts rates into the database, all rows or none.
  public func put(_ rows: [RateRow]) throws(LedgerError) {
    try put(rows, "rate(day, currency, quote, picos)", columns: 4) { row, statement throws(SQLiteError) in
      try statement.bind(Int64(row.day.number), at: 1)
      try statement.bind(row.currency, at: 2)
      try statement.bind(row.quote, at: 3)
      try statement.bind(row.picos, at: 4)
    }
  }

  func put<Value>(
    _ rows: [Value], clearingBy clear: String? = nil, _ target: String, columns: Int,
    _ bind: (Value, borrowing Statement) throws(SQLiteError) -> Void
  ) throws(LedgerError) {
    try asLedger { () throws(SQLiteError) in
      try connection.transaction { () throws(SQLiteError) in
        let marks = (1...columns).map { "?\($0)" }.joined(separator: ", ")
        let insert = try connection.prepare("INSERT OR REPLACE INTO \(target) VALUES (\(marks))")
        if let clear {
          let delete = try connection.prepare(clear)
          for row in rows {
            try bind(row, delete)
            try delete.run()
          }
        }
        for row in rows {
          try bind(row, insert)
          try insert.run()
        }
      }
    }
  }
}

extension LedgerReader {
  /// What was paid for the postbacks of an environment in a range of UTC days, by day, network and campaign.
  public func spend(from: Day?, to: Day?, environment: Environment) throws(LedgerError) -> [SpendRow] {
    try asLedger { () throws(SQLiteError) in
      let statement = try connection.prepare(
        """
        SELECT day, network, campaign, app, currency, micros FROM spend
        WHERE environment = ?3 AND day >= ?1 AND day < ?2 ORDER BY day, network, campaign, app, currency
        """)
      try statement.bind(Int64(from?.number ?? .min), at: 1)
      try statement.bind(Int64(to?.number ?? .max), at: 2)
      try statement.bind(environment.code, at: 3)
      var rows: [SpendRow] = []
      try statement.forEachRow { row in
        rows.append(
          SpendRow(
            day: Day(number: Int32(truncatingIfNeeded: row.count(0))), network: row.text(1) ?? "",
            campaign: row.text(2) ?? "", app: row.count(3) == 0 ? nil : row.count(3),
            currency: row.text(4) ?? "", micros: row.count(5)))
      }
      return rows
    }
  }

  /// Whether anything was paid for the postbacks of some environments in a range of UTC days.
  public func hasSpend(from: Day?, to: Day?, of environments: [Environment]) throws(LedgerError) -> Bool {
    try asLedger { () throws(SQLiteError) in
      let codes = environments.map { String($0.code) }.joined(separator: ", ")
      let statement = try connection.prepare(
        "SELECT 1 FROM spend WHERE environment IN (\(codes)) AND day >= ?1 AND day < ?2 LIMIT 1")
      try statement.bind(Int64(from?.number ?? .min), at: 1)
      try statement.bind(Int64(to?.number ?? .max), at: 2)
      var isFound = false
      try statement.forEachRow { _ in isFound = true }
      return isFound
    }
  }

  /// The names of campaigns, by network, campaign and day.
  public func campaignNames() throws(LedgerError) -> [CampaignNameRow] {
    try asLedger { () throws(SQLiteError) in
      var rows: [CampaignNameRow] = []
      try connection.prepare(
        """
        SELECT network, campaign, from_day, to_day, name, ad_set, creative, country FROM campaign_name
        ORDER BY network, campaign, from_day
        """
      ).forEachRow { row in
        rows.append(
          CampaignNameRow(
            network: row.text(0) ?? "", campaign: row.text(1) ?? "",
            from: Day(number: Int32(truncatingIfNeeded: row.count(2))),
            to: row.integer(3).map { Day(number: Int32(truncatingIfNeeded: $0)) }, name: row.text(4) ?? "",
            adSet: row.text(5), creative: row.text(6), country: row.text(7)))
      }
      return rows
    }
  }

  /// The exchange rates, by pair and day.
  public func rates() throws(LedgerError) -> [RateRow] {
    try asLedger { () throws(SQLiteError) in
      var rows: [RateRow] = []
      try connection.prepare(
        "SELECT day, currency, quote, picos FROM rate ORDER BY currency, quote, day"
      ).forEachRow { row in
        rows.append(
          RateRow(
            day: Day(number: Int32(truncatingIfNeeded: row.count(0))), currency: row.text(1) ?? "",
            quote: row.text(2) ?? "", picos: row.count(3)))
      }
      return rows
    }
  }
}
