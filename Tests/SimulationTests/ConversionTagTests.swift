import Mappings
import Postbacks
@testable import Simulation
import Testing
import Values

@Suite struct `Conversion tags` {
  private let back = "re-engagement"

  private func tagged(_ name: String, at seconds: Int64, _ tag: String?, cents: Int64? = nil) -> UserEvent {
    UserEvent(
      secondsSinceInstall: seconds, name: name,
      revenue: cents.map { Money(micros: $0 * 10_000, currency: usd) }, conversionTag: tag)
  }

  private func counting() throws -> Mapping {
    try mapping(.aak, fine: (1...9).map { try rule(Int64($0), "buy", count: $0) })
  }

  private var overlapping: AttributionKitRules {
    var rules = AttributionKitRules()
    rules.hasOverlappingWindows = true
    return rules
  }

  @Test func `Conversion tags assign an event to the conversion that they name`() throws {
    let replay = replayed(
      try counting(),
      [
        event("buy", at: 5), tagged(back, at: day, "one"), tagged("buy", at: day + 1, "one"),
        tagged(back, at: day + hour, "two"), tagged("buy", at: day + hour + 1, "one"),
        tagged("buy", at: day + hour + 2, "two"), tagged("buy", at: day + hour + 3, "two"),
        tagged("buy", at: day + hour + 4, "two"),
      ], rules: overlapping)
    #expect(replay.ends.map(\.kind) == [.install, .reengagement, .reengagement])
    #expect(replay.ends.map(\.fine) == [1, 2, 3])
  }

  @Test func `Conversion tags that are missing assign an event to the most recent conversion`() throws {
    let replay = replayed(
      try counting(),
      [
        event("buy", at: 5), tagged(back, at: day, "one"), tagged("buy", at: day + 1, "one"),
        event("buy", at: day + 2), event("buy", at: day + 3),
      ], rules: overlapping)
    #expect(replay.ends.map(\.fine) == [1, 3])
  }

  @Test func `Conversion tags that no event has leave each update to the most recent conversion alone`()
    throws
  {
    let mapping = try mapping(
      .aak,
      fine: [5, 50, 55].map {
        FineRule(
          value: try #require(FineValue($0)), conditions: Conditions(revenue: try cents($0 * 100, nil)))
      })
    let events = [
      tagged("buy", at: 5, nil, cents: 500), event(back, at: day),
      tagged("buy", at: day + 1, nil, cents: 5000),
    ]
    let replay = replayed(mapping, events, rules: overlapping)
    #expect(replay.ends.map(\.kind) == [.install, .reengagement])
    #expect(replay.ends.map(\.fine) == [5, 50])
    #expect(replay.ends.map(\.revenue) == [5_000_000, 50_000_000])
    // With a tag that no update names, nothing changes.
    let named = events.map { $0.name == back ? tagged(back, at: day, "one") : $0 }
    #expect(replayed(mapping, named, rules: overlapping).ends.map(\.fine) == [5, 50])
  }

  @Test func `Conversion tags that name no conversion change nothing`() throws {
    var rules = overlapping
    rules.installCooldownHours = 48
    let events = [
      event("buy", at: 5), tagged(back, at: day, "one"), tagged("buy", at: day + 1, "one"),
      tagged("buy", at: day + 2, "none"),
    ]
    #expect(replayed(try counting(), events, rules: rules).ends.map(\.fine) == [1])
  }

  @Test func `Conversion tags of an ended conversion change nothing if windows do not overlap`() throws {
    let events = [
      tagged(back, at: hour, "one"), tagged("buy", at: hour + 1, "one"), tagged(back, at: 2 * hour, "two"),
      tagged("buy", at: 2 * hour + 1, "one"), tagged("buy", at: 2 * hour + 2, "two"),
    ]
    let replay = replayed(try counting(), [event("buy", at: 1)] + events)
    #expect(replay.ends.map(\.fine) == [1, 1, 1])
    #expect(replay.ends.map(\.prepared) == [hour, hour, 2 * day])
  }

  @Test func `Conversion tags have no effect under SKAdNetwork`() throws {
    let events = [event("buy", at: 5), tagged(back, at: day, "one"), tagged("buy", at: day, "none")]
    let mapping = SimulationConfiguration(try counting(), device: .skan4).mapping
    #expect(replayed(mapping, events).ends.map(\.fine) == [2])
  }

  @Test func `Conversion tags give every conversion what an app that separates them would give`() {
    var random = SplitMix64(seed: 71)
    var (postbacks, byTag) = (0, 0)
    for round in 0..<300 {
      let mapping = randomMapping(&random, device: .aak)
      let tags: [String?] = [nil, nil, "x", "y", "z"]
      var events = randomEvents(&random, count: 16, hours: [60, 200][random.number(below: 2)]).map {
        UserEvent(
          secondsSinceInstall: $0.secondsSinceInstall, name: $0.name, revenue: $0.revenue,
          conversionTag: tags[random.number(below: 5)])
      }
      for _ in 0..<random.number(below: 4) {
        events.append(
          tagged(
            random.happens(0.8) ? back : "redownload", at: Int64(random.number(below: 200)) * hour,
            tags[random.number(below: 5)]))
      }
      let expected = conversions(of: events).enumerated().flatMap { number, conversion -> [String] in
        let replay = mapping.replay(
          conversion.events, type: conversion.kind == back ? .reengagement : .install)
        let isLate = (replay.updates.first?.time ?? .max) >= 2 * day
        if conversion.kind == back, isLate { return [] }
        byTag += conversion.events.count { $0.conversionTag != nil }
        return replay.postbacks.map {
          "\(number) \($0.window) \($0.fine.map { Int($0.number) } ?? -1) \($0.coarse?.rawValue ?? "-")"
        }
      }
      let ends = replayed(mapping, events, rules: overlapping).ends.map { end in
        "\(end.conversion) \(end.window) \(end.fine) \(CoarseValue(step: end.coarse)?.rawValue ?? "-")"
      }
      #expect(ends == expected, "round \(round)")
      postbacks += ends.count
    }
    #expect(postbacks > 500 && byTag > 100, "\(postbacks), \(byTag)")
  }

  /// The conversions of a user with their own events, by Apple's description of tags.
  private func conversions(of events: [UserEvent]) -> [(kind: String, events: [UserEvent])] {
    var found: [(kind: String, tag: String?, start: Int64, events: [UserEvent])] = [("install", nil, 0, [])]
    let order = events.enumerated().sorted {
      ($0.element.secondsSinceInstall, $0.offset) < ($1.element.secondsSinceInstall, $1.offset)
    }
    for event in order.map(\.element) {
      if [back, "redownload"].contains(event.name) {
        found.append((event.name, event.conversionTag, event.secondsSinceInstall, []))
      }
      let place =
        event.conversionTag.map { tag in found.lastIndex { $0.tag == tag } } ?? found.indices.last
      guard let place else { continue }
      found[place].events.append(
        UserEvent(
          secondsSinceInstall: event.secondsSinceInstall - found[place].start, name: event.name,
          revenue: event.revenue, conversionTag: event.conversionTag))
    }
    return found.map { ($0.kind, $0.events) }
  }
}
