import Mappings
import Postbacks
@testable import Simulation
import System
import Testing
import Values

/// Users in several cohorts with the same names.
private struct Cohorts: CohortSource {
  let cohorts: [Cohort]
  var names: CohortNames { cohorts.first?.names ?? CohortNames() }
  var count: Int { cohorts.count }
  func cohort(at index: Int) -> Cohort { cohorts[index] }
}

@Suite struct `A study in parts` {
  private let models = ["none", "hard:2", "logistic:3", "tiers:1,2,3", "value:2"]

  /// Users of campaigns of very different sizes, some of them organic, in cohorts by the user's number.
  private func cohorts(_ count: Int, users: Int, _ random: inout SplitMix64) throws -> [Cohort] {
    let euro = try #require(CurrencyCode("EUR"))
    var builder = CohortBuilder()
    for user in 0..<users {
      let campaign = random.number(below: 1 + random.number(below: 24))
      let list = (0..<random.number(below: 5)).map { _ -> UserEvent in
        let names = ["buy", "open", "re-engagement", "redownload"]
        let money = Money(
          micros: Int64(random.number(below: 30_000_000)) - 1_000_000,
          currency: random.happens(0.8) ? usd : euro)
        return UserEvent(
          secondsSinceInstall: Int64(random.number(below: 50 * 86_400)), name: names[random.number(below: 4)],
          revenue: random.happens(0.6) ? money : nil)
      }
      builder.add(
        user: "u\(user)", installed: epoch + Int64(random.number(below: 12 * 86_400_000)),
        campaign: campaign == 1 ? nil : "campaign \(campaign)",
        origin: random.happens(0.5) ? .unknown : UserOrigin(sourceApp: AppID(7), country: "DE"), events: list)
    }
    let whole = builder.cohort()
    return try (0..<count).map { number in
      let users = whole.users.enumerated().filter { $0.offset % count == number }.map(\.element)
      return try #require(Cohort(names: whole.names, events: whole.events, users: users))
    }
  }

