import MappingFormats
import Mappings
import Postbacks
import Testing
import Values

private let hour: Int64 = 3_600_000
private let change = Instant("2026-11-10T00:00:00Z") ?? Instant(seconds: 0)
private let always = Instant("2026-01-01") ?? Instant(seconds: 0)

/// How the values of two versions differ.
enum Changeover: String, CaseIterable, Sendable {
  case disjointValues, addedValues, otherWorth, sameMapping

  /// What the values of the first window are worth before and after, by value.
  var fine: (old: [Int64: Int64], new: [Int64: Int64]) {
    let first: [Int64: Int64] = [1: 5, 2: 10, 3: 20, 4: 40, 5: 80]
    return switch self {
    case .disjointValues: (first, [11: 5, 12: 10, 13: 20, 14: 40, 15: 80])
    case .addedValues: (first, first.merging([6: 7, 7: 15, 8: 100, 9: 2, 10: 30]) { old, _ in old })
    case .otherWorth: (first, first.mapValues { 3 * $0 })
    case .sameMapping: (first, first)
    }
  }

  /// The same for coarse values.
  var coarse: (old: [CoarseValue: Int64], new: [CoarseValue: Int64]) {
    switch self {
    case .disjointValues: ([.low: 10], [.medium: 20, .high: 40])
    case .addedValues: ([.low: 10], [.low: 10, .medium: 20, .high: 40])
    case .otherWorth: ([.low: 10, .high: 50], [.low: 30, .high: 150])
    case .sameMapping: ([.low: 10, .high: 50], [.low: 10, .high: 50])
    }
  }
}

/// How long after first launch the value of a user is final.
enum Finality: String, CaseIterable, Sendable {
  /// SKAdNetwork 3, the last rise mostly early in the chain of 24-hour timers that the value allows: half a day after
  /// first launch on average.
  case chain
  /// SKAdNetwork 3, the last rise in the first day, which the rules give by hours of activity.
  case statedDay
  /// SKAdNetwork 3, the last rise in the first day, and the rules do not cover it.
  case unstatedDay
  /// SKAdNetwork 3, the last rise in the second half of a measurement window of two days, or of the chain where that is shorter.
  case lateRise
  /// From SKAdNetwork 4 on: at the window's end.
  case windowEnd
  /// From SKAdNetwork 4 on: at a lock, at any hour of the window.
  case lock

  var measurementWindowHours: Int? { self == .lateRise ? 48 : nil }

