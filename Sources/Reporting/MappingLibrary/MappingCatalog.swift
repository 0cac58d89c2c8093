package import Ledger
package import Mappings
package import Postbacks
package import Values

/// The mappings of a ledger, ready to decode its postbacks.
package struct MappingCatalog: Sendable {
  /// The versions of each app's mapping.
  package let histories: [AppID: MappingHistory]
  /// All versions as they are stored, by app and moment.
  package let stored: [StoredMapping]
  /// The files whose documents this program does not understand; nothing is decoded by them.
  package let unreadable: [String]
  /// The files that were rejected at the last load of their folder, by name.
  package let rejected: [RejectedMapping]

  package init(from reader: LedgerReader) throws(LedgerError) {
    self.init(
      try reader.mappings(), rejected: try reader.rejectedMappings(), finalHours: try reader.finalHours())
  }

  /// Reads stored mappings.
  ///
  /// - Parameters:
  ///   - rejected: The files that were rejected.
  ///   - finalHours: When values of own users were final.
  package init(
    _ stored: [StoredMapping], rejected: [RejectedMapping] = [], finalHours: [FinalHourRow] = []
  ) {
    var versions: [AppID: [Mapping]] = [:]
    var unreadable: [String] = []
    for mapping in stored {
      if let read = MappingDocument.read(mapping.document).document?.mapping {
        versions[mapping.app, default: []].append(read)
      } else {
        unreadable.append(mapping.source)
      }
    }
    self.stored = stored
    self.rejected = rejected
    self.unreadable = unreadable
    var learned: [AppID: [Instant: FinalHours]] = [:]
    for row in finalHours {
      learned[row.app, default: [:]][row.effectiveFrom, default: FinalHours()].add(
        row.users, value: row.value, hour: row.hour)
    }
    histories = Dictionary(
      uniqueKeysWithValues: versions.map { app, versions in
        (app, MappingHistory(versions, finalHours: learned[app] ?? [:]))
      })
  }

  /// The apps that have a mapping, in order.
  package var apps: [AppID] { histories.keys.sorted() }

  /// The days on which the hour of arrival decides which version a postback was sent under.
  package func hourlyDays(_ timers: DeviceTimers) -> [HourlyDays] {
    histories.ordered { $0.key < $1.key }.flatMap { app, history -> [HourlyDays] in
      let older = history.undecidedDays(version: .v3_0, window: .first, timers: timers).map {
        HourlyDays(app: app, hasWindows: false, window: .first, days: $0)
      }
      let newer = ConversionWindow.allCases.flatMap { window in
        history.undecidedDays(version: .v4_0, window: window, timers: timers).map {
          HourlyDays(app: app, hasWindows: true, window: window, days: $0)
        }
      }
      return older + newer
    }
  }

  /// Whether no version of the app's mapping that a postback of a day can have followed knows its value.
  ///
  /// - Parameters:
  ///   - version: The postback's version.
  ///   - day: The UTC day of its arrival.
  ///   - type: The conversion's type; `nil` where it is unknown.
  /// - Returns: The answer; `nil` where the app has no mapping.
  package func isUnmapped(
    _ value: ConversionValue, app: AppID, version: ProtocolVersion, window: ConversionWindow, day: Day,
    type: ConversionType?
  ) -> Bool? {
    histories[app].map {
      $0.expectation(
        of: value, version: version, window: window, timers: .full, arrival: day.start..<day.next.start,
        type: type
      ).status == .unmapped
    }
  }

  /// What a postback means for its user; the hour of its arrival counts, not the moment, as it does in reports.
  ///
  /// - Parameters:
  ///   - version: The postback's version.
  ///   - type: The type of its conversion; `nil` where it is not known.
  /// - Returns: The meaning by its mapping; `nil` where the app has none.
  package func expectation(
    of value: ConversionValue, app: AppID, version: ProtocolVersion, window: ConversionWindow,
    timers: DeviceTimers, receivedAt: Instant, type: ConversionType? = nil
  ) -> Expectation? {
    histories[app]?.expectation(
      of: value, version: version, window: window, timers: timers,
      arrival: receivedAt.startOfHour.followingHour,
      type: type)
  }
}
