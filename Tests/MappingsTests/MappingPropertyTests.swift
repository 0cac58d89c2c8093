import MappingFormats
import Mappings
import Postbacks
import System
import Testing
import Values

/// Makes a user's events in no particular order; the amounts go beyond every range.
func randomStream(_ random: inout SplitMix64, count: Int, hours: Int = 60) -> [UserEvent] {
  (0..<count).map { _ in
    let cents = Int64(random.number(below: 9000)) - 500
    return UserEvent(
      secondsSinceInstall: Int64(random.number(below: hours * 3600)),
      name: ["a", "b", "c", "d"][random.number(below: 4)],
      revenue: random.happens(0.6)
        ? CurrencyCode("USD").map { Money(micros: cents * 10_000, currency: $0) } : nil)
  }
}

@Suite struct `Mappings and streams` {
  @Test(arguments: ["skan3", "aak", "skan4"])
  func `A mapping with raise-only never lowers a value, whatever the events`(device: String) {
    var random = SplitMix64(seed: 22)
    var updates = 0
    for round in 0..<300 {
      let any = randomMapping(&random)
      let mapping = Mapping(
        name: any.name, app: any.app, currency: any.currency, effectiveFrom: any.effectiveFrom,
        device: Mapping.Device(rawValue: device) ?? .skan3, isRaiseOnly: true, precedence: any.precedence,
        fine: any.fine, coarse: any.coarse)
      let replay = mapping.replay(randomStream(&random, count: 15, hours: 900))
      for window in ConversionWindow.allCases {
        let fine = replay.updates.filter { $0.window == window }.compactMap(\.fine)
        #expect(zip(fine, fine.dropFirst()).allSatisfy { $0 <= $1 }, "round \(round)")
        updates += fine.count
      }
      #expect(replay.updates.map(\.time) == replay.updates.map(\.time).sorted())
      #expect(replay.postbacks.allSatisfy { $0.sendEarliest < $0.sendLatest })
    }
    #expect(updates > 50, "the streams have to move values")
  }

  @Test func `A decoded value contains the true revenue and hour of activity`() throws {
    var random = SplitMix64(seed: 23)
    var decoded = 0
    for round in 0..<500 {
      // Random edges, up to an amount that no stream reaches; a value for each range and half day.
      let edges = Set((0..<1 + random.number(below: 8)).map { _ in 1 + random.number(below: 400) }).sorted()
      let amounts = ([0] + edges + [100_000]).map(String.init).joined(separator: ",")
      let rest = #"""
        "grids":[{"first-value":1,"active-hours":[0,12,24,36,48],"revenue":[\#(amounts)],
        "closed":"\#(random.happens(0.5) ? "lower" : "upper")","revenue-of":"total"}]
        """#
      let mapping = try mapping(skan: random.happens(0.5) ? "skan4" : "aak", rest)
      var state = UserState(mapping)
      _ = state.launch()
      let stream = (0..<8).map { _ in
        event(
          "buy", hour: Double(random.number(below: 48)),
          Money(micros: 10_000 * Int64(1 + random.number(below: 9000)), currency: mapping.currency))
      }.sorted { $0.secondsSinceInstall < $1.secondsSinceInstall }
      var sum = Amount.zero
      for event in stream {
        sum = sum.adding(event.revenue?.amount ?? .zero).sum
        _ = state.feed(event)
        let value = try #require(state.postbacks.first?.fine)
        guard case .rules(let meanings) = mapping.decode(value) else {
          Issue.record("round \(round): \(value) has no meaning")
          continue
        }
        let estimate = try #require(meanings.first?.revenue.first)
        let (low, high) = (try #require(estimate.low), try #require(estimate.high))
        #expect(
          low <= sum && sum <= high && low <= estimate.representative && estimate.representative <= high)
        let hours = try #require(meanings.first?.activeHours)
        #expect(hours.contains(secondsSinceInstall: event.secondsSinceInstall))
        decoded += 1
      }
    }
    #expect(decoded == 4000)
  }
}
