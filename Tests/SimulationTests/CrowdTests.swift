import Mappings
import Postbacks
@testable import Simulation
import Testing

@Suite struct `A privacy threshold model` {
  @Test(arguments: [
    ("none", CrowdModel.none), ("hard:120", .hard(HardThreshold(installsPerDay: 120))),
    ("logistic:45", .logistic(LogisticReveal(median: 45, slope: 0.35))),
    ("logistic:45.5,0.5", .logistic(LogisticReveal(median: 45.5, slope: 0.5))),
    ("practitioner", .hard(HardThreshold(installsPerDay: 120))),
    ("unity", .logistic(LogisticReveal(median: 30))), ("default", .logistic(LogisticReveal(median: 45))),
    ("strict", .logistic(LogisticReveal(median: 90))), ("tiers", .tiers(.standard)),
    ("value:5", .value(ValueAnonymity(users: 5))),
  ])
  func `A privacy threshold model is read from a text and written as one`(text: String, model: CrowdModel)
    throws
  {
    #expect(try CrowdModel(text) == model)
    #expect(try CrowdModel(model.description) == model)
  }

  @Test func `A privacy threshold model takes three numbers for tiers`() throws {
    let rule = try #require(TierRule(1, 2, 2))
    #expect(try CrowdModel("tiers:1,2,2") == .tiers(rule))
  }

  @Test(arguments: [
    "", "hard", "hard:", "hard:0", "hard:-1", "hard:1.5", "hard:1,2", "none:1", "logistic", "logistic:0",
    "logistic:nan", "logistic:inf", "logistic:45,", "logistic:45,0", "logistic:1,2,3", "tiers:1,2",
    "tiers:3,2,1", "value:x", "value:99999999999999999999", "Tiers", "practitioner:3",
  ])
  func `A privacy threshold model with an error is rejected with a list of what is allowed`(text: String) {
    #expect {
      try CrowdModel(text)
    } throws: { error in
      guard let defect = error as? CrowdModelDefect else { return false }
      return ["tiers:10,45,200", "hard:120", "logistic:45,0.35", "value:5", "practitioner"].allSatisfy {
        defect.sentence.contains($0)
      }
    }
  }

  @Test(arguments: [(30, 0.24), (45, 0.5), (88, 0.87), (90, 0.88), (128, 0.95)])
  func `A privacy threshold model by default reveals as it was fitted`(installs: Int, probability: Double) {
    #expect(abs(LogisticReveal(median: 45).probability(installs: installs) - probability) < 0.01)
    #expect(LogisticReveal(median: 45).probability(installs: 0) == 0)
  }

  @Test(arguments: [
    ([9, 9, 9], 0, 2), ([10, 10, 10], 1, 2), ([44, 44, 44], 1, 2), ([45, 44, 44], 2, 2),
    ([45, 45, 44], 2, 3),
    ([45, 45, 45], 2, 4), ([199, 60, 45], 2, 4), ([200, 199, 199], 3, 2), ([200, 200, 199], 3, 3),
    ([200, 200, 200], 3, 4), ([300], 3, 2), ([45, 45], 2, 3), ([], 0, 2),
  ])
  func `A privacy threshold model of tiers takes the highest tier, then the most digits`(
    crowds: [Int], tier: Int, digits: Int
  ) {
    let pick = TierRule.standard.pick(crowds)
    #expect(pick.tier == tier)
    #expect(pick.digits == digits)
  }
}

@Suite struct `Simulated campaigns` {
  @Test func `Simulated campaigns keep their numbers, and those without one get numbers after them`() {
    let directory = CampaignDirectory(["zoo", "5239", "39", "0000", "alpha", "7", "101"])
    #expect(
      directory.sourceIdentifiers.mapValues(\.text) == [
        "5239": "5239", "39": "39", "0000": "0000", "101": "101", "7": "0001", "alpha": "0002", "zoo": "0003",
      ])
    #expect(
      directory.campaignIDs.mapValues(\.number) == [
        "39": 39, "7": 7, "0000": 1, "101": 2, "5239": 3, "alpha": 4, "zoo": 5,
      ])
  }

  @Test func `Simulated campaigns share numbers if those run out`() {
    let directory = CampaignDirectory((0..<101).map { "campaign \($0)" })
    #expect(Set(directory.campaignIDs.values.map(\.number)) == Set(1...100))
  }
}

