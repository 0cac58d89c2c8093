import Mappings
@testable import Simulation
import Testing
import Values

struct `A sample of an app's users` {
  /// Campaigns of 8 to about 180 installs a day for four weeks; of each user's draw it depends who is in the sample.
  private func world(_ share: Double) -> Cohort {
    var random = SplitMix64(seed: 7)
    var builder = CohortBuilder()
    for campaign in 0..<24 {
      for day in 0..<28 {
        let size = Double(8 + 7 * campaign) * (0.7 + 0.6 * random.fraction())
        for user in 0..<Int(size) {
          let isDrawn = random.fraction() < share
          let value = random.fraction() < 0.4 ? [event("buy", at: hour, cents: 100)] : []
          guard isDrawn else { continue }
          builder.add(
            user: "\(campaign) \(day) \(user)",
            installed: epoch + Int64(day) * 86_400_000 + Int64(user) * 1000,
            campaign: "\(1000 + campaign)", events: value)
        }
      }
    }
    return builder.cohort()
  }

  private func withheld(_ cohort: Cohort, _ model: CrowdModel, share: Double) throws -> Double {
    let rules = try [rule(0, "buy", count: 0), rule(1, "buy")]
    var configuration = SimulationConfiguration(try mapping(.skan4, fine: rules))
    configuration.crowd = model
    configuration.share = share
    configuration.seed = 3
    return try #require(simulate(configuration, [cohort]).outcome.total[.first].nullShare)
  }

  /// A sample that is taken for all users has much smaller groups, and a model withholds much more of it.
  @Test(arguments: ["default", "strict", "practitioner", "hard:30", "tiers", "value:5"])
  func `A third of the users has nearly the withheld share of the whole, where it counts as a third`(
    name: String
  )
    throws
  {
    let model = try CrowdModel(name)
    let whole = try withheld(world(1), model, share: 1)
    let third = world(1.0 / 3)
    let scaled = try withheld(third, model, share: 1.0 / 3)
    #expect(abs(scaled - whole) < 0.03, "\(scaled) beside \(whole)")
    if name != "value:5" {
      let taken = try withheld(third, model, share: 1)
      #expect(taken > whole + 0.15, "\(taken) beside \(whole)")
    }
  }

  @Test func `A lone user is no group, whatever the share of the sample is`() throws {
    let cohort = one([event("buy", at: hour)])
    #expect(try withheld(cohort, CrowdModel("hard:2"), share: 0.001) == 1)
  }
}
