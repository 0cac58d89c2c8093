public import Postbacks
import SQLite
import System
public import Values

/// Bodies by what became of them.
public struct ArrivalCount: Hashable, Sendable {
  /// First valid copies.
  public var first: Int64
  /// Further valid copies that agree with the first.
  public var repeated: Int64
  /// Further valid copies that disagree with the first.
  public var conflicting: Int64
  /// Bodies that are rejected.
  public var rejected: Int64

  public init(first: Int64 = 0, repeated: Int64 = 0, conflicting: Int64 = 0, rejected: Int64 = 0) {
    self.first = first
    self.repeated = repeated
    self.conflicting = conflicting
    self.rejected = rejected
  }

  /// Nothing counted.
  public static let zero = Self()

  /// Valid bodies.
  public var valid: Int64 { first + repeated + conflicting }
}

/// The bodies that took one way in one hour.
public struct ArrivalHour: Hashable, Sendable {
  /// Hours since 1970-01-01T00:00:00Z.
  public let hour: Int64
  /// The way they took.
  public let origin: Origin
  /// Whose keys signed them; production for bodies that are rejected.
  public let environment: Environment
  /// The network, in lower case; `nil` for bodies that are rejected.
  public let network: String?
  /// How many.
  public let count: ArrivalCount

  public init(
    hour: Int64, origin: Origin, environment: Environment = .production, network: String?, count: ArrivalCount
  ) {
    self.hour = hour
    self.origin = origin
    self.environment = environment
    self.network = network
    self.count = count
  }
}

/// The first-window postbacks of a campaign that came on one day.
public struct FirstWindowDay: Hashable, Sendable {
  /// The advertised app.
  public let app: AppID
  /// The network, in lower case.
  public let network: String
  /// The campaign; of a source identifier its last two digits, which postbacks without a value have too.
  public let campaign: String
  /// The UTC day of arrival.
  public let day: Day
  /// Winning postbacks.
  public let postbacks: Int64
  /// Those of them without any value.
  public let nulls: Int64

  public init(app: AppID, network: String, campaign: String, day: Day, postbacks: Int64, nulls: Int64) {
    self.app = app
    self.network = network
    self.campaign = campaign
    self.day = day
    self.postbacks = postbacks
    self.nulls = nulls
  }
}

/// Winning postbacks with one fine value that came on one day.
public struct FineValueDay: Hashable, Sendable {
  /// The advertised app.
  public let app: AppID
  /// The network, in lower case.
  public let network: String
  /// The postbacks' version.
  public let version: ProtocolVersion
  /// What happened, which can decide what a value means.
  public let outcome: Outcome
  /// The UTC day of arrival.
  public let day: Day
  /// The value.
  public let value: ConversionValue
  /// How many.
  public let postbacks: Int64
}

extension LedgerReader {
  /// All arrivals from an hour on, by hour.
  ///
  /// - Parameter hour: Hours since 1970-01-01T00:00:00Z.
  /// - Returns: One element for each hour and way.
  /// - Throws: ``LedgerError``.
  public func arrivals(fromHour hour: Int64) throws(LedgerError) -> [ArrivalHour] {
    try asLedger { () throws(SQLiteError) in
      let origins = try origins()
      var hours: [ArrivalHour] = []
      let statement = try connection.prepare(
        """
        SELECT hour, origin, environment, network, first, repeated, conflicting, rejected FROM arrival_hour
        WHERE hour >= ?1 ORDER BY hour, origin, environment, network
        """)
      try statement.bind(hour, at: 1)
      try statement.forEachRow { row in
        guard let origin = origins[row.count(1)],
          let environment: Environment = decoded(row.integer(2), by: { $0.code })
        else { return }
        hours.append(
          ArrivalHour(
            hour: row.count(0), origin: origin, environment: environment,
            network: self.networks[row.count(3)],
            count: ArrivalCount(
              first: row.count(4), repeated: row.count(5), conflicting: row.count(6), rejected: row.count(7)))
        )
      }
      return hours
    }
  }

  /// The first-window postbacks of production from a day on, by app, network, campaign and day.
  public func firstWindowDays(from day: Day) throws(LedgerError) -> [FirstWindowDay] {
    try asLedger { () throws(SQLiteError) in
      var days: [FirstWindowDay] = []
      try connection.prepare(
        """
        SELECT c.app, c.network, iif(c.version >= \(ProtocolVersion.v4_0.code), substr(c.campaign, -2), c.campaign),
          c.day, sum(t.postbacks), sum(t.value_null)
        FROM campaign_cell c CROSS JOIN campaign_total t ON t.cell = c.id
        WHERE c.day >= \(day.number) AND c.environment = \(Environment.production.code) AND c.window = 0
          AND c.outcome <> \(Outcome.assist.code)
        GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
        """
      ).forEachRow { row in
        guard let app = AppID(row.count(0)) else { return }
        days.append(
          FirstWindowDay(
            app: app, network: self.networks[row.count(1)] ?? "", campaign: row.text(2) ?? "",
            day: Day(number: Int32(truncatingIfNeeded: row.count(3))), postbacks: row.count(4),
            nulls: row.count(5)))
      }
      return days
    }
  }

  /// The fine values of production's first-window postbacks from a day on, by app, network, version, outcome,
  /// day and value; in no order.
  public func fineValueDays(from day: Day) throws(LedgerError) -> [FineValueDay] {
    try asLedger { () throws(SQLiteError) in
      var days: [FineValueDay] = []
      // One key of numbers packed together is grouped in less than half the time of five.
      try connection.prepare(
        """
        SELECT c.app, c.network, c.version, c.day, v.id & 127, sum(v.postbacks), c.outcome
        FROM campaign_cell c CROSS JOIN value_hour v ON v.id BETWEEN c.id * 4096 AND c.id * 4096 + 4095
        WHERE c.day >= \(day.number) AND c.environment = \(Environment.production.code) AND c.window = 0
          AND v.id & 127 < 64
        GROUP BY c.app, (((c.network * 1024 + c.version) * 8 + c.outcome) * 65536 + c.day) * 128 + (v.id & 127)
        """
      ).forEachRow { row in
        guard let app = AppID(row.count(0)),
          let version: ProtocolVersion = decoded(row.integer(2), by: { $0.code }),
          let value = ConversionValue(slot: row.count(4)),
          let outcome: Outcome = decoded(row.integer(6), by: { $0.code })
        else { return }
        days.append(
          FineValueDay(
            app: app, network: self.networks[row.count(1)] ?? "", version: version, outcome: outcome,
            day: Day(number: Int32(truncatingIfNeeded: row.count(3))), value: value, postbacks: row.count(5)))
      }
      return days
    }
  }

  /// When the newest conversion came; `nil` where there is none.
  public func newestArrival() throws(LedgerError) -> Instant? {
    try asLedger { () throws(SQLiteError) in
      try connection.integer("SELECT received_at FROM postback ORDER BY id DESC LIMIT 1").map {
        Instant(milliseconds: $0)
      }
    }
  }

  /// Bytes that are free on the disk of the database; `nil` where the system does not report it.
  public var freeBytes: Int64? { (try? Folder(holding: path))?.freeBytes }

  /// The size of the database in bytes, with pages that are free for reuse.
  public func fileBytes() throws(LedgerError) -> Int64 {
    try asLedger { () throws(SQLiteError) in
      let pages = try connection.integer("PRAGMA page_count") ?? 0
      return pages * (try connection.integer("PRAGMA page_size") ?? 0)
    }
  }
}
