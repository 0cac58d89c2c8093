import Mappings
import Postbacks
@testable import Simulation
import Testing

@Suite struct `The three windows` {
  private func touchMapping(_ device: Mapping.Device = .skan4) throws -> Mapping {
    let coarse = CoarseRules(
      rules: [
        CoarseRule(value: .low, conditions: Conditions(events: [EventCondition(name: "touch")])),
        CoarseRule(value: .high, conditions: Conditions(events: [EventCondition(name: "buy")])),
      ])
    return try mapping(
      device, fine: [rule(7, "touch", coarse: .low)],
      coarse: [.second: coarse, .third: coarse])
  }

  @Test(arguments: [
    (Int64(0), ConversionWindow?.some(.first)), (172_799, .first), (172_800, .second), (604_799, .second),
    (604_800, .third), (3_023_999, .third), (3_024_000, nil),
  ])
  func `The three windows are half-open`(at: Int64, window: ConversionWindow?) throws {
    let replay = replayed(try touchMapping(), [event("touch", at: at)])
    #expect(replay.ends.map(\.window) == (window.map { [$0] } ?? []))
    #expect(replay.ends.map(\.fine) == (window.map { [$0 == .first ? 7 : -1] } ?? []))
    #expect(replay.ends.map(\.prepared) == (window.map { [$0.seconds.upperBound] } ?? []))
    let outcome = simulate(SimulationConfiguration(try touchMapping()), [one([event("touch", at: at)])])
    #expect(outcome.postbacks.count == (window == nil ? 0 : 1))
  }

  @Test func `The three windows send nothing without an update`() throws {
    let result = simulate(
      SimulationConfiguration(try touchMapping()),
      [one([event("other", at: 0), event("touch", at: 36 * day), event("touch", at: 59 * day)])])
    #expect(result.postbacks.isEmpty)
    #expect(result.outcome.total.installs == 1)
    #expect(result.outcome.total.reported == 0)
  }

  @Test(arguments: [Mapping.Device.skan4, .aak]) func `The three windows keep a value that falls`(
    device: Mapping.Device
  ) throws {
    // Active hours make a value fall: 9 in the first hour, 3 in the second.
    let replay = replayed(try falling(device), [event("a", at: 10), event("a", at: hour)])
    #expect(replay.ends.map(\.fine) == [3])
    #expect(replay.trace.map(\.fine) == [9, 9, 3].suffix(replay.trace.count))
  }

  @Test func `The three windows of SKAdNetwork 4 keep what SKAdNetwork 3 rejects`() throws {
    let events = [event("a", at: 10), event("a", at: hour)]
    #expect(replayed(try falling(.skan3), events).ends.map(\.fine) == [9])
    let overridden = SimulationConfiguration(try falling(.skan3), device: .skan4)
    #expect(!overridden.mapping.isRaiseOnly)
    #expect(simulate(overridden, [one(events)]).postbacks.map(\.trueFine?.number) == [3])
    let back = SimulationConfiguration(try falling(.skan4), device: .skan3)
    #expect(simulate(back, [one(events)]).postbacks.map(\.trueFine?.number) == [9])
  }

  private func falling(_ device: Mapping.Device) throws -> Mapping {
    let rules = try [(Int64(9), 0), (3, 1)].map { value, from in
      FineRule(
        value: try #require(FineValue(value)),
        conditions: Conditions(
          events: [EventCondition(name: "a")], activeHours: HourRange(from: from, to: from + 1))
      )
    }
    return try mapping(device, fine: rules)
  }

  @Test(arguments: [Int64(0), 1, 172_799])
  func `The three windows are closed at the lock and accept nothing after it`(at: Int64) throws {
    let mapping = try mapping(
      .skan4, fine: [rule(5, "lock", lock: true), rule(60, "more")],
      coarse: [
        .second: CoarseRules(rules: [
          CoarseRule(value: .high, conditions: Conditions(events: [EventCondition(name: "late")]))
        ])
      ])
    let replay = replayed(
      mapping, [event("lock", at: at), event("more", at: at), event("late", at: 2 * day)])
    #expect(replay.ends.map(\.window) == [.first, .second])
    #expect(replay.ends.map(\.fine) == [5, -1])
    #expect(replay.ends.map(\.prepared) == [at, 7 * day])
  }

  @Test(arguments: [
    (ConversionWindow.second, 2 * day), (.second, 7 * day - 1), (.third, 7 * day), (.third, 35 * day - 1),
  ])
  func `The three windows are locked one by one`(window: ConversionWindow, at: Int64) throws {
    let rules = CoarseRules(rules: [
      CoarseRule(value: .low, conditions: Conditions(events: [EventCondition(name: "lock")]), lock: true),
      CoarseRule(value: .high, conditions: Conditions(events: [EventCondition(name: "more")])),
    ])
    let replay = replayed(
      try mapping(.skan4, fine: [], coarse: [window: rules]), [event("lock", at: at), event("more", at: at)])
    #expect(replay.ends.map(\.window) == [window])
    #expect(replay.ends.map(\.coarse) == [0])
    #expect(replay.ends.map(\.prepared) == [at])
  }

