import MappingFormats
import Mappings
import Postbacks
@testable import Simulation
import Testing
import Values

@Suite struct `A simulation` {
  /// Users of four campaigns and none, with random events, in as many cohorts as asked for.
  private func cohorts(_ parts: Int, users: Int = 400) -> [Cohort] {
    var random = SplitMix64(seed: 71)
    var builders = Array(repeating: CohortBuilder(), count: parts)
    var people: [(String, Instant, String?, [UserEvent])] = []
    for user in 0..<users {
      var events = randomEvents(&random, count: 8, hours: 900)
      if random.happens(0.3) {
        events.append(event("re-engagement", at: Int64(random.number(below: 20 * 86_400))))
      }
      people.append(
        (
          "user \(user)", epoch + Int64(random.number(below: 3 * 86_400_000)),
          [nil, "5239", "39", "zoo", "alpha"][random.number(below: 5)], events
        ))
    }
    // The parts hold other users in another order, and number names differently.
    for (index, person) in (parts == 1 ? people : people.reversed()).enumerated() {
      builders[index % parts].add(
        user: person.0, installed: person.1, campaign: person.2, events: person.3)
    }
    return builders.map { $0.cohort() }
  }

  private static let models = ["none", "hard:20", "logistic:25", "tiers:5,15,60", "value:3"]

  @Test(arguments: Mapping.Device.allCases, models)
  func `A simulation gives the same result for every partition`(device: Mapping.Device, model: String) throws
  {
    var random = SplitMix64(seed: 72)
    var moved = 0
    for _ in 0..<3 {
      var configuration = SimulationConfiguration(randomMapping(&random, device: device))
      configuration.crowd = try CrowdModel(model)
      configuration.seed = random.next()
      configuration.nonWinnerShare = 0.2
      let whole = simulate(configuration, cohorts(1))
      let parts = simulate(configuration, cohorts(7))
      #expect(whole.outcome == parts.outcome)
      #expect(Set(whole.postbacks) == Set(parts.postbacks))
      #expect(whole.postbacks.count == parts.postbacks.count)
      moved += whole.postbacks.count
      configuration.seed += 1
      let other = simulate(configuration, cohorts(1))
      #expect(other.outcome.total.revenue == whole.outcome.total.revenue)
      #expect(whole.postbacks.isEmpty || Set(other.postbacks) != Set(whole.postbacks))
    }
    #expect(moved > 100)
  }

