package import Ledger
import MappingLibrary
package import Postbacks
package import Values

/// What alerts are judged by: sums only, never a single postback.
package struct AlertFacts: Sendable {
  /// The fine values of one network's postbacks of an app that came on one day.
  package struct ValueDay: Equatable, Sendable {
    package let app: AppID
    /// The network, in lower case.
    package let network: String
    /// The UTC day of arrival.
    package let day: Day
    package let postbacks: Int64
    /// Those of them whose value no version of the mapping knows.
    package let unmapped: Int64
  }

  /// Bodies that were answered 503.
  package struct Loss: Equatable, Sendable {
    package let at: Instant
    package let bodies: Int

    package init(at: Instant, bodies: Int) {
      self.at = at
      self.bodies = bodies
    }
  }

  /// Requests for a network that were turned away in an hour, with the status of the last one.
  package struct TurnedAway: Equatable, Sendable {
    package let network: String
    /// Hours since 1970, UTC.
    package let hour: Int64
    package let requests: Int
    package let status: Int

    package init(network: String, hour: Int64, requests: Int, status: Int) {
      (self.network, self.hour, self.requests, self.status) = (network, hour, requests, status)
    }
  }

  package struct LateRelay: Equatable, Sendable {
    package let name: String
    package let oldest: Instant
    /// Why its last attempt failed; `nil` where it did not.
    package let failure: String?
    /// How its backlog has grown in the last hour; `nil` where it has not all the time.
    package let growth: RelayGrowth?

    package init(name: String, oldest: Instant, failure: String?, growth: RelayGrowth? = nil) {
      self.name = name
      self.oldest = oldest
      self.failure = failure
      self.growth = growth
    }
  }

  /// First-window postbacks by campaign and day.
  package var days: [FirstWindowDay] = []
  package var arrivals: [ArrivalHour] = []
  /// Fine values by network and day, of apps that have a mapping.
  package var values: [ValueDay] = []
  package var newest: Instant?
  package var databaseBytes: Int64?
  package var freeBytes: Int64?
  /// The mapping files that were rejected at the last load.
  package var rejectedMappings: [RejectedMapping] = []
  /// When the database was copied last; `nil` for never.
  package var lastBackup: Instant?
  /// The relays of the configuration that postbacks wait for.
  package var lateRelays: [LateRelay] = []
  /// The start of the hour in which the first body came.
  package var oldest: Instant?
  /// When the certificate of TLS ends; `nil` where there is none, or only a running service would know.
  package var certificateEnd: Instant?
  /// What could not be stored; `nil` where only a running service would know.
  package var losses: [Loss]?
  /// When the database's files were found removed or replaced; `nil` where only a running service would know.
  package var replacements: [Instant]?
  /// Requests that were turned away; `nil` where only a running service would know.
  package var turnedAway: [TurnedAway]?
  /// What networks forwarded and was rejected, by reason, in the days that the rules look at.
  package var rejectedForwards: [RejectedForwards] = []
  /// What takes a report; `nil` where it could not be asked.
  package var daily: DailyFacts?
  /// When the facts were looked at before.
  package var lookedAt: Instant?
  /// The database's path, for the commands that show the evidence.
  package var database: String

  package init(database: String) { self.database = database }

  /// Asks a ledger.
  ///
  /// - Parameters:
  ///   - now: The moment; what came after it does not count.
  package init(from reader: LedgerReader, database: String, rules: AlertRules, now: Instant)
    throws(LedgerError)
  {
    self.init(database: database)
    let (days, arrivals, values, newest, bytes, rejected, backup, oldest, relays, forwards) =
      try reader.consistently {
        () throws(LedgerError) in
        let hour = now.hour
        // What is judged by hours reaches back no further than the least that is read.
        let horizon = rules.rules.filter(\.isEnabled).map(\.criteria.arrivalDays).reduce(15, max)
        let shares = rules.all(NullShareCriteria.self)
        let back = (shares.map(\.days).max() ?? 0) + (shares.map(\.baselineDays).max() ?? 0)
        return (
          try reader.firstWindowDays(from: now.day.before(Int32(back))).filter { $0.day <= now.day },
          try reader.arrivals(fromHour: hour - Int64(horizon) * 24).filter { $0.hour <= hour },
          try Self.values(from: reader, rules: rules, now: now), try reader.lastStoredArrival(),
          try reader.fileBytes(), try reader.rejectedMappings(), try reader.last(.backup),
          try reader.oldestArrival(), try Self.lateRelays(at: now, from: reader),
          try reader.rejectedForwards(
            from: Instant(
              hour: hour - Int64(rules.all(ForwardRejectedCriteria.self).map(\.hours).max() ?? 1) + 1
            )
            .day, to: nil)
        )
      }
    self.days = days
    self.arrivals = arrivals
    self.values = values
    self.newest = newest
    databaseBytes = bytes
    rejectedMappings = rejected
    lastBackup = backup
    self.oldest = oldest
    lateRelays = relays
    rejectedForwards = forwards
    freeBytes = reader.freeBytes
  }

  private static func lateRelays(at now: Instant, from reader: LedgerReader) throws(LedgerError)
    -> [LateRelay]
  {
    var late: [LateRelay] = []
    for relay in try reader.relays() where relay.removedAt == nil {
      let backlog = try reader.relayBacklog(after: relay.cursor)
      guard let oldest = backlog.oldest else { continue }
      let growth = try reader.relayGrowth(of: relay, backlog, now: now)
      late.append(LateRelay(name: relay.name, oldest: oldest, failure: relay.failure, growth: growth))
    }
    return late
  }

  private static func values(
    from reader: LedgerReader, rules: AlertRules, now: Instant
  ) throws(LedgerError) -> [ValueDay] {
    let back = rules.all(UnmappedValuesCriteria.self).map(\.days).max() ?? 0
    guard back > 0 else { return [] }
    let catalog = try MappingCatalog(from: reader)
    guard !catalog.apps.isEmpty else { return [] }
    struct Key: Hashable {
      let app: AppID
      let network: String
      let day: Day
    }
    var sums: [Key: (postbacks: Int64, unmapped: Int64)] = [:]
    for row in try reader.fineValueDays(from: now.day.before(Int32(back) - 1)) where row.day <= now.day {
      guard
        let isUnmapped = catalog.isUnmapped(
          row.value, app: row.app, version: row.version, window: .first, day: row.day,
          type: row.outcome.conversionType)
      else { continue }
      let key = Key(app: row.app, network: row.network, day: row.day)
      sums[key, default: (0, 0)].postbacks += row.postbacks
      if isUnmapped { sums[key, default: (0, 0)].unmapped += row.postbacks }
    }
    return sums.map { key, sum in
      ValueDay(
        app: key.app, network: key.network, day: key.day, postbacks: sum.postbacks, unmapped: sum.unmapped)
    }
  }
}

extension Day {
  /// The day that many days earlier.
  func before(_ days: Int32) -> Day { Day(number: number - days) }
}
