import Mappings
import Postbacks
import Simulation
import Values

/// Days on which postbacks of two versions of a mapping arrive, whose measurement windows differ.
///
/// Users install at an even rate across the change. The report knows when postbacks arrive and what they say, and of the
/// own users who installed under a version when their values rose last; it does not know which version a postback is of.
struct ChangeoverTrial: Sendable {
  /// What is known of own users.
  enum Known: String, CaseIterable, Sendable {
    case nothing
    case ownUsers = "own users"
  }

  /// Windows of SKAdNetwork 3 before and after the change, in hours.
  struct Windows: Hashable, Sendable {
    let before: Int
    let after: Int
  }

  static let windows = [
    Windows(before: 24, after: 72), Windows(before: 72, after: 24), Windows(before: 48, after: 48),
  ]

  /// Revenue of days on which postbacks of both versions arrive.
  struct Sums: Sendable {
    var counted = 0.0
    var truth = 0.0
    var low = 0.0
    var high = 0.0
  }

  let app: AppUsers
  let windows: Windows
  /// Whether both versions are made for own users; otherwise both have the same ranges.
  let isDesigned: Bool

  private static let change = Instant(seconds: 1_700_006_400)
  private static let always = Instant(seconds: 1_690_000_000)
  /// Users install so many days before and after the change, so that days without any are far from it.
  private static let days: Int64 = 28

  /// Runs one seed.
  ///
  /// - Returns: What days have that can have postbacks of both; `nil` where no own user has revenue.
  func run(seed: Int) -> [Known: [Sums]]? {
    let split = UserSplit(app: app, seed: UInt64(seed))
    guard let versions = mappings(split) else { return nil }
    var postbacks: [(version: Int, postback: SimulatedPostback)] = []
    var learned: [Instant: FinalHours] = [:]
    for cohort in app.cohorts {
      let users = cohort.users.map { user in
        var random = SplitMix64(seed: user.key ^ ((UInt64(seed) &+ 1) &* 0x9E37_79B9_7F4A_7C15))
        let offset = Int64(random.fraction() * Double(2 * Self.days * Day.seconds)) - Self.days * Day.seconds
        return CohortUser(
          key: user.key, installed: Self.change + 1000 * offset, campaign: 0, events: user.events)
      }
      for (index, version) in versions.enumerated() {
        let some = users.filter { ($0.installed < Self.change) == (index == 0) }
        guard let part = Cohort(names: cohort.names, events: cohort.events, users: some) else { continue }
        var configuration = SimulationConfiguration(version)
        configuration.crowd = .none
        configuration.seed = UInt64(seed) &+ 1
        let simulator = Simulator(configuration)
        _ = simulator.run(part, crowd: simulator.crowd(from: simulator.crowd(of: part))) { postback in
          guard postback.window == .first, postback.conversion == 0, postback.didWin else { return }
          guard split.isOwn(postback.user) else {
            postbacks.append((index, postback))
            return
          }
          let seconds = (postback.preparedAt.milliseconds - postback.installed.milliseconds) / 1000
          learned[version.effectiveFrom, default: FinalHours()].add(
            value: Int(postback.trueFine?.number ?? 0),
            hour: Int((seconds - AppleTimers.riseTimer) / Hour.seconds))
        }
      }
    }
    var found: [Known: [Sums]] = [:]
    for known in Known.allCases {
      let history = MappingHistory(versions, finalHours: known == .ownUsers ? learned : [:])
      found[known] = sums(of: postbacks, history)
    }
    return found
  }

  private func sums(
    of postbacks: [(version: Int, postback: SimulatedPostback)], _ history: MappingHistory
  ) -> [Sums] {
    guard let version = postbacks.first?.postback.version,
      let mixed = history.undecidedDays(version: version, window: .first, timers: .full).last
    else { return [] }
    var days: [Int32: Sums] = [:]
    var known: [Int64: [ConversionValue: Expectation]] = [:]
    for (index, postback) in postbacks where mixed.contains(postback.sentAt.day.number) {
      let hour = postback.sentAt.seconds / Hour.seconds
      let start = Instant(seconds: hour * Hour.seconds)
      let expectation =
        known[hour]?[postback.value]
        ?? history.expectation(
          of: postback.value, version: version, window: .first, timers: .full,
          arrival: start..<(start + Hour.milliseconds))
      known[hour, default: [:]][postback.value] = expectation
      var truth = 0.0
      if case .rules(let rules) = history.versions[index].decode(
        postback.value, window: .first, type: .install)
      {
        truth =
          rules.reduce(0) { $0 + Self.units($1.revenue.first?.representative) } / Double(max(1, rules.count))
      }
      let counted = expectation.additional.revenue.first
      let day = postback.sentAt.day.number
      days[day, default: Sums()].truth += truth
      days[day, default: Sums()].counted += Self.units(counted?.representative)
      days[day, default: Sums()].low += Self.units(counted?.low)
      days[day, default: Sums()].high += counted.map { $0.high.map(Self.units) ?? .infinity } ?? 0
    }
    return days.ordered { $0.key < $1.key }.map(\.value)
  }

  private static func units(_ amount: Amount?) -> Double { Double(amount?.micros ?? 0) / 1e6 }

  private func mappings(_ split: UserSplit) -> [Mapping]? {
    let moments = [(Self.always, windows.before), (Self.change, windows.after)]
    let found = moments.compactMap { moment, hours -> Mapping? in
      if isDesigned {
        return split.designedMapping(
          values: 32, days: max(2, (hours + 23) / 24), device: .skan3, windowHours: hours, from: moment)
      }
      guard let currency = app.currency else { return nil }
      return HandMapping.geometric(split.ownAmounts, ranges: 15, days: 1).mapping(
        currency, device: .skan3, windowHours: hours, from: moment)
    }
    return found.count == 2 ? found : nil
  }
}