  /// What own users show of it, so many for each value.
  func learned(users: [Int64: Int]) throws -> FinalHours {
    var hours = FinalHours()
    for (value, users) in users {
      for moment in moments(.fine(try #require(FineValue(value))), .first, count: users) {
        hours.add(value: Int(value), hour: Int(moment))
      }
    }
    return hours
  }

  var device: Mapping.Device { self == .windowEnd || self == .lock ? .skan4 : .skan3 }

  /// The moments at which it is final, in hours, all as likely.
  func moments(_ value: ConversionValue, _ window: ConversionWindow, count: Int) -> [Double] {
    let ends = hours(value, window)
    return (0..<count).map { step in
      let rank = (Double(step) + 0.5) / Double(count)
      let length = ends.upperBound - ends.lowerBound
      guard self == .chain else { return ends.lowerBound + rank * length }
      // The inverse of 1 - (12 / (12 + x))², cut off at the chain's end.
      let cut = 1 - (12 / (12 + length)) * (12 / (12 + length))
      return 12 / (1 - rank * cut).squareRoot() - 12
    }
  }

  /// When it can be final, in hours.
  private func hours(_ value: ConversionValue, _ window: ConversionWindow) -> ClosedRange<Double> {
    let ends = [0.0...48, 48...168, 168...840][window.rawValue]
    return switch self {
    case .chain: if case .fine(let value) = value { 0...Double(value.number) * 24 } else { 0...0 }
    case .statedDay, .unstatedDay: 0...24
    case .lateRise: if case .fine(let value) = value { value.number == 1 ? 12...24 : 24...48 } else { 0...0 }
    case .windowEnd: ends.upperBound...ends.upperBound
    case .lock: ends
    }
  }
}

private func mapping(
  _ from: Instant, fine: [Int64: Int64], coarse: [CoarseValue: Int64] = [:], _ finality: Finality
) throws -> Mapping {
  let usd = try #require(CurrencyCode("USD"))
  func worth(_ units: Int64) throws -> Conditions {
    let amount = Amount(micros: units * 1_000_000)
    let range = try #require(AmountRange(lower: .closed(amount), upper: .closed(amount)))
    return Conditions(
      revenue: RevenueCondition(range, usd, representative: amount),
      activeHours: finality == .statedDay ? HourRange(from: 0, to: 24) : nil)
  }
  let coarseRules = CoarseRules(
    totals: .window,
    rules: try coarse.map { CoarseRule(value: $0, conditions: try worth($1), lock: finality == .lock) })
  return Mapping(
    name: "from \(from)", app: try #require(AppID(1)), currency: usd, effectiveFrom: from,
    device: finality.device, measurementWindowHours: finality.measurementWindowHours,
    fine: try fine.sorted { $0.key < $1.key }.map { value, units in
      FineRule(
        value: try #require(FineValue(value)), conditions: try worth(units), lock: finality == .lock)
    },
    coarse: coarse.isEmpty ? [:] : [.second: coarseRules, .third: coarseRules])
}

/// Users who install at a steady rate across a change of the mapping, every value as often as any other where nothing else
/// is given, with what their postbacks are worth and what is counted for them.
private struct ChangeoverDays {
  private(set) var counted: [Int: Double] = [:]
  private(set) var truth: [Int: Double] = [:]
  /// The low and high ends of what is counted.
  private(set) var ends: [Int: (low: Double, high: Double)] = [:]

  /// Integrates over the moments of first launch, the moments at which values are final, and Apple's random delay.
  init(
    _ history: MappingHistory, _ values: (old: [ConversionValue: Int64], new: [ConversionValue: Int64]),
    _ finality: Finality, _ version: ProtocolVersion, _ window: ConversionWindow,
    frequencies: (old: [ConversionValue: Double], new: [ConversionValue: Double]) = ([:], [:])
  ) {
    let delay = window == .first ? 24.0...48 : 24...144
    let steps = 100
    let undecided = history.undecidedDays(version: version, window: window, timers: .full)
    let first = (undecided.last?.lowerBound ?? 0) - change.day.number
    let last = (undecided.last?.upperBound ?? 0) - change.day.number
    for value in Set(values.old.keys).union(values.new.keys) {
      // Every moment of launch since the change is as likely: the share that a delay from a grid has reached.
      let waits = finality.moments(value, window, count: steps).flatMap { moment in
        (0..<steps).map { step in
          let length = delay.upperBound - delay.lowerBound
          return moment + delay.lowerBound + (Double(step) + 0.5) / Double(steps) * length
        }
      }
      .sorted()
      var reached = 0
      for hours in Int(first) * 24..<Int(last) * 24 {
        while reached < waits.count, waits[reached] < Double(hours) + 0.5 { reached += 1 }
        let share = Double(reached) / Double(waits.count)
        let start = change + Int64(hours) * hour
        let expectation = history.expectation(
          of: value, version: version, window: window, timers: .full, arrival: start..<(start + hour))
        let money = Double(expectation.additional.revenue.first?.representative.micros ?? 0) / 1e6
        let (old, new) = (values.old[value], values.new[value])
        let before = (1 - share) * (frequencies.old[value] ?? 1)
        let after = share * (frequencies.new[value] ?? 1)
        let users = (old == nil ? 0 : before) + (new == nil ? 0 : after)
        counted[hours / 24, default: 0] += users * money
        let range = expectation.additional.revenue.first
        ends[hours / 24, default: (0, 0)].low += users * Double(range?.low?.micros ?? 0) / 1e6
        ends[hours / 24, default: (0, 0)].high += users * Double(range?.high?.micros ?? 0) / 1e6
        truth[hours / 24, default: 0] += before * Double(old ?? 0) + after * Double(new ?? 0)
      }
    }
  }

  var ratio: Double { counted.values.reduce(0, +) / truth.values.reduce(0, +) }

  /// Whether the ends of each day hold what is true.
  var doEndsHold: Bool {
    truth.allSatisfy { day, truth in
      ends[day].map { $0.low <= truth + 1e-6 && truth <= $0.high + 1e-6 } ?? false
    }
  }

  /// The days' ratios, of days that have a tenth of the money of the best.
  var dailyRatios: [Double] {
    let enough = (truth.values.max() ?? 0) / 10
    return counted.compactMap { day, counted in
      truth[day].flatMap { $0 >= enough ? counted / $0 : nil }
    }
  }
}

struct `A change of the mapping` {
  private let aim = 0.97...1.03

  private func days(
    _ changeover: Changeover, _ finality: Finality, _ version: ProtocolVersion, _ window: ConversionWindow,
    ownUsers: Int = 0
  ) throws -> ChangeoverDays {
    let (fine, coarse) = (changeover.fine, changeover.coarse)
    let learned: [Instant: FinalHours] =
      ownUsers > 0
      ? [
        always: try finality.learned(users: fine.old.mapValues { _ in ownUsers }),
        change: try finality.learned(users: fine.new.mapValues { _ in ownUsers }),
      ] : [:]
    let history = MappingHistory(
      [
        try mapping(always, fine: fine.old, coarse: coarse.old, finality),
        try mapping(change, fine: fine.new, coarse: coarse.new, finality),
      ], finalHours: learned)
    func values(_ fine: [Int64: Int64], _ coarse: [CoarseValue: Int64]) throws -> [ConversionValue: Int64] {
      var values: [ConversionValue: Int64] = [:]
      if window == .first {
        for (value, worth) in fine { values[.fine(try #require(FineValue(value)))] = worth }
      } else {
        for (value, worth) in coarse { values[.coarse(value)] = worth }
      }
      return values
    }
    return ChangeoverDays(
      history, (old: try values(fine.old, coarse.old), new: try values(fine.new, coarse.new)), finality,
      version, window)
  }

  @Test(arguments: Changeover.allCases, [Finality.windowEnd, .lock])
  func `A change of the mapping keeps totals of every window right, day by day, from SKAdNetwork 4 on`(
    changeover: Changeover, finality: Finality
  ) throws {
    for version in [ProtocolVersion.v4_0, .adAttributionKit] {
      for window in ConversionWindow.allCases {
        let days = try days(changeover, finality, version, window)
        #expect(aim.contains(days.ratio), "\(version) \(window) \(days.ratio)")
        #expect(days.dailyRatios.allSatisfy(aim.contains), "\(version) \(window) \(days.dailyRatios)")
      }
    }
  }

  @Test(arguments: Changeover.allCases, [Finality.chain, .statedDay])
  func `A change of the mapping keeps totals right, day by day, under SKAdNetwork 3 too`(
    changeover: Changeover, finality: Finality
  )
    throws
  {
    let days = try days(changeover, finality, .v3_0, .first)
    #expect(aim.contains(days.ratio), "\(days.ratio)")
    #expect(days.dailyRatios.allSatisfy(aim.contains), "\(days.dailyRatios)")
  }

  /// Without hours of activity the mapping does not determine when the value rose last.
  ///
  /// Only values that both versions have
  /// with another worth depend on it, and these on single days more than together.
  @Test(arguments: Changeover.allCases)
  func `A change of the mapping keeps the total right if values rise in another way than assumed`(
    changeover: Changeover
  )
    throws
  {
    let days = try days(changeover, .unstatedDay, .v3_0, .first)
    #expect(aim.contains(days.ratio), "\(days.ratio)")
    let dailyAim = changeover == .otherWorth ? 0.9...1.2 : aim
    #expect(days.dailyRatios.allSatisfy(dailyAim.contains), "\(days.dailyRatios)")
  }

  /// Postbacks do not show when values rose last, own users do.
  @Test(arguments: Changeover.allCases)
  func
    `A change of the mapping keeps days right where own users show that values rise late in a measurement window`(
      changeover: Changeover
    )
    throws
  {
    let assumed = try days(changeover, .lateRise, .v3_0, .first)
    let learned = try days(changeover, .lateRise, .v3_0, .first, ownUsers: 300)
    let near = 0.95...1.05
    #expect(aim.contains(learned.ratio), "\(learned.ratio)")
    #expect(learned.dailyRatios.allSatisfy(near.contains), "\(learned.dailyRatios)")
    // Without them, single days of values with another worth come out up to twice too high, and the ends hold them.
    #expect(assumed.doEndsHold && learned.doEndsHold)
    #expect(assumed.dailyRatios.allSatisfy { $0 < 2.1 }, "\(assumed.dailyRatios)")
  }
}

struct `A change of how many users have each value` {
  private static let users: (old: [Int64: Int], new: [Int64: Int]) = (
    [1: 400, 2: 300, 3: 200, 4: 80, 5: 20], [1: 100, 2: 150, 3: 200, 4: 250, 5: 300]
  )

  /// The days around a change that triples worths, and after which high values are more frequent.
  private func days(known: (old: [Int64: Int], new: [Int64: Int])) throws -> ChangeoverDays {
    let fine = Changeover.otherWorth.fine
    func values<T>(_ numbers: [Int64: T]) throws -> [ConversionValue: T] {
      Dictionary(
        uniqueKeysWithValues: try numbers.map { (ConversionValue.fine(try #require(FineValue($0))), $1) })
    }
    let history = MappingHistory(
      [try mapping(always, fine: fine.old, .chain), try mapping(change, fine: fine.new, .chain)],
      finalHours: [
        always: try Finality.chain.learned(users: known.old),
        change: try Finality.chain.learned(users: known.new),
      ])
    return ChangeoverDays(
      history, (old: try values(fine.old), new: try values(fine.new)), .chain, .v3_0, .first,
      frequencies: (
        old: try values(Self.users.old.mapValues { Double($0) / 1000 }),
        new: try values(Self.users.new.mapValues { Double($0) / 1000 })
      ))
  }

  @Test
  func `Days around a change are right where own users show how frequent values are under each version`()
    throws
  {
    let days = try days(known: Self.users)
    #expect((0.98...1.02).contains(days.ratio), "\(days.ratio)")
    let near = 0.93...1.07
    #expect(days.dailyRatios.allSatisfy(near.contains), "\(days.dailyRatios)")
    // Where values are taken to be as frequent under both, a tenth of the money of single days is missing.
    let equal = Self.users.old.mapValues { _ in 200 }
    let assumed = try self.days(known: (equal, equal))
    #expect(assumed.dailyRatios.contains { $0 < 0.9 }, "\(assumed.dailyRatios)")
  }

  @Test func `A version without own users has values as often as the others`() throws {
    let known = try days(known: (Self.users.old, [:]))
    let unknown = try days(known: ([:], [:]))
    #expect(abs(known.ratio / unknown.ratio - 1) < 0.1, "\(known.ratio), \(unknown.ratio)")
  }
}

struct `A value that only one version can send` {
  private let usd = CurrencyCode("USD")

  private func dating(
    _ value: ConversionValue, at hours: Int64, window: ConversionWindow = .first,
    in versions: [Mapping]
  ) -> MappingHistory.Dating {
    let start = change + hours * hour
    return MappingHistory(versions).dating(
      of: value, version: .v4_0, window: window, timers: .full, arrival: start..<(start + hour))
  }

  private func fine(_ value: Int64) throws -> ConversionValue { .fine(try #require(FineValue(value))) }

  @Test func `A value of only one mapping version is certain, and one of no version is unmapped`() throws {
    let (old, new) = Changeover.disjointValues.fine
    let versions = [
      try mapping(always, fine: old, .windowEnd), try mapping(change, fine: new, .windowEnd),
    ]
    #expect(dating(try fine(3), at: 84, in: versions) == .certain(0))
    #expect(dating(try fine(13), at: 84, in: versions) == .certain(1))
    // Registering an install sets 0 under every mapping.
    guard case .mixed(let candidates) = dating(try fine(0), at: 84, in: versions) else {
      Issue.record("0 says nothing of the version.")
      return
    }
    #expect(candidates.map(\.version) == [0, 1])
    let start = change + 84 * hour
    let stranger = MappingHistory(versions).expectation(
      of: try fine(50), version: .v4_0, window: .first, timers: .full, arrival: start..<(start + hour))
    #expect(stranger.status == .unmapped)
  }

  @Test func `A value can be from the time before the first version, in which an app can have sent anything`()
    throws
  {
    let versions = [try mapping(change, fine: [1: 5], .windowEnd)]
    guard case .mixed(let candidates) = dating(try fine(1), at: 84, in: versions) else {
      Issue.record("Half of the launches were before the first version.")
      return
    }
    #expect(candidates.map(\.version) == [nil, 0])
  }

  @Test func `A mapping version is identified by coarse values, windows and hours too`() throws {
    let old = try mapping(always, fine: [1: 5], coarse: [.low: 5], .windowEnd)
    let new = try mapping(change, fine: [1: 5], .windowEnd)
    // The newer version has no rules for the second window.
    #expect(dating(.coarse(.low), at: 240, window: .second, in: [old, new]) == .certain(0))
    // A rule for hours behind the window can't set a value in it.
    let late = Mapping(
      name: "late", app: old.app, currency: old.currency, effectiveFrom: change, device: .skan4,
      fine: [
        FineRule(
          value: try #require(FineValue(1)),
          conditions: Conditions(activeHours: HourRange(from: 48, to: 72)))
      ])
    #expect(dating(try fine(1), at: 84, in: [old, late]) == .certain(0))
  }

  @Test func `A value has its probability divided among the versions that can send it`() throws {
    let (first, second) = (change + -24 * hour, change)
    let versions = [
      try mapping(always, fine: [1: 5], .windowEnd), try mapping(first, fine: [2: 5], .windowEnd),
      try mapping(second, fine: [1: 9], .windowEnd),
    ]
    // Launched 72 to 96 hours before: under the second or the third version.
    #expect(dating(try fine(1), at: 84, in: versions) == .certain(2))
    #expect(dating(try fine(2), at: 84, in: versions) == .certain(1))
    #expect(dating(try fine(2), at: 60, in: versions) == .certain(1))
    #expect(dating(try fine(1), at: 60, in: versions) == .certain(0))
  }
}

struct `Windows that a mapping counts by themselves` {
  private func version(_ from: Instant, _ totals: CoarseRules.Totals?, worth: Int64 = 10) throws -> Mapping {
    let plain = try mapping(from, fine: [1: 5], coarse: [.low: worth], .windowEnd)
    let coarse = totals.map { totals in
      plain.coarse.mapValues { CoarseRules(totals: totals, rules: $0.rules) }
    }
    return Mapping(
      name: plain.name, app: plain.app, currency: plain.currency, effectiveFrom: from, device: .skan4,
      fine: plain.fine, coarse: coarse ?? [:])
  }

  private func second(_ versions: [Mapping], at hours: Int64) -> Mappings.Expectation {
    let start = change + hours * hour
    return MappingHistory(versions).expectation(
      of: .coarse(.low), version: .v4_0, window: .second, timers: .full, arrival: start..<(start + hour))
  }

  @Test func `Windows that a mapping counts separately are added beside a version without rules`() throws {
    let window = try version(always, .window)
    let nextYear = change + 365 * Day.milliseconds
    for later in [try version(nextYear, .sinceInstall), try version(nextYear, nil), try version(change, nil)]
    {
      let expectation = second([window, later], at: 240)
      #expect(expectation.isAdditional)
      #expect(expectation.additional.revenue.first?.representative.micros == 10_000_000)
    }
  }

  @Test func `Windows that a mapping counts separately are added by the share of the versions that do so`()
    throws
  {
    let versions = [try version(always, .window), try version(change, .sinceInstall, worth: 30)]
    let mixed = second(versions, at: 252)
    #expect(mixed.isMixed && mixed.isAdditional)
    let share = try #require(mixed.readings.first { $0.version == 0 }?.probability)
    #expect(share > 0.2 && share < 0.8)
    let added = try #require(mixed.additional.revenue.first)
    let money = Double(added.representative.micros) / 1e6
    #expect(abs(money - 10 * share) < 1e-3)
    #expect(added.low == .zero && added.high == Amount(micros: 10_000_000))
    let whole = try #require(mixed.revenue.first).representative
    let expected = 10 * share + 30 * (1 - share)
    #expect(abs(Double(whole.micros) / 1e6 - expected) < 1e-3)
    let after = second(versions, at: 1000)
    #expect(!after.isAdditional && after.additional.revenue.isEmpty)
  }
}

struct `A postback of a development device` {
  private func dating(
    at moment: Instant, _ value: Int64 = 1, version: ProtocolVersion = .adAttributionKit,
    window: ConversionWindow = .first, _ versions: [Mapping]
  ) throws -> MappingHistory.Dating {
    let hourOfIt = moment.day.start + moment.hourOfDay * hour
    return MappingHistory(versions).dating(
      of: .fine(try #require(FineValue(value))), version: version, window: window, timers: .development,
      arrival: hourOfIt..<(hourOfIt + hour))
  }

  @Test(arguments: [ProtocolVersion.v3_0, .v4_0, .adAttributionKit])
  func `A postback of a development device counts by the mapping of its arrival day`(version: ProtocolVersion)
    throws
  {
    let old = try mapping(always, fine: [1: 5, 2: 7], .windowEnd)
    let new = try mapping(change, fine: [1: 9], .windowEnd)
    let soon = change + 2 * hour
    // Developer Mode can be off, and then the launch was days before.
    #expect(try dating(at: soon, version: version, [old, new]) == .newest(1))
    #expect(try dating(at: soon, version: version, [new]) == .newest(0))
    #expect(try dating(at: change + 90 * Day.milliseconds, version: version, [old, new]) == .certain(1))
    // Only the older one has the value.
    #expect(try dating(at: soon, 2, version: version, [old, new]) == .certain(0))
    #expect(try dating(at: change + -2 * hour, version: version, [old, new]) == .certain(0))
    #expect(try dating(at: change + -2 * hour, version: version, [new]) == .before)
  }

  @Test func `A postback of a development device can belong to a launch up to its arrival`() throws {
    let history = MappingHistory([try mapping(always, fine: [1: 5], .windowEnd)])
    let expectation = history.expectation(
      of: .fine(try #require(FineValue(1))), version: .v4_0, window: .first, timers: .development,
      arrival: change..<(change + hour))
    #expect(expectation.delay?.shortest == 0)
    #expect(expectation.delay?.longest == 96)
    let law = AppleTimers.firstLaunch(
      version: .v4_0, window: .first, timers: .development, receivedAt: change)
    #expect(law.latest == change && law.earliest == change + -96 * hour)
  }

  @Test func `A postback of a development device has its uncertain days where the newest version begins`()
    throws
  {
    let history = MappingHistory([
      try mapping(always, fine: [1: 5], .windowEnd), try mapping(change, fine: [1: 9], .windowEnd),
    ])
    let days = history.undecidedDays(version: .v4_0, window: .first, timers: .development)
    #expect(days.last == change.day.number..<(change.day.number + 5))
  }
}
