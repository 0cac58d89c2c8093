import Mappings
import Postbacks
import Simulation
import Values

/// Campaigns of users that a mapping was not made of, with which mappings are tried.
struct Trial {
  /// The days that a campaign's installs are spread over; groups are counted by the day.
  private static let days: UInt64 = 7
  /// The first of them, 1970-01-05, so that they are one week.
  private static let monday: Int64 = 4
  /// How many shown values it takes until nulls are filled in as much by the campaign's own as by all campaigns'.
  static let trust = 50.0

  private let request: DesignRequest
  private let users: DesignUsers
  private let groups: [(size: Int, campaigns: [[Int32]])]
  private let held: [Int]

  /// Draws the campaigns; the same for every mapping that is tried.
  init(_ request: DesignRequest, _ users: DesignUsers, _ held: [Int], campaigns: Int) {
    self.request = request
    self.users = users
    self.held = held
    var random = SplitMix64(seed: request.seed ^ 0x7472_6961)
    let pseudo = PseudoCampaigns(worths: held.map { users.users[$0].worth })
    groups = request.sizes.map { ($0, pseudo.draw(campaigns, of: $0, &random)) }
  }

  /// Simulates the campaigns under a mapping, size by size; without sizes in which no user has revenue.
  func scores(_ mapping: Mapping, _ design: CodeDesign, _ coarse: CoarseDesign?) -> [DesignScore] {
    var configuration = SimulationConfiguration(mapping)
    configuration.crowd = request.crowd
    configuration.seed = request.seed
    configuration.horizonDays = request.target.days
    let simulator = Simulator(configuration)
    let fine = design.codes.map(\.mean)
    let coarse = coarse?.windows[.first]?.map(\.code.mean) ?? []
    return groups.compactMap { group in
      score(simulator, group.size, group.campaigns, fine, coarse)
    }
  }

  private func truth(_ campaign: [Int32]) -> Double {
    campaign.reduce(0) { $0 + users.users[held[Int($1)]].worth }
  }

  private func score(
    _ simulator: Simulator, _ size: Int, _ campaigns: [[Int32]], _ fine: [Double], _ coarse: [Double]
  ) -> DesignScore? {
    let cohort = cohort(campaigns, size)
    let outcome = simulator.run(cohort, crowd: simulator.crowd(from: simulator.crowd(of: cohort)))
    let results = campaigns.indices.map { outcome.campaigns[Self.name($0)]?[.first] ?? WindowOutcome() }
    let shown = results.map { worth($0.visibleFine, fine) + worth($0.visibleCoarse, coarse) }
    let values = results.reduce(0) { $0 + $1.values }
    let common = shown.reduce(0, +) / Double(max(1, values))
    let truths = campaigns.map { truth($0) }
    let estimates = zip(results, shown).map { result, sum in
      let mean = (sum + Self.trust * common) / (Double(result.values) + Self.trust)
      return sum + Double(result.nulls) * mean
    }
    guard let error = CampaignError(Array(zip(estimates, truths)).map { ($0, $1) }),
      let errorWhenShown = CampaignError(
        zip(results, truths).map { (worth($0.trueFine, fine), $1) })
    else { return nil }
    let total = outcome.total[.first]
    return DesignScore(
      installs: size, campaigns: campaigns.count, errorWhenShown: errorWhenShown, error: error,
      nullShare: total.nullShare ?? 0, medianDelay: total.delays.percentile(0.5) ?? 0,
      longDelay: total.delays.percentile(0.95) ?? 0, valuesShown: total.valuesUsed)
  }

  private func worth(_ counts: [Int], _ means: [Double]) -> Double {
    zip(counts, means).reduce(0) { $0 + Double($1.0) * $1.1 }
  }

  private static func name(_ campaign: Int) -> String { "\(campaign)" }

  /// Lets the campaigns' users install anew, each as a user of its own, within a week.
  private func cohort(_ campaigns: [[Int32]], _ size: Int) -> Cohort {
    let names = users.names(campaigns: campaigns.indices.map(Self.name))
    var random = SplitMix64(seed: request.seed ^ UInt64(size))
    var copies: [CohortUser] = []
    for (number, campaign) in campaigns.enumerated() {
      for place in campaign {
        let user = users.users[held[Int(place)]]
        let bits = random.next()
        let day = Self.monday + Int64(bits % Self.days)
        let second = user.installed.seconds - user.installed.day.start.seconds
        copies.append(
          CohortUser(
            key: bits, installed: Instant(seconds: day * Day.seconds + second), campaign: Int32(number),
            events: user.events))
      }
    }
    guard let cohort = Cohort(names: names, events: users.events, users: copies) else {
      preconditionFailure("Every index was made here.")
    }
    return cohort
  }
}
