import Ledger
import MappingLibrary
import Mappings
import Postbacks
import Values

/// Expectations of first-window postbacks, made once for all hours in which they are the same.
///
/// Days on which a postback can be of one version or of another are decided hour by hour; between them nothing changes.
struct FirstWindowExpectations {
  private struct Source: Hashable {
    let app: AppID
    let version: ProtocolVersion
  }

  private let catalog: MappingCatalog
  private let timers: DeviceTimers
  private var undecided: [Source: [Range<Int32>]] = [:]
  private var known: [FirstWindowKind: Expectation] = [:]

  init(_ catalog: MappingCatalog, _ timers: DeviceTimers) { (self.catalog, self.timers) = (catalog, timers) }

  /// The expectation of a kind; `nil` for an app without a mapping.
  mutating func expectation(of kind: FirstWindowKind) -> Expectation? {
    guard let history = catalog.histories[kind.app] else { return nil }
    let place = FirstWindowKind(
      app: kind.app, version: kind.version, outcome: kind.outcome, hour: hour(of: kind, history),
      value: kind.value)
    if let expectation = known[place] { return expectation }
    let expectation = history.expectation(
      of: kind.value, version: kind.version, window: .first, timers: timers,
      arrival: kind.hour.followingHour, type: kind.outcome.conversionType)
    known[place] = expectation
    return expectation
  }

  /// The hour itself on a day that is not decided, and else the end of the last such day before it.
  private mutating func hour(of kind: FirstWindowKind, _ history: MappingHistory) -> Instant {
    let source = Source(app: kind.app, version: kind.version)
    let ranges =
      undecided[source]
      ?? history.undecidedDays(version: kind.version, window: .first, timers: timers)
    undecided[source] = ranges
    let day = kind.hour.day.number
    guard !ranges.contains(where: { $0.contains(day) }) else { return kind.hour }
    let end = ranges.map(\.upperBound).filter { $0 <= day }.max()
    return end.map { Day(number: $0).start } ?? Instant(milliseconds: .min)
  }
}
