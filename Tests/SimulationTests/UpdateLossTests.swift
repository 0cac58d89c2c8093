import Mappings
import Postbacks
@testable import Simulation
import Testing
import Values

@Suite struct `Lost updates` {
  private func counting(_ device: Mapping.Device) throws -> Mapping {
    try mapping(device, fine: (1...9).map { try rule(Int64($0), "buy", count: $0, coarse: .low) })
  }

  private func cohort(users: Int) -> Cohort {
    var builder = CohortBuilder()
    for user in 0..<users {
      builder.add(
        user: "user \(user)", installed: epoch, campaign: "5239",
        events: [event("buy", at: 60, cents: 100), event("buy", at: hour, cents: 200)])
    }
    return builder.cohort()
  }

  @Test(arguments: Mapping.Device.allCases) func `Lost updates change nothing at a share of zero`(
    device: Mapping.Device
  ) throws {
    let plain = SimulationConfiguration(try counting(device))
    var none = plain
    none.lostUpdateShare = 0
    #expect(simulate(plain, [cohort(users: 50)]) == simulate(none, [cohort(users: 50)]))
  }

  @Test func `Lost updates leave nothing at a share of one`() throws {
    var configuration = SimulationConfiguration(try counting(.skan4))
    configuration.lostUpdateShare = 1
    #expect(simulate(configuration, [cohort(users: 20)]).postbacks.isEmpty)
    configuration = SimulationConfiguration(try counting(.skan3))
    configuration.lostUpdateShare = 1
    let postbacks = simulate(configuration, [cohort(users: 20)]).postbacks
    #expect(postbacks.count == 20, "the first launch registers 0 without an update")
    #expect(postbacks.allSatisfy { $0.value == FineValue(0).map { .fine($0) } ?? .absent })
  }

  @Test func `Lost updates are as many as requested, and the same for the same seed and every run`() throws {
    var configuration = SimulationConfiguration(try counting(.aak))
    configuration.lostUpdateShare = 0.03
    configuration.seed = 5
    let cohort = cohort(users: 20_000)
    let (_, first) = simulate(configuration, [cohort])
    // Without the second update the value stays 1; without both there is no postback.
    let behind = first.count { $0.trueFine?.number == 1 }
    let none = 20_000 - first.count
    #expect((480...720).contains(behind + none), "600 of 20,000 last updates: \(behind), \(none)")
    #expect((4...40).contains(none), "18 users lose both: \(none)")
    #expect(simulate(configuration, [cohort]).postbacks == first)
    let again = simulate(configuration, [cohort], run: 3).postbacks
    #expect(again.map(\.trueFine) == first.map(\.trueFine))
    configuration.seed = 6
    #expect(simulate(configuration, [cohort]).postbacks.map(\.user) != first.map(\.user))
  }

  @Test(arguments: Mapping.Device.allCases)
  func `Lost updates leave the device with the last update that reached it`(device: Mapping.Device) throws {
    var random = SplitMix64(seed: 81)
    var (lost, kept) = (0, 0)
    for round in 0..<300 {
      let mapping = randomMapping(&random, device: device)
      let events = randomEvents(&random, count: 14, hours: [30, 300][random.number(below: 2)])
      let cohort = one(events)
      let losses = try #require(UpdateLosses(share: 0.4, seed: UInt64(round)))
      var replay = UserReplay(
        CompiledMapping(mapping), cohort, currency: usd, rules: AttributionKitRules(), losses: losses)
      replay.replay(cohort.users[0])

      var draws = losses.draws(user: cohort.users[0].key, conversion: 0)
      var left: [ConversionWindow: (fine: Int8, coarse: Int8)] = device == .skan3 ? [.first: (0, -1)] : [:]
      var timerEnd = day
      for update in mapping.replay(events).updates {
        // Under SKAdNetwork 3 value 0 is there without an update.
        if device == .skan3, update.fine?.number == 0 { continue }
        if draws.isNextLost() {
          lost += 1
          continue
        }
        if device == .skan3 {
          guard update.time < timerEnd else { break }
          timerEnd = update.time + day
        }
        left[update.window] = (
          update.fine.map { Int8($0.number) } ?? -1, update.coarse.map(\.step) ?? -1
        )
        kept += 1
      }
      let ends = Dictionary(uniqueKeysWithValues: replay.ends.map { ($0.window, [$0.fine, $0.coarse]) })
      #expect(ends == left.mapValues { [$0.fine, $0.coarse] }, "round \(round)")
    }
    #expect(lost > 60 && kept > 60)
  }
}
