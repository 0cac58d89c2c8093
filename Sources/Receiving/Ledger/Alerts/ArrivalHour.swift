public import Postbacks
import SQLite
import System
import Values

public struct ArrivalCount: Equatable, Sendable {
  public var first: Int64
  /// Further valid copies that agree with the first.
  public var repeated: Int64
  /// Further valid copies that disagree with the first.
  public var conflicting: Int64
  public var rejected: Int64

  public init(first: Int64 = 0, repeated: Int64 = 0, conflicting: Int64 = 0, rejected: Int64 = 0) {
    self.first = first
    self.repeated = repeated
    self.conflicting = conflicting
    self.rejected = rejected
  }

  public static let zero = Self()

  public var valid: Int64 { first + repeated + conflicting }
}

/// The bodies that took one way in one hour.
public struct ArrivalHour: Equatable, Sendable {
  /// Hours since 1970-01-01T00:00:00Z.
  public let hour: Int64
  public let origin: Origin
  /// Whose keys signed them; production for bodies that are rejected.
  public let environment: Environment
  /// The network, in lower case; `nil` for bodies that are rejected.
  public let network: String?
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

extension LedgerReader {
  /// All arrivals from an hour on, by hour.
  ///
  /// - Parameter hour: Hours since 1970-01-01T00:00:00Z.
  /// - Returns: One element for each hour and way.
  public func arrivals(fromHour hour: Int64) throws(LedgerError) -> [ArrivalHour] {
    let origins = try origins()
    var hours: [ArrivalHour] = []
    let statement = try connection.prepare(
      """
      SELECT hour, origin, environment, network, first, repeated, conflicting, rejected FROM arrival_hour
      WHERE hour >= ?1 ORDER BY hour, origin, environment, network
      """)
    try statement.bind(hour)
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

  /// Bytes that are free on the disk of the database; `nil` where the system does not report it.
  public var freeBytes: Int64? { (try? Folder(holding: path))?.freeBytes }

  /// The size of the database in bytes, with pages that are free for reuse.
  public func fileBytes() throws(LedgerError) -> Int64 {
    let pages = try connection.integer("PRAGMA page_count") ?? 0
    return pages * (try connection.integer("PRAGMA page_size") ?? 0)
  }
}
