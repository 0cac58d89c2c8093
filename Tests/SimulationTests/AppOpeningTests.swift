import Mappings
import Postbacks
@testable import Simulation
import Testing
import Values

struct `An app that is shut` {
  private func replay(
    _ mapping: Mapping, _ events: [UserEvent], opens: Set<String>
  ) -> UserReplay {
    let cohort = one(events)
    var replay = UserReplay(
      CompiledMapping(mapping), cohort, currency: usd, rules: AttributionKitRules(), appOpens: opens)
    replay.replay(cohort.users[0])
    return replay
  }

  @Test func `A trial that turns into money changes the value when the app is opened, and not before`() throws
  {
    let mapping = try mapping(.skan4, fine: [rule(1, "trial"), rule(5, "renewal")])
    let shut = [event("trial", at: hour), event("renewal", at: 10 * hour, cents: 999)]
    let first = try #require(replay(mapping, shut, opens: ["trial"]).ends.first)
    #expect(first.fine == 1)
    // Its money is the user's in the first window all the same.
    #expect(first.revenue == 9_990_000 && first.revenueAtUpdate == 0)
    let opened = shut + [event("open", at: 20 * hour)]
    #expect(replay(mapping, opened, opens: ["trial", "open"]).ends.first?.fine == 5)
    let late = shut + [event("open", at: 49 * hour)]
    let ends = replay(mapping, late, opens: ["trial", "open"]).ends
    #expect(ends.first?.fine == 1 && ends.first?.revenue == 9_990_000)
    // Without the setting the app is open at each event.
    #expect(replay(mapping, shut, opens: []).ends.first?.fine == 5)
  }

  @Test(arguments: Mapping.Device.allCases)
  func `What happens while the app is shut counts as if it happened at the next opening`(
    device: Mapping.Device
  ) throws {
    var random = SplitMix64(seed: 14)
    var moved = 0
    for round in 0..<300 {
      let mapping = randomMapping(&random, device: device)
      let events = randomEvents(&random, count: 14, hours: [30, 300][random.number(below: 2)])
        .sorted { $0.secondsSinceInstall < $1.secondsSinceInstall }
      let names = Set(events.map(\.name))
      let opens = names.filter { _ in random.number(below: 2) == 0 }
      guard !opens.isEmpty, opens != names else { continue }
      var counted: [UserEvent] = []
      for (index, event) in events.enumerated() {
        guard let opening = events[index...].first(where: { opens.contains($0.name) }) else { continue }
        if opening.secondsSinceInstall != event.secondsSinceInstall { moved += 1 }
        counted.append(
          UserEvent(
            secondsSinceInstall: opening.secondsSinceInstall, name: event.name, revenue: event.revenue))
      }
      let found = replay(mapping, events, opens: opens).ends
      let expected = replay(mapping, counted, opens: []).ends
      #expect(found.map(\.window) == expected.map(\.window), "round \(round)")
      #expect(found.map(\.fine) == expected.map(\.fine), "round \(round)")
      #expect(found.map(\.coarse) == expected.map(\.coarse), "round \(round)")
      #expect(found.map(\.prepared) == expected.map(\.prepared), "round \(round)")
      // The truth does not depend on the app.
      let truth = replay(mapping, events, opens: []).ends
      for end in found where device != .skan3 {
        guard let other = truth.first(where: { $0.window == end.window }) else { continue }
        #expect(end.revenue == other.revenue, "round \(round)")
      }
    }
    #expect(moved > 100)
  }
}
