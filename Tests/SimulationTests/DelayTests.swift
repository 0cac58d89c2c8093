import Mappings
import Postbacks
@testable import Simulation
import Testing
import Values

@Suite struct `Random delays` {
  private static let cases: [(ProtocolVersion, ConversionWindow, Range<Int64>)] = [
    (.v3_0, .first, 0..<24), (.v4_0, .first, 24..<48), (.v4_0, .second, 24..<144), (.v4_0, .third, 24..<144),
    (.adAttributionKit, .first, 24..<48), (.adAttributionKit, .third, 24..<144),
  ]

  @Test(arguments: cases)
  func `Random delays are uniform over their window`(
    version: ProtocolVersion, window: ConversionWindow, hours: Range<Int64>
  ) {
    let range = PostbackDelay.range(version: version, window: window)
    #expect(range == hours.lowerBound * 3_600_000..<hours.upperBound * 3_600_000)
    #expect(PostbackDelay.milliseconds(version: version, window: window, bits: 0) == range.lowerBound)
    #expect(PostbackDelay.milliseconds(version: version, window: window, bits: .max) == range.upperBound - 1)

    let random = RandomStream(seed: 5, run: 0)
    var counts = Array(repeating: 0, count: 24)
    let draws = 48_000
    for user in 0..<draws {
      let bits = random.bits(
        user: Cohort.key(of: "user \(user)"), .delay, conversion: 0, window: window.rawValue)
      let delay = PostbackDelay.milliseconds(version: version, window: window, bits: bits)
      counts[Int((delay - range.lowerBound) * 24 / Int64(range.count))] += 1
    }
    // Chi-squared with 23 degrees of freedom; 49.7 is passed once in a thousand.
    let expected = Double(draws) / 24
    let chi = counts.reduce(0.0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
    #expect(chi < 49.7, "\(counts)")
  }

  @Test func `Random delays give postbacks on the days that the windows and delays allow`() throws {
    let always = CoarseRules(rules: [CoarseRule(value: .low)])
    let rules = [FineRule(value: try #require(FineValue(0)))]
    var builder = CohortBuilder()
    var random = SplitMix64(seed: 6)
    let users = 20_000
    for user in 0..<users {
      // One event in each of the later windows.
      builder.add(
        user: "\(user)", installed: epoch + Int64(random.number(below: 86_400_000)), campaign: "1",
        events: [event("x", at: 3 * day), event("x", at: 8 * day)])
    }
    let cohort = builder.cohort()
    func days(_ device: Mapping.Device, _ window: ConversionWindow) throws -> [Int: Double] {
      let mapping = try mapping(device, fine: rules, coarse: [.second: always, .third: always])
      let outcome = simulate(SimulationConfiguration(mapping), [cohort]).outcome
      let arrivals = outcome.total[window].arrivals
      return Dictionary(
        uniqueKeysWithValues: arrivals.map { key, value in
          (Int(key.number - epoch.day.number), Double(value.postbacks) / Double(users))
        })
    }
    func expect(_ found: [Int: Double], _ kernel: [Int: Double]) {
      #expect(found.keys.sorted() == kernel.keys.sorted())
      for (day, share) in kernel { #expect(abs(share - (found[day] ?? 0)) < 0.015, "day \(day)") }
    }
    expect(try days(.skan3, .first), [1: 0.5, 2: 0.5])
    expect(try days(.skan4, .first), [3: 0.5, 4: 0.5])
    expect(try days(.skan4, .second), [8: 0.1, 9: 0.2, 10: 0.2, 11: 0.2, 12: 0.2, 13: 0.1])
    expect(try days(.aak, .third), [36: 0.1, 37: 0.2, 38: 0.2, 39: 0.2, 40: 0.2, 41: 0.1])
  }

  @Test func `Random delays of other users, purposes, windows and runs are independent`() {
    let random = RandomStream(seed: 1, run: 0)
    let bits = [
      random.bits(user: 1, .delay), random.bits(user: 2, .delay), random.bits(user: 1, .value),
      random.bits(user: 1, .delay, window: 1), random.bits(user: 1, .delay, conversion: 1),
      RandomStream(seed: 1, run: 1).bits(user: 1, .delay),
      RandomStream(seed: 2, run: 0).bits(user: 1, .delay),
    ]
    #expect(Set(bits).count == bits.count)
    #expect(RandomStream(seed: 1, run: 0).bits(user: 1, .delay) == bits[0])
  }
}
