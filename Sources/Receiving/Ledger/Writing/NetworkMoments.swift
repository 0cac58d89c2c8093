public import Postbacks
import SQLite
import System
public import Values
import Verification

/// When the last valid postback of each network was stored.
///
/// It keeps a bounded number of networks, those that were heard of last. Any thread may use it.
public final class NetworkMoments: Sendable {
  /// Whose postbacks are meant.
  public struct Stream: Hashable, Sendable {
    /// The network, in lower case.
    public let network: String
    /// Whose keys signed them.
    public let environment: Environment
    public var environmentName: String { environment.rawValue }

    public init(network: String, environment: Environment) {
      self.network = network
      self.environment = environment
    }
  }

  /// A stream, and when its last postback was stored.
  public struct Moment: Equatable, Sendable {
    public let stream: Stream
    public let at: Instant
  }

  /// Networks that are kept at most.
  public static let most = 200

  private let moments = Guarded<[Stream: Instant]>([:])

  public init() {}

  public var all: [Moment] {
    moments.withLock { moments in moments.map { Moment(stream: $0.key, at: $0.value) } }.ordered {
      ($0.stream.network, $0.stream.environment.rawValue) < (
        $1.stream.network, $1.stream.environment.rawValue
      )
    }
  }

  /// Takes note of moments; earlier ones than those that are known change nothing.
  public func note(_ found: [Stream: Instant]) {
    guard !found.isEmpty else { return }
    moments.withLock { moments in
      moments.merge(found) { max($0, $1) }
      while moments.count > Self.most, let oldest = moments.min(by: { $0.value < $1.value }) {
        moments.removeValue(forKey: oldest.key)
      }
    }
  }

  /// Takes note of the hours in which valid postbacks of the last four weeks came, as far as the database can be read.
  public func noteLastHours(of database: String, now: Instant) {
    let hour = Int64(now.day.number) * 24 - 28 * 24
    if let hours = try? LedgerReader(path: database).lastHours(fromHour: hour) { note(hours) }
  }

  func note(_ receipts: [Receipt]) {
    var found: [Stream: Instant] = [:]
    for receipt in receipts {
      guard case .conversion(let conversion) = receipt.finding else { continue }
      let stream = Stream(network: conversion.key.network, environment: conversion.key.environment)
      found[stream] = max(found[stream] ?? receipt.arrival.receivedAt, receipt.arrival.receivedAt)
    }
    note(found)
  }
}

extension LedgerReader {
  /// The start of the hour in which the last valid postback of each network came, from an hour on.
  ///
  /// - Parameter hour: Hours since 1970-01-01T00:00:00Z.
  public func lastHours(fromHour hour: Int64) throws(LedgerError) -> [NetworkMoments.Stream: Instant] {
    var hours: [NetworkMoments.Stream: Instant] = [:]
    let statement = try connection.prepare(
      """
      SELECT network, environment, max(hour) FROM arrival_hour
      WHERE hour >= ?1 AND first + repeated + conflicting > 0 GROUP BY network, environment
      """)
    try statement.bind(hour)
    try statement.forEachRow { row in
      guard let network = self.networks[row.count(0)],
        let environment: Environment = decoded(row.integer(1), by: { $0.code })
      else { return }
      hours[.init(network: network, environment: environment)] =
        Instant(hour: row.count(2))
    }
    return hours
  }
}
