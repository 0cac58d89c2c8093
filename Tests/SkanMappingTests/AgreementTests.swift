import Foundation
import Mappings
import Postbacks
import SkanMapping
import Testing
import Values

@Suite struct `The mapping inside an app` {
  private static let shards = 20
  /// 2,000 histories in all, each with a mapping of its own; `SKAN_HISTORIES=100000` makes more.
  private static let historiesOfShard =
    max(100, (ProcessInfo.processInfo.environment["SKAN_HISTORIES"].flatMap { Int($0) } ?? 2_000) / shards)

  @Test(arguments: 0..<shards)
  func `The mapping inside an app makes every update that the server's evaluator makes`(shard: Int) throws {
    var random = SplitMix64(seed: 1_000 + UInt64(shard))
    var (updates, relaunches, largest) = (0, 0, 0)
    for round in 0..<Self.historiesOfShard {
      let mapping = randomMapping(&random)
      let isBack = mapping.device == .aak && random.happens(0.4)
      var server = UserState(mapping, type: isBack ? .reengagement : .install)
      var expected = [server.launch()].compactMap { $0 }.map(ComparedUpdate.init)
      var app = try AppConversions(
        mapping: AppMapping(document: mapping.appDocument()), store: MemoryStore())
      var made = try app.launch(at: epoch)
      if isBack { made = try app.reengage(tag: random.happens(0.5) ? "x" : nil, at: epoch) }
      let hours = [30, 120, 1000][random.number(below: 3)]
      for event in randomEvents(&random, count: 1 + random.number(below: 12), hours: hours) {
        expected += [server.feed(event)].compactMap { $0 }.map(ComparedUpdate.init)
        let updates = try app.record(AppEvent(event, milliseconds: Int64(random.number(below: 1000))))
        for update in updates where random.happens(0.8) { try app.confirm(update) }
        made += updates
        largest = max(largest, app.stateBytes)
        if random.happens(0.1) {
          // A later version that came meanwhile is for later conversions alone.
          app = try AppConversions(
            mapping: AppMapping(document: randomMapping(&random).appDocument(number: 2)),
            store: app.savedStore)
          #expect(app.recovery == .none, "round \(round)")
          relaunches += 1
        }
      }
      #expect(made.map(ComparedUpdate.init) == expected, "shard \(shard), round \(round)")
      updates += made.count
    }
    #expect(updates > 40 && relaunches > 20, "\(updates), \(relaunches)")
    #expect(largest <= 1024)
  }

  @Test func `The mapping inside an app gives each conversion the events of its tag`() throws {
    var random = SplitMix64(seed: 2)
    var (updates, backs) = (0, 0)
    for round in 0..<200 {
      let mapping = randomMapping(&random, device: .aak)
      var rules = ReengagementRules()
      rules.areOverlapping = random.happens(0.7)
      rules.installCooldownHours = random.happens(0.3) ? 10 : 0
      rules.reengagementCooldownHours = random.happens(0.3) ? 24 : 0
      let history = taggedHistory(&random)
      var app = try AppConversions(
        mapping: AppMapping(document: mapping.appDocument()), store: MemoryStore(), reengagements: rules)
      var made = try app.launch(at: epoch)
      for event in history {
        let event = AppEvent(event)
        if event.name == back { made += try app.reengage(tag: event.conversionTag, at: event.time) }
        made += try app.record(event)
        #expect(app.stateBytes <= 1024)
        if random.happens(0.1) {
          app = try AppConversions(
            mapping: AppMapping(document: mapping.appDocument()), store: app.savedStore, reengagements: rules)
        }
      }
      var expected: [ComparedUpdate] = []
      var found: [ComparedUpdate] = []
      for conversion in conversions(of: history, rules) {
        var server = UserState(mapping, type: conversion.type)
        expected += ([server.launch()] + conversion.events.map { server.feed($0) }).compactMap { $0 }
          .map(ComparedUpdate.init)
        found += made.filter {
          $0.conversionStart == epoch + 1000 * conversion.start && $0.conversionTag == conversion.tag
            && $0.conversionType.rawValue == conversion.type.rawValue
        }.map(ComparedUpdate.init)
        if conversion.type == .reengagement { backs += 1 }
      }
      #expect(found == expected, "round \(round)")
      #expect(found.count == made.count, "round \(round)")
      updates += made.count
    }
    #expect(updates > 100 && backs > 50, "\(updates), \(backs)")
  }

  private let back = "re-engagement"

  /// Events, of which some have tags, with up to two re-engagements at moments of their own.
  private func taggedHistory(_ random: inout SplitMix64) -> [UserEvent] {
    let tags: [String?] = [nil, nil, "x", "y", "z"]
    var events = randomEvents(&random, count: 12, hours: [60, 200][random.number(below: 2)]).map {
      UserEvent(
        secondsSinceInstall: $0.secondsSinceInstall, name: $0.name, revenue: $0.revenue,
        conversionTag: tags[random.number(below: 5)])
    }
    for number in 0..<random.number(below: 3) {
      events.append(
        UserEvent(
          secondsSinceInstall: Int64(random.number(below: 200)) * hour + 1 + Int64(number), name: back,
          conversionTag: tags[random.number(below: 5)]))
    }
    return events.enumerated().sorted {
      ($0.element.secondsSinceInstall, $0.offset) < ($1.element.secondsSinceInstall, $1.offset)
    }.map(\.element)
  }

  private struct Conversion {
    var type: ConversionType
    var tag: String?
    var start: Int64
    var events: [UserEvent] = []
  }

  /// The conversions of a user with their own events, by Apple's description of tags and cooldowns.
  private func conversions(of events: [UserEvent], _ rules: ReengagementRules) -> [Conversion] {
    var found = [Conversion(type: .install, tag: nil, start: 0)]
    for event in events {
      let last = found[found.count - 1]
      let cooldown =
        last.type == .install ? rules.installCooldownHours : rules.reengagementCooldownHours
      if event.name == back, event.secondsSinceInstall >= last.start + Int64(cooldown) * hour {
        found.append(
          Conversion(type: .reengagement, tag: event.conversionTag, start: event.secondsSinceInstall))
      }
      var place: Int? = found.count - 1
      if let tag = event.conversionTag {
        place = found.lastIndex { $0.tag == tag }
        // Without overlapping windows the conversions before the newest one are over.
        if !rules.areOverlapping, place != found.count - 1 { place = nil }
      }
      guard let place else { continue }
      found[place].events.append(
        UserEvent(
          secondsSinceInstall: event.secondsSinceInstall - found[place].start, name: event.name,
          revenue: event.revenue))
    }
    return found
  }
}

@Suite struct `The tests that developers get` {
  @Test func `The library makes the calls of every test case of a mapping`() throws {
    var random = SplitMix64(seed: 77)
    var calls = 0
    for round in 0..<200 {
      let mapping = randomMapping(&random)
      for test in mapping.handoverCases where test.type == .install {
        var app = try AppConversions(
          mapping: AppMapping(document: mapping.appDocument()), store: MemoryStore())
        var made = try app.launch(at: epoch)
        for event in test.events { made += try app.record(AppEvent(event)) }
        #expect(made.map(ComparedUpdate.init) == test.updates.map(ComparedUpdate.init), "round \(round)")
        calls += made.count
      }
    }
    #expect(calls > 500, "\(calls)")
  }
}
