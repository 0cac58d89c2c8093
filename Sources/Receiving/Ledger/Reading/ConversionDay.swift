public import Postbacks
import SQLite
import System
public import Values

/// A day on which conversions arrived, and of which environment.
public struct ConversionDay: Equatable, Sendable {
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
    let hours = try connection.prepare(
      "SELECT hour FROM arrival_hour WHERE hour <= ?1 AND first > 0 ORDER BY hour DESC LIMIT 1")
    try hours.bind(now.hour)
    guard let hour = try hours.firstRow({ Instant(hour: $0.count(0)) }) else { return nil }
    // The rows stored last are of all networks.
    guard limit.networks.isEmpty else { return hour }
    let rows = try connection.prepare(
      """
      SELECT max(received_at) FROM (SELECT received_at FROM postback ORDER BY id DESC LIMIT \(Self.lastRows))
      WHERE received_at BETWEEN ?1 AND ?2
      """)
    try rows.bind(hour.milliseconds, now.milliseconds)
    return try rows.firstRow { $0.integer(0) }?.map { Instant(milliseconds: $0) } ?? hour
  }

  /// The arrival of the conversion that was stored last, which a clock must not be behind; `nil` where there is none.
  public func lastStoredArrival() throws(LedgerError) -> Instant? {
    try connection.integer("SELECT received_at FROM postback ORDER BY id DESC LIMIT 1")
      .map { Instant(milliseconds: $0) }
  }

  /// Days before another one in which a last day is looked for first, because most have it there.
  private static let lastDays: [Int32] = [32, 512]

  /// The last day of arrival of some conversions, up to a day; `nil` where there is none.
  ///
  /// - Complexity: Linear in the postbacks of the days behind it.
  public func lastDay(of choice: ConversionChoice, until day: Day) throws(LedgerError) -> ConversionDay? {
    let environments = choice.environment.map { [$0] } ?? Environment.allCases.filter { $0 != .withdrawn }
    for days in Self.lastDays.map({ Optional($0) }) + [nil] {
      var found: ConversionDay?
      for environment in environments {
        let query = CampaignQuery(
          environment: environment, from: days.map { Day(number: day.number - $0) }, to: day.next,
          apps: choice.apps, networks: choice.networks,
          conditions: choice.campaign.map { [CampaignCondition(.campaign, [$0])] } ?? [], dimensions: [])
        guard let last = try counted(query, .none)?.sum.arrivalDays.map(\.last).max() else { continue }
        if found.map({ $0.day.number < last }) ?? true {
          found = ConversionDay(day: Day(number: last), environment: environment)
        }
      }
      if let found { return found }
    }
    return nil
  }
}