@Suite struct `Tiers of simulated postbacks` {
  private func cohort(_ sizes: [String: Int]) -> Cohort {
    var builder = CohortBuilder()
    for (campaign, size) in sizes.sorted(by: { $0.key < $1.key }) {
      for user in 0..<size {
        builder.add(
          user: "\(campaign) \(user)", installed: epoch, campaign: campaign,
          events: [event("a", at: 5, cents: 100), event("a", at: 3 * day)])
      }
    }
    return builder.cohort()
  }

  private func postbacks(_ sizes: [String: Int], of campaign: String, device: Mapping.Device = .skan4) throws
    -> [ConversionWindow: SimulatedPostback]
  {
    let coarse = CoarseRules(rules: [CoarseRule(value: .medium)])
    var configuration = SimulationConfiguration(
      try mapping(device, fine: [rule(9, "a", coarse: .high)], coarse: [.second: coarse]))
    configuration.crowd = .tiers(.standard)
    let all = simulate(configuration, [cohort(sizes)]).postbacks.filter { $0.campaign == campaign }
    return Dictionary(all.map { ($0.window, $0) }) { first, _ in first }
  }

  @Test(arguments: [
    (9, "39", ConversionValue.absent, false, 1), (10, "39", .coarse(.high), false, 2),
    (44, "39", .coarse(.high), false, 2), (45, "5239", .fine(FineValue(9) ?? .highest), false, 2),
    (199, "5239", .fine(FineValue(9) ?? .highest), false, 2),
    (200, "5239", .fine(FineValue(9) ?? .highest), true, 2),
  ])
  func `Tiers of simulated postbacks decide digits, value, source and later postbacks`(
    size: Int, source: String, value: ConversionValue, showsSource: Bool, count: Int
  ) throws {
    let found = try postbacks(["5239": size], of: "5239")
    #expect(found.count == count)
    #expect(found[.first]?.campaignOnWire.text == source)
    #expect(found[.first]?.value == value)
    #expect(found[.first]?.showsSource == showsSource)
    #expect(found[.first]?.trueFine?.number == 9)
    #expect(found[.second]?.campaignOnWire.text == (count == 2 ? "39" : nil))
    #expect(found[.second]?.value == (count == 2 ? .coarse(.medium) : nil))
    #expect(found[.second]?.showsSource ?? false == false)
  }

  @Test func `Tiers of simulated postbacks use the short form if only it reaches the tier`() throws {
    // 39 has 5 + 45 installs, 239 and 5239 have 5.
    let found = try postbacks(["5239": 5, "1139": 45], of: "5239")
    #expect(found[.first]?.campaignOnWire.text == "39")
    #expect(found[.first]?.tier == 2)
    #expect(found[.first]?.value == .fine(try #require(FineValue(9))))
    let three = try postbacks(["5239": 5, "1239": 45], of: "5239")
    #expect(three[.first]?.campaignOnWire.text == "239")
  }

  @Test(arguments: [(44, false, false), (45, true, false), (200, true, true)])
  func `Tiers of simulated postbacks replace a threshold under SKAdNetwork 3`(
    size: Int, hasValue: Bool, showsSource: Bool
  ) throws {
    let found = try postbacks(["5239": size], of: "5239", device: .skan3)
    #expect(found[.first]?.value == (hasValue ? .fine(try #require(FineValue(9))) : .absent))
    #expect(found[.first]?.showsSource == showsSource)
    #expect(found[.first]?.campaignOnWire.text == "1")
  }
}

@Suite struct `Privacy threshold groups` {
  private func origin(_ app: Int64?, _ country: String?) -> UserOrigin {
    UserOrigin(sourceApp: app.flatMap { AppID($0) }, country: country)
  }

  private func cohort(_ groups: [(UserOrigin, Int)]) -> Cohort {
    var builder = CohortBuilder()
    for (number, (origin, size)) in groups.enumerated() {
      for user in 0..<size {
        builder.add(
          user: "\(number) \(user)", installed: epoch, campaign: "5239", origin: origin,
          events: [event("a", at: 5, cents: 100), event("a", at: 3 * day)])
      }
    }
    return builder.cohort()
  }

  private func configuration(_ device: Mapping.Device, _ model: CrowdModel = .tiers(.standard)) throws
    -> SimulationConfiguration
  {
    let coarse = CoarseRules(rules: [CoarseRule(value: .medium)])
    var configuration = SimulationConfiguration(
      try mapping(device, fine: [rule(9, "a", coarse: .high)], coarse: [.second: coarse]))
    configuration.crowd = model
    return configuration
  }