  @Test(arguments: Mapping.Device.allCases, models)
  func `A simulation counts exactly the postbacks that it sends`(device: Mapping.Device, model: String) throws
  {
    var random = SplitMix64(seed: 73)
    for _ in 0..<3 {
      var configuration = SimulationConfiguration(randomMapping(&random, device: device))
      configuration.crowd = try CrowdModel(model)
      configuration.nonWinnerShare = 0.3
      let (outcome, postbacks) = simulate(configuration, cohorts(2))
      for (name, campaign) in outcome.campaigns {
        for window in ConversionWindow.allCases {
          let mine = postbacks.filter { $0.campaign == name && $0.window == window }
          let winners = mine.filter(\.didWin)
          #expect(campaign[window].postbacks == winners.count)
          #expect(campaign[window].nonWinners == mine.count - winners.count)
          #expect(campaign[window].nulls == winners.count { $0.value == .absent })
          #expect(campaign[window].values + campaign[window].nulls == winners.count)
          #expect(campaign[window].delays.total == winners.count)
          #expect(
            campaign[window].visibleCoarse.reduce(0, +) + campaign[window].visibleFine.reduce(0, +)
              == campaign[window].values)
          #expect(campaign[window].arrivals.values.reduce(0) { $0 + $1.postbacks } == winners.count)
          for (day, arrivals) in campaign[window].arrivals {
            #expect(arrivals.postbacks == winners.count { $0.sentAt.day == day })
          }
          #expect(
            campaign[window].arrivals.values.reduce(.zero) { $0 + $1.visible } == campaign[window].visible)
          if window == .first {
            for value in 0..<64 {
              let those = winners.filter { $0.trueFine?.number == UInt8(value) }
              #expect(campaign[window].trueFine[value] == those.count)
              #expect(
                campaign[window].revenueByFine[value].micros
                  == those.reduce(0) { $0 + Int128($1.revenue.micros) })
            }
          }
          if campaign[window].withheld == 0 {
            #expect(campaign[window].revenue.micros == winners.reduce(0) { $0 + Int128($1.revenue.micros) })
          }
        }
        #expect(campaign.installDays.values.reduce(0) { $0 + $1.installs } == campaign.installs)
        #expect(campaign.installDays.values.reduce(.zero) { $0 + $1.revenue } == campaign.revenue)
      }
      #expect(outcome.total.winners == postbacks.count(where: \.didWin))
      #expect(
        postbacks.allSatisfy { $0.didWin || ($0.value == .absent && $0.window == .first && !$0.showsSource) })
      #expect(outcome.total.installs + outcome.organicUsers == 400)
    }
  }

  @Test func `A simulation distinguishes true, captured and visible revenue`() throws {
    let usd20 = try cents(2000, nil)
    let mapping = try mapping(
      .skan4,
      fine: [
        FineRule(value: try #require(FineValue(1)), conditions: Conditions(revenue: try cents(100, 2000))),
        FineRule(value: try #require(FineValue(2)), conditions: Conditions(revenue: usd20)),
      ],
      coarse: [
        .second: CoarseRules(
          totals: .window,
          rules: [CoarseRule(value: .low, conditions: Conditions(revenue: try cents(100, 300)))])
      ])
    var builder = CohortBuilder()
    builder.add(
      user: "a", installed: epoch, campaign: "5239",
      events: [event("buy", at: 10, cents: 500), event("buy", at: 3 * day, cents: 250)])
    builder.add(
      user: "b", installed: epoch, campaign: "5239",
      events: [event("buy", at: 10, cents: 3000), event("buy", at: 40 * day, cents: 999)])
    builder.add(user: "c", installed: epoch, campaign: nil, events: [event("buy", at: 10, cents: 77)])
    var configuration = SimulationConfiguration(mapping)
    var outcome = simulate(configuration, [builder.cohort()]).outcome
    var campaign = try #require(outcome.campaigns["5239"])
    #expect(campaign.revenue.amount.description == "37.5")
    #expect(campaign.revenueEver.amount.description == "47.49")
    #expect(outcome.organicUsers == 1)
    #expect(outcome.organicRevenue.amount.description == "0.77")
    // 1 is worth 10.50 (the middle of 1 and 20), 2 is worth its lower end, low is worth 2.
    #expect(campaign[.first].captured.amount.description == "30.5")
    #expect(campaign[.second].captured.amount.description == "2")
    #expect(campaign.captured.amount.description == "32.5")
    #expect(campaign.visible == campaign.captured)
    #expect(campaign.visibleLow.amount.description == "22")
    #expect(campaign.visibleHigh.amount.description == "43")
    #expect(campaign[.first].withoutLimit == 1)
    #expect(campaign.capturedReal.amount.description == "37.5")
    #expect(campaign[.first].trueValuesUsed == 2)
    #expect(campaign[.first].trueEntropy == 1)

    configuration.crowd = .hard(HardThreshold(installsPerDay: 3))
    outcome = simulate(configuration, [builder.cohort()]).outcome
    campaign = try #require(outcome.campaigns["5239"])
    #expect(campaign[.first].nulls == 2)
    #expect(campaign[.second].postbacks == 0)
    #expect(campaign[.second].withheld == 1)
    #expect(campaign.visible == .zero)
    #expect(campaign.captured.amount.description == "32.5")
    #expect(campaign.visibleError == -1)

    configuration.crowd = .hard(HardThreshold(installsPerDay: 2))
    #expect(simulate(configuration, [builder.cohort()]).outcome.total[.first].nulls == 0)
  }

  @Test(arguments: [(0.0, 0), (1.0, 50)])
  func `A simulation sends non-winning postbacks on request`(share: Double, count: Int) throws {
    var builder = CohortBuilder()
    for user in 0..<50 {
      builder.add(
        user: "\(user)", installed: epoch, campaign: "1",
        events: [event("a", at: 5), event("re-engagement", at: day), event("a", at: day)])
    }
    var configuration = SimulationConfiguration(try mapping(.aak, fine: [rule(3, "a")]))
    configuration.nonWinnerShare = share
    let result = simulate(configuration, [builder.cohort()])
    #expect(result.outcome.total.nonWinners == count)
    #expect(result.outcome.total.winners == 100)
    #expect(result.outcome.total.laterConversions == 50)
    #expect(result.postbacks.filter { !$0.didWin }.allSatisfy { $0.kind == .install && $0.window == .first })
  }

  @Test(arguments: [(3, 0), (4, 3)]) func `A simulation withholds each rare value separately`(
    users: Int, nulls: Int
  ) throws {
    var builder = CohortBuilder()
    for user in 0..<8 {
      builder.add(
        user: "\(user)", installed: epoch, campaign: "1", events: [event(user < 3 ? "rare" : "often", at: 5)])
    }
    var configuration = SimulationConfiguration(
      try mapping(.skan4, fine: [rule(1, "often"), rule(2, "rare")]))
    configuration.crowd = .value(ValueAnonymity(users: users))
    let outcome = simulate(configuration, [builder.cohort()]).outcome
    #expect(outcome.total[.first].nulls == nulls)
    #expect(outcome.total[.first].visibleFine[2] == 3 - nulls)
  }

  @Test(arguments: [(7, 0, "0"), (8, 1, "5"), (35, 1, "5")])
  func `A simulation counts a broken chain within the horizon`(days: Int, broken: Int, lost: String) throws {
    var configuration = SimulationConfiguration(
      try mapping(.skan3, fine: [rule(1, "buy"), rule(2, "buy", count: 2)]))
    configuration.horizonDays = days
    let events = [event("buy", at: 5, cents: 300), event("buy", at: 7 * day, cents: 500)]
    let outcome = simulate(configuration, [one(events)]).outcome.total
    #expect(outcome.chainsBroken == broken)
    #expect(outcome.lostByChain.amount.description == lost)
    #expect(outcome.revenue.amount.description == (days == 7 ? "3" : "8"))
    #expect(outcome.capturedReal.amount.description == "3")
  }

  @Test(arguments: [Int64(2), 4_000_000]) func `A simulation sums days however far apart they are`(
    daysApart: Int64
  ) throws {
    var builder = CohortBuilder()
    for user in 0..<6 {
      builder.add(
        user: "\(user)", installed: epoch + Int64(user % 2) * daysApart * 86_400_000, campaign: "1",
        events: [event("a", at: 5, cents: 100)])
    }
    let result = simulate(
      SimulationConfiguration(try mapping(.skan3, fine: [rule(3, "a")])), [builder.cohort()])
    let campaign = try #require(result.outcome.campaigns["1"])
    #expect(campaign.installDays.count == 2)
    #expect(campaign.installDays.values.allSatisfy { $0.installs == 3 && $0.revenue.units == 3 })
    #expect(
      campaign[.first].arrivals.mapValues(\.postbacks)
        == Dictionary(result.postbacks.map { ($0.sentAt.day, 1) }, uniquingKeysWith: +))
  }

  @Test func `A simulation rejects cohorts that do not exist`() {
    let names = CohortNames(events: ["a"], currencies: [usd], campaigns: ["c"])
    func user(_ events: Range<Int32> = 0..<1, campaign: Int32 = 0, installed: Instant = epoch) -> CohortUser {
      CohortUser(key: 1, installed: installed, campaign: campaign, events: events)
    }
    let fine = CohortEvent(secondsSinceInstall: 0, name: 0, currency: 0, micros: 1)
    #expect(Cohort(names: names, events: [fine], users: [user()]) != nil)
    #expect(Cohort(names: names, events: [fine], users: [user(campaign: -1)]) != nil)
    #expect(Cohort(names: names, events: [fine], users: [user(0..<2)]) == nil)
    #expect(Cohort(names: names, events: [fine], users: [user(-1..<1)]) == nil)
    #expect(Cohort(names: names, events: [fine], users: [user(campaign: 1)]) == nil)
    #expect(Cohort(names: names, events: [fine], users: [user(campaign: -2)]) == nil)
    let far = Instant(milliseconds: .max)
    #expect(Cohort(names: names, events: [fine], users: [user(installed: far)]) == nil)
    for event in [
      CohortEvent(secondsSinceInstall: 0, name: 1), CohortEvent(secondsSinceInstall: 0, name: -1),
      CohortEvent(secondsSinceInstall: 0, name: 0, currency: 1),
      CohortEvent(secondsSinceInstall: 0, name: 0, currency: -2),
    ] {
      #expect(Cohort(names: names, events: [event], users: [user()]) == nil)
    }
    #expect(MemoryLayout<CohortEvent>.stride == 24)
    #expect(Cohort.key(of: "user 1") == Cohort.key(of: Array("user 1".utf8).span))
  }

  @Test func `A simulation does not overflow or trap on the largest amounts and times`() throws {
    let events = [
      UserEvent(secondsSinceInstall: .min, name: "a", revenue: Money(micros: .min, currency: usd)),
      UserEvent(secondsSinceInstall: 5, name: "a", revenue: Money(micros: .min, currency: usd)),
      UserEvent(secondsSinceInstall: 6, name: "a", revenue: Money(micros: .max, currency: usd)),
      UserEvent(secondsSinceInstall: .max, name: "a", revenue: Money(micros: .max, currency: usd)),
    ]
    for device in Mapping.Device.allCases {
      let configuration = SimulationConfiguration(
        try mapping(device, fine: [rule(1, "a"), rule(2, "a", count: 2)]))
      let outcome = simulate(configuration, [one(events), one(events)]).outcome
      #expect(outcome.total.winners == 2)
    }
  }
}
