import Mappings
import Postbacks
@testable import Simulation
import Testing
import Values

@Suite struct `A compiled mapping` {
  @Test(arguments: Mapping.Device.allCases)
  func `A compiled mapping replays every user as the mapping itself does`(device: Mapping.Device) {
    var random = SplitMix64(seed: 41)
    var updates = 0
    for round in 0..<250 {
      let mapping = randomMapping(&random, device: device)
      var builder = CohortBuilder()
      let users = (0..<5).map { _ in
        randomEvents(&random, count: 12, hours: [30, 120, 1000][random.number(below: 3)])
      }
      for (index, events) in users.enumerated() {
        builder.add(
          user: "\(index)", installed: Instant(seconds: 0), campaign: nil, events: events)
      }
      let cohort = builder.cohort()
      var replay = UserReplay(
        CompiledMapping(mapping), cohort, currency: usd, rules: AttributionKitRules(), isTracing: true)
      for (events, user) in zip(users, cohort.users) {
        let expected = mapping.replay(events)
        replay.replay(user)
        #expect(replay.trace == expected.updates.map(TracedUpdate.init), "round \(round)")
        #expect(
          replay.ends.map { Ending($0, device) } == expected.postbacks.map(Ending.init), "round \(round)")
        updates += expected.updates.count
      }
    }
    #expect(updates > 600, "the streams have to move values")
  }

  @Test func `A compiled mapping replays a re-engagement as the mapping itself does`() {
    var random = SplitMix64(seed: 43)
    var (updates, different) = (0, 0)
    for round in 0..<250 {
      let mapping = randomMapping(&random, device: .aak)
      let compiled = CompiledMapping(mapping)
      // The user does nothing before coming back, an hour after the install.
      let after = randomEvents(&random, count: 12, hours: [30, 120, 1000][random.number(below: 3)])
      let events =
        [event("re-engagement", at: hour)]
        + after.map {
          UserEvent(
            secondsSinceInstall: $0.secondsSinceInstall + hour, name: $0.name, revenue: $0.revenue)
        }
      let cohort = one(events)
      var replay = UserReplay(
        compiled, cohort, currency: usd, rules: AttributionKitRules(), isTracing: true)
      replay.replay(cohort.users[0])
      // The marker itself is an event of the re-engagement.
      let expected = mapping.replay([event("re-engagement", at: 0)] + after, type: .reengagement)
      let registered = (expected.updates.first?.time ?? .max) < 2 * day
      let installs = mapping.replay([], type: .install).updates.count
      #expect(
        Array(replay.trace.dropFirst(installs)) == expected.updates.map(TracedUpdate.init), "round \(round)")
      #expect(
        replay.ends.filter { $0.kind == .reengagement }.map { Ending($0, .aak) }
          == (registered ? expected.postbacks.map(Ending.init) : []), "round \(round)")
      updates += expected.updates.count
      if expected.updates != mapping.replay([event("re-engagement", at: 0)] + after).updates {
        different += 1
      }
    }
    #expect(updates > 300 && different > 30, "the types have to matter")
  }

  @Test func `A compiled mapping evaluates the rules one by one if the table would be too large`() throws {
    // Thirty events of three intervals each have 3^30 cells.
    let names = (0..<30).map { "event\($0)" }
    let rules = try names.indices.map { index in
      FineRule(
        value: try #require(FineValue(Int64(index))),
        conditions: Conditions(events: [
          EventCondition(name: names[index], count: try #require(CountRange(min: 1, max: 3)))
        ]))
    }
    let mapping = Mapping(
      name: "wide", app: try #require(AppID(1)), currency: usd, effectiveFrom: Instant(seconds: 0),
      device: .skan4, fine: rules)
    let compiled = CompiledMapping(mapping)
    #expect(compiled.tables[0].cells.isEmpty)
    var random = SplitMix64(seed: 42)
    for _ in 0..<20 {
      let events = (0..<20).map { index in
        UserEvent(secondsSinceInstall: Int64(index) * 900, name: names[random.number(below: 30)])
      }
      var builder = CohortBuilder()
      builder.add(user: "u", installed: Instant(seconds: 0), campaign: nil, events: events)
      let cohort = builder.cohort()
      var replay = UserReplay(
        compiled, cohort, currency: usd, rules: AttributionKitRules(), isTracing: true)
      replay.replay(cohort.users[0])
      #expect(replay.trace == mapping.replay(events).updates.map(TracedUpdate.init))
    }
  }
}

extension TracedUpdate {
  /// The update by the mapping itself.
  init(_ update: ValueUpdate) {
    self.init(
      time: update.time, window: update.window.rawValue, fine: update.fine.map { Int8($0.number) } ?? -1,
      coarse: update.coarse.map(\.step) ?? -1, lock: update.lock, cause: update.cause)
  }
}

/// What a window ends with, comparable from both sides.
private struct Ending: Hashable {
  var window: ConversionWindow
  var fine: Int8
  var coarse: Int8
  var leaves: Range<Int64>

  init(_ postback: FinalPostback) {
    window = postback.window
    fine = postback.fine.map { Int8($0.number) } ?? -1
    coarse = postback.coarse.map(\.step) ?? -1
    leaves = postback.sendEarliest..<postback.sendLatest
  }

  init(_ end: WindowEnd, _ device: Mapping.Device) {
    window = end.window
    fine = end.fine
    coarse = end.coarse
    let delay = PostbackDelay.range(version: device == .skan3 ? .v3_0 : .v4_0, window: end.window)
    leaves = end.prepared + delay.lowerBound / 1000..<end.prepared + delay.upperBound / 1000
  }
}