  /// What the first windows show, with how many do.
  private func shown(_ postbacks: [SimulatedPostback]) -> [String: Int] {
    postbacks.filter { $0.window == .first }.reduce(into: [:]) { counts, postback in
      let source = postback.showsSource ? postback.sourceApp.map { "\($0.number)" } ?? "none" : "hidden"
      counts["tier \(postback.tier ?? -1), \(source), \(postback.country ?? "-")", default: 0] += 1
    }
  }

  @Test
  func `Privacy threshold groups are by app and country under AdAttributionKit, by app under SKAdNetwork 4`()
    throws
  {
    let cohort = cohort([(origin(7, "DE"), 200), (origin(7, "FR"), 150), (origin(8, "DE"), 9)])
    #expect(
      shown(simulate(try configuration(.aak), [cohort]).postbacks) == [
        "tier 3, 7, DE": 200, "tier 2, hidden, -": 150, "tier 0, hidden, -": 9,
      ])
    #expect(
      shown(simulate(try configuration(.skan4), [cohort]).postbacks) == [
        "tier 3, 7, -": 350, "tier 0, hidden, -": 9,
      ])
  }

  @Test func `Privacy threshold groups count users of unknown origin together, without a country`() throws {
    let cohort = cohort([(.unknown, 200), (origin(7, nil), 200), (origin(nil, "DE"), 200)])
    #expect(
      shown(simulate(try configuration(.aak), [cohort]).postbacks) == [
        "tier 3, none, -": 200, "tier 3, 7, -": 200, "tier 3, none, DE": 200,
      ])
    #expect(shown(simulate(try configuration(.skan4), [cohort]).postbacks)["tier 3, none, -"] == 400)
  }

  @Test func `Privacy threshold groups name source and country in window 1 only`() throws {
    let postbacks = simulate(try configuration(.aak), [cohort([(origin(7, "DE"), 200)])]).postbacks
    let later = postbacks.filter { $0.window != .first }
    #expect(later.count == 200)
    #expect(later.allSatisfy { !$0.showsSource && $0.sourceApp == nil && $0.country == nil })
  }

  @Test(arguments: Mapping.Device.allCases)
  func `Privacy threshold groups of one place equal groups without a place`(
    device: Mapping.Device
  ) throws {
    for model in [CrowdModel.tiers(.standard), .hard(HardThreshold(installsPerDay: 50)), .none] {
      let configuration = try configuration(device, model)
      let (known, unknown) = (cohort([(origin(7, "DE"), 120)]), cohort([(.unknown, 120)]))
      #expect(simulate(configuration, [known]).outcome == simulate(configuration, [unknown]).outcome)
    }
  }

  @Test func `Privacy threshold groups of campaigns ignore the origin of users in models without tiers`()
    throws
  {
    let mixed = cohort([(origin(7, "DE"), 30), (origin(8, "FR"), 30)])
    let postbacks = simulate(try configuration(.aak, .hard(HardThreshold(installsPerDay: 60))), [mixed])
    #expect(shown(postbacks.postbacks) == ["tier -1, 7, DE": 30, "tier -1, 8, FR": 30])
  }

  @Test func `Privacy threshold groups do not depend on the parts in which users arrive`() throws {
    let groups = [(origin(7, "DE"), 120), (origin(8, "FR"), 40), (origin(7, "FR"), 90), (.unknown, 12)]
    let configuration = try configuration(.aak)
    // The parts number their origins differently.
    var parts: [CohortBuilder] = [CohortBuilder(), CohortBuilder()]
    for (number, (origin, size)) in groups.enumerated().reversed() {
      for user in 0..<size {
        parts[(user * 7 + number) % 2].add(
          user: "\(number) \(user)", installed: epoch, campaign: "5239", origin: origin,
          events: [event("a", at: 5, cents: 100), event("a", at: 3 * day)])
      }
    }
    let whole = simulate(configuration, [cohort(groups)])
    let parted = simulate(configuration, parts.map { $0.cohort() })
    #expect(whole.outcome == parted.outcome)
    #expect(Set(whole.postbacks) == Set(parted.postbacks))
  }
}

extension FineValue {
  fileprivate static var highest: FineValue {
    guard let value = FineValue(63) else { preconditionFailure("63 is a value.") }
    return value
  }
}
