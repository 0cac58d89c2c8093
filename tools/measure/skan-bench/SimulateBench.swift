import Mappings
import Postbacks
import Simulation
import System
import Values

/// Measures what one simulated user of ten events costs, on one thread.
struct SimulateBench {
  private static let part = 50_000

  func run(users: Int) throws {
    for device in Mapping.Device.allCases {
      var configuration = SimulationConfiguration(try mapping(device))
      configuration.crowd = .logistic(LogisticReveal(median: 45))
      let simulator = Simulator(configuration)
      var random = SplitMix64(seed: 1)
      var left = users
      var crowdTime = 0.0
      var runTime = 0.0
      var outcome = SimulationOutcome(currency: configuration.currency)
      while left > 0 {
        let cohort = try cohort(min(left, Self.part), &random)
        left -= cohort.users.count
        let start = processMicroseconds()
        let counts = simulator.crowd(of: cohort)
        let middle = processMicroseconds()
        outcome.merge(simulator.run(cohort, crowd: simulator.crowd(from: counts)))
        crowdTime += middle - start
        runTime += processMicroseconds() - middle
      }
      let perUser = 1000 / Double(users)
      print(
        """
        {"device":"\(device.rawValue)","users":\(users),"crowd_ns":\(hundredths(crowdTime * perUser)),\
        "run_ns":\(hundredths(runTime * perUser)),\
        "users_per_second":\(Int(Double(users) / (crowdTime + runTime) * 1e6)),\
        "postbacks":\(outcome.total.winners)}
        """)
    }
  }

  /// A mapping with 21 ranges of revenue for each of the first three days.
  private func mapping(_ device: Mapping.Device) throws -> Mapping {
    guard let usd = CurrencyCode("USD"), let app = AppID(525_463_029) else { throw BenchError.usage }
    var fine: [FineRule] = []
    for day in 0..<3 {
      for step in 0..<21 {
        let low = Amount(micros: Int64(step * step) * 250_000)
        let high = Amount(micros: Int64((step + 1) * (step + 1)) * 250_000)
        guard let range = AmountRange(lower: .closed(low), upper: step == 20 ? .unbounded : .open(high)),
          let value = FineValue(Int64(day * 21 + step))
        else { throw BenchError.usage }
        fine.append(
          FineRule(
            value: value,
            conditions: Conditions(
              revenue: RevenueCondition(range, usd, representative: low),
              activeHours: HourRange(from: 24 * day, to: 24 * (day + 1)))))
      }
    }
    let coarse = CoarseRules(
      totals: .window,
      rules: [
        CoarseRule(value: .low),
        CoarseRule(value: .high, conditions: Conditions(events: [EventCondition(name: "iap")])),
      ])
    return Mapping(
      name: "bench", app: app, currency: usd, effectiveFrom: Instant(seconds: 0), device: device, fine: fine,
      coarse: [.second: coarse, .third: coarse])
  }

  private func cohort(_ count: Int, _ random: inout SplitMix64) throws -> Cohort {
    guard let usd = CurrencyCode("USD") else { throw BenchError.usage }
    let names = CohortNames(
      events: ["session", "level", "iap"], currencies: [usd], campaigns: (0..<60).map { "campaign \($0)" })
    var events: [CohortEvent] = []
    var users: [CohortUser] = []
    for _ in 0..<count {
      let start = Int32(events.count)
      // Most of what users do, they do soon.
      let times = (0..<10).map { _ in
        Int32(random.number(below: 1 + random.number(below: 1 + random.number(below: 10 * 86_400))))
      }.sorted()
      for time in times {
        let name = Int32(random.number(below: 8) == 0 ? 2 : random.number(below: 2))
        events.append(
          CohortEvent(
            secondsSinceInstall: time, name: name, currency: name == 2 ? 0 : -1,
            micros: name == 2 ? Int64(random.number(below: 20_000_000)) : 0))
      }
      users.append(
        CohortUser(
          key: random.next(),
          installed: Instant(seconds: Int64(1_760_000_000 + random.number(below: 30 * 86_400))),
          campaign: Int32(random.number(below: 60)), events: start..<Int32(events.count)))
    }
    guard let cohort = Cohort(names: names, events: events, users: users) else { throw BenchError.usage }
    return cohort
  }
}
