public import Postbacks
public import Values

/// What postbacks that count alike have in common besides their group.
public struct FactKind: Equatable, Sendable {
  public let app: AppID
  public let version: ProtocolVersion
  public let window: ConversionWindow
  /// What happened, which can decide what a value means.
  public let outcome: Outcome
  public let value: ConversionValue
  public let interaction: AdInteraction?
  /// When they came: an hour or a UTC day of arrival, or a day that stands for all that decode alike; `nil` where arrivals
  /// are not distinguished.
  public let arrival: Range<Instant>?
}

/// How kinds distinguish moments of arrival.
enum FactTimes {
  case none
  /// As far as the meaning of values differs.
  case decoding(DecodedDays)
}

/// Days of an app whose values are counted by the hour of arrival.
public struct HourlyDays: Equatable, Sendable {
  public let app: AppID
  /// Whether it is about versions with windows.
  public let hasWindows: Bool
  public let window: ConversionWindow
  /// Numbers of the UTC days.
  public let days: Range<Int32>

  public init(app: AppID, hasWindows: Bool, window: ConversionWindow, days: Range<Int32>) {
    self.app = app
    self.hasWindows = hasWindows
    self.window = window
    self.days = days
  }
}

/// Which days of arrival a count keeps apart, because values can have different meanings on them.
struct DecodedDays {
  private struct AppWindow: Hashable {
    let app: AppID
    let hasWindows: Bool
    let window: ConversionWindow
  }

  private let apps: Set<AppID>
  private let hourly: [AppWindow: [Range<Int32>]]
  private let isDaily: Bool

  /// - Parameters:
  ///   - apps: The apps whose values are decoded.
  ///   - hourly: The days whose values count by the hour.
  ///   - isDaily: Whether other days count one by one; otherwise all of them between two of ``hourly`` count together.
  init(_ apps: [AppID], _ hourly: [HourlyDays], isDaily: Bool) {
    self.apps = Set(apps)
    self.isDaily = isDaily
    self.hourly = Dictionary(grouping: hourly) {
      AppWindow(app: $0.app, hasWindows: $0.hasWindows, window: $0.window)
    }.mapValues { Self.joined($0.map(\.days)) }
  }

  /// The same days in order, as ranges with others between them.
  private static func joined(_ ranges: [Range<Int32>]) -> [Range<Int32>] {
    var joined: [Range<Int32>] = []
    for range in ranges.filter({ !$0.isEmpty }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, range.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    return joined
  }

  /// The day that stands for a UTC day, and whether its hours are kept apart; `nil` where nothing is decoded.
  func standing(for day: Int32, of source: FactSource) -> (day: Int32, isHourly: Bool)? {
    guard apps.contains(source.app), source.outcome != .assist else { return nil }
    let place = AppWindow(app: source.app, hasWindows: source.version.hasWindows, window: source.window)
    let ranges = hourly[place] ?? []
    if ranges.contains(where: { $0.contains(day) }) { return (day, true) }
    return (isDaily ? day : Self.representative(of: day, between: ranges), false)
  }

  /// A day of those between two ranges, the same for each of them.
  private static func representative(of day: Int32, between ranges: [Range<Int32>]) -> Int32 {
    guard let first = ranges.first else { return 0 }
    return ranges.last { $0.upperBound <= day }?.upperBound ?? first.lowerBound - 1
  }
}

/// A source of postbacks in words.
struct FactSource {
  let codes: PostbackFacts.Source
  let app: AppID
  let version: ProtocolVersion
  let window: ConversionWindow
  let outcome: Outcome

  /// - Returns: `nil` for codes that this program does not know.
  init?(_ codes: PostbackFacts.Source) {
    guard let app = AppID(codes.app),
      let version: ProtocolVersion = decoded(codes.version, by: { $0.code }),
      let window = ConversionWindow(rawValue: Int(codes.window)),
      let outcome: Outcome = decoded(codes.outcome, by: { $0.code })
    else { return nil }
    (self.codes, self.app, self.version, self.window, self.outcome) = (codes, app, version, window, outcome)
  }
}