  @Test func `The three windows ignore fine values after the first`() {
    var device = WindowedDevice()
    let isCounted = device.update(fine: 9, coarse: 1, lock: false, at: 2 * day)
    #expect(isCounted)
    #expect(device[.second].fine == -1)
    #expect(device[.second].coarse == 1)
    #expect(device.prepared(.first) == nil)
    let isLate = device.update(fine: 9, coarse: 1, lock: false, at: 35 * day)
    #expect(!isLate)
  }
}

@Suite struct `A re-engaged user` {
  private let back = "re-engagement"

  private func counting() throws -> Mapping {
    try mapping(.aak, fine: (1...9).map { try rule(Int64($0), "buy", count: $0) })
  }

  @Test func `A re-engaged user starts a conversion that locks the one before`() throws {
    let replay = replayed(
      try counting(), [event("buy", at: 5), event("buy", at: 6), event(back, at: day), event("buy", at: day)])
    #expect(replay.ends.map(\.kind) == [.install, .reengagement])
    #expect(replay.ends.map(\.fine) == [2, 1])
    #expect(replay.ends.map(\.prepared) == [day, 2 * day])
    #expect(replay.ends.map(\.start) == [0, day])
  }

  @Test func `A re-engaged user does not change ended windows, and loses those without an update`() throws {
    let coarse = CoarseRules(rules: [CoarseRule(value: .low)])
    let mapping = try mapping(.aak, fine: [rule(1, "buy")], coarse: [.second: coarse, .third: coarse])
    let events = [event("buy", at: 5), event(back, at: 3 * day)]
    // Nothing happened in the second window before the user came back.
    #expect(replayed(mapping, events).ends.map(\.prepared) == [2 * day])
    let touched = replayed(mapping, events + [event("x", at: 2 * day + 1), event("x", at: 8 * day)])
    #expect(touched.ends.map(\.conversion) == [0, 0])
    let sorted = replayed(
      mapping,
      [event("buy", at: 5), event("x", at: 2 * day), event(back, at: 3 * day), event("buy", at: 3 * day)])
    #expect(sorted.ends.map(\.prepared) == [2 * day, 3 * day, 2 * day])
  }

  @Test func `A re-engaged user continues both conversions if windows overlap`() throws {
    var rules = AttributionKitRules()
    rules.hasOverlappingWindows = true
    let replay = replayed(
      try counting(), [event("buy", at: 5), event(back, at: day), event("buy", at: day)], rules: rules)
    #expect(replay.ends.map(\.fine) == [1, 1])
    #expect(replay.ends.map(\.prepared) == [2 * day, 2 * day])
  }

  @Test(arguments: [(48 * hour - 1, 1), (48 * hour, 2)])
  func `A re-engaged user makes no conversion during the cooldown`(at: Int64, conversions: Int) throws {
    var rules = AttributionKitRules()
    rules.installCooldownHours = 48
    let replay = replayed(
      try counting(), [event("buy", at: 5), event(back, at: at), event("buy", at: at + 1)], rules: rules)
    #expect(Set(replay.ends.map(\.conversion)).count == conversions)
  }

  @Test(arguments: [(2 * day - 1, 2), (2 * day, 1)])
  func `A re-engaged user has two days for the first update`(after: Int64, postbacks: Int) throws {
    let coarse = CoarseRules(rules: [
      CoarseRule(value: .low, conditions: Conditions(events: [EventCondition(name: "buy")]))
    ])
    let mapping = try mapping(
      .aak, fine: [rule(1, "start"), rule(2, "buy")], coarse: [.second: coarse])
    let replay = replayed(
      mapping, [event("start", at: 5), event(back, at: day), event("buy", at: day + after)])
    #expect(replay.ends.count == postbacks)
  }

  @Test func `A re-engaged user keeps earlier events of the same second for the older conversion`() throws {
    let replay = replayed(
      try counting(), [event("buy", at: day), event(back, at: day), event("buy", at: day)])
    #expect(replay.ends.map(\.fine) == [1, 1])
    #expect(replay.ends.map(\.prepared) == [day, 2 * day])
  }

  @Test func `A re-engaged user with a new download starts a conversion without the two days`() throws {
    let coarse = CoarseRules(rules: [
      CoarseRule(value: .low, conditions: Conditions(events: [EventCondition(name: "buy")]))
    ])
    let replay = replayed(
      try mapping(.aak, fine: [], coarse: [.second: coarse]),
      [event("redownload", at: day), event("buy", at: 4 * day)])
    #expect(replay.ends.map(\.kind) == [.redownload])
  }

  @Test func `A re-engaged user changes nothing under SKAdNetwork`() throws {
    let events = [event("buy", at: 5), event(back, at: day), event("buy", at: day)]
    let mapping = SimulationConfiguration(try counting(), device: .skan4).mapping
    #expect(replayed(mapping, events).ends.map(\.fine) == [2])
  }
}