  @Test(arguments: 1...10)
  func `A cohort in words is read back as it was`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let cohort = try #require(try cohorts(1, users: 50, &random).first)
    let copy = Cohort(words: cohort.words, names: cohort.names)
    #expect(copy.names == cohort.names)
    #expect(copy.users == cohort.users)
    #expect(copy.events == cohort.events)
    let moved = Cohort(words: cohort.words, names: cohort.names) { min($0, 0) }
    #expect(moved.users.map(\.campaign) == cohort.users.map { min($0.campaign, 0) })
  }

  private func expectEqual(_ found: VariantOutcome, _ expected: VariantOutcome) throws {
    #expect(found.campaigns == expected.campaigns)
    // The whole figures would fill the log.
    let hasTotal = found.total == expected.total
    #expect(hasTotal)
    #expect(found.organicUsers == expected.organicUsers)
    #expect(found.organicRevenue == expected.organicRevenue)
    #expect(found.otherRevenue == expected.otherRevenue)
    #expect(found.errors == expected.errors)
    func rows(_ outcome: VariantOutcome) throws -> [RunSummary] {
      var rows: [RunSummary] = []
      try outcome.forEachCampaign { rows.append($1) }
      return rows
    }
    let hasRows = try rows(found) == rows(expected)
    #expect(hasRows)
  }

  @Test(arguments: [1, 3], [(16384, 1 << 20), (5, 40)])
  func `A study in parts has the figures of whole outcomes, whatever parts and memory there are`(
    runs: Int, room: (users: Int, words: Int)
  ) throws {
    var random = SplitMix64(seed: 5)
    for round in 0..<6 {
      let cohorts = try cohorts(1 + round % 3, users: round == 5 ? 0 : 20 + 40 * round, &random)
      let configurations = try models.map { model in
        var configuration = SimulationConfiguration(randomMapping(&random))
        configuration.crowd = try CrowdModel(model)
        configuration.seed = UInt64(round)
        configuration.horizonDays = 10 + round
        configuration.nonWinnerShare = 0.3
        return configuration
      }
      var study = SimulationStudy(
        simulators: configurations.map { Simulator($0) }, runs: runs, cohorts: Cohorts(cohorts: cohorts),
        threads: 3)
      study.room = room
      let result = try #require(try study.run { _ in true })
      var outcomes: [VariantOutcome] = []
      for (configuration, found) in zip(configurations, result.outcomes) {
        let whole = try VariantOutcome((0..<runs).map { simulate(configuration, cohorts, run: $0).outcome })
        try expectEqual(found, whole)
        outcomes.append(whole)
      }
      #expect(
        try PairedComparison(result.outcomes[0], result.outcomes[1], seed: 3)
          == PairedComparison(outcomes[0], outcomes[1], seed: 3))
    }
  }

  @Test func `A study in parts has groups of its own for each variant that counts others`() throws {
    var random = SplitMix64(seed: 9)
    let cohorts = try cohorts(2, users: 120, &random)
    let configurations = try (models + ["hard:4"]).flatMap { model in
      try Mapping.Device.allCases.map { device in
        var configuration = SimulationConfiguration(randomMapping(&random, device: device))
        configuration.crowd = try CrowdModel(model)
        return configuration
      }
    }
    let study = SimulationStudy(
      simulators: configurations.map { Simulator($0) }, runs: 1, cohorts: Cohorts(cohorts: cohorts),
      threads: 2)
    let result = try #require(try study.run { _ in true })
    for (configuration, found) in zip(configurations, result.outcomes) {
      try expectEqual(found, try VariantOutcome([simulate(configuration, cohorts).outcome]))
    }
  }

  @Test func `A study in parts ends when it is asked to`() throws {
    var random = SplitMix64(seed: 1)
    let study = SimulationStudy(
      simulators: [Simulator(SimulationConfiguration(randomMapping(&random)))], runs: 1,
      cohorts: Cohorts(cohorts: try cohorts(2, users: 50, &random)), threads: 2)
    #expect(try study.run { _ in false } == nil)
    #expect(try study.run { $0 < 0.5 } == nil)
  }

  @Test func `A campaign's figures are the same after they were in a file`() throws {
    var random = SplitMix64(seed: 4)
    for round in 0..<40 {
      let cohorts = try cohorts(1, users: 30, &random)
      let runs = (0..<1 + round % 4).map {
        simulate(SimulationConfiguration(randomMapping(&random)), cohorts, run: $0).outcome.total
      }
      let summary = RunSummary(runs)
      let words = summary.words
      #expect(RunSummary(words: words[...]) == summary)
      #expect(RunSummary(words: words.dropLast()) == nil)
    }
    var huge = CampaignOutcome()
    huge.revenue = MoneySum(.max)
    huge.lostByChain = MoneySum(.min)
    huge.revenueEver = MoneySum(Int128(Int64.min))
    let summary = RunSummary([huge])
    #expect(RunSummary(words: summary.words[...]) == summary)
  }

  @Test func `Campaigns are in parts of their own or share one part with all of their users`() {
    let users = [3, 0, 40, 9, 1, 1, 1, 25]
    let order = CampaignOrder(["c", "none", "big", "d", "z", "x", "z"], users: users, runs: 1, mostUsers: 10)
    #expect(order.campaigns == ["big", "d", "c", "z", "x"])
    #expect(order.parts.map(\.campaigns) == [0..<1, 0..<1, 0..<1, 0..<1, 1..<2, 2..<5, 0..<0, 0..<0, 0..<0])
    #expect(order.parts.map(\.isShared) == [true, true, true, true, false, false, false, false, false])
    #expect(order.place(of: 4) == 3)
    #expect(order.place(of: 6) == 3)
    #expect(order.place(of: -1) == 5)
    var random = SplitMix64(seed: 2)
    let keys = (0..<200).map { _ in random.next() }
    #expect(Set(keys.map { order.part(at: 0, key: $0) }) == [0, 1, 2, 3])
    #expect(Set(keys.map { order.part(at: 4, key: $0) }) == [5])
    #expect(Set(keys.map { order.part(at: 5, key: $0) }) == [6, 7, 8])
  }
}
