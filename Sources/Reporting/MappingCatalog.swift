public import ConversionMapping
public import Ledger
public import Platform
public import Postbacks

/// The mappings of a ledger, ready to decode its postbacks.
public struct MappingCatalog: Sendable {
  /// The versions of each app's mapping.
  public let histories: [AppID: MappingHistory]
  /// All versions as they are stored, by app and moment.
  public let stored: [StoredMapping]
  /// The files whose documents this program does not understand; nothing is decoded by them.
  public let unreadable: [String]

  /// Reads the mappings of a ledger.
  ///
  /// - Throws: ``LedgerError``.
  public init(from reader: LedgerReader) throws(LedgerError) { self.init(try reader.mappings()) }

  /// Reads stored mappings.
  public init(_ stored: [StoredMapping]) {
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
    self.unreadable = unreadable
    histories = versions.mapValues { MappingHistory($0) }
  }

  /// The apps that have a mapping, in order.
  var apps: [AppID] { histories.keys.sorted() }

  /// The days on which the hour of arrival decides which version a postback was sent under.
  var hourlyDays: [HourlyDays] {
    histories.sorted { $0.key < $1.key }.flatMap { app, history -> [HourlyDays] in
      let older = history.undecidedDays(version: .v3_0, window: .first).map {
        HourlyDays(app: app, hasWindows: false, window: .first, days: $0)
      }
      let newer = ConversionWindow.allCases.flatMap { window in
        history.undecidedDays(version: .v4_0, window: window).map {
          HourlyDays(app: app, hasWindows: true, window: window, days: $0)
        }
      }
      return older + newer
    }
  }

  /// What a postback says of its user; the hour of its arrival counts, not the moment, as it does in reports.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - app: The advertised app.
  ///   - version: The postback's version.
  ///   - window: Its window.
  ///   - receivedAt: When it came.
  /// - Returns: What its mapping says; `nil` where the app has none.
  public func expectation(
    of value: ConversionValue, app: AppID, version: ProtocolVersion, window: ConversionWindow,
    receivedAt: Instant
  ) -> Expectation? {
    let hour = receivedAt.startOfHour
    return histories[app]?.expectation(
      of: value, version: version, window: window, arrival: hour..<(hour + 3_600_000))
  }

  /// Whether money of a window can be added to money of the first one, because it is not in there already.
  func isAdditional(_ window: ConversionWindow, app: AppID) -> Bool {
    guard window != .first else { return true }
    return histories[app]?.versions.allSatisfy { $0.coarse[window]?.totals == .window } ?? false
  }
}
