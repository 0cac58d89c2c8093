import Arguments
import EventFiles
import Mappings
import Simulation
import SimulationReports
import System
import Values

/// The users of a simulation, and what was read to have them.
struct SimulatedUsers {
  let cohorts: any CohortSource
  let population: SimulationReport.Population
}

extension SimulationPlan {
  /// Reads the events file, or takes the users of the scenario.
  func readUsers(_ call: Invocation) throws -> SimulatedUsers {
    guard let events else { return scenarioUsers }
    let population = try call.population(
      events, currency: currency, threads: call[SimulateCommand.Options.threads] ?? processorCount)
    if let country = population.unreadCountry,
      variants.contains(where: { $0.configuration.mapping.device == .aak })
    {
      throw CommandError(
        .data,
        "the country \(country) is neither an ISO 3166 code nor an English name, and --protocol aak needs countries",
        remedy: "write codes such as DE, or give the column another name with --columns")
    }
    // Reports are passed on, and a path would reveal details of this machine.
    let name = events == "-" ? "standard input" : fileName(events)
    if population.isOneCampaign {
      call.console.note("\(name): no row names a campaign, so all users count as one campaign")
    }
    return SimulatedUsers(
      cohorts: PopulationCohorts(population: population),
      population: SimulationReport.Population(
        source: name, rows: population.rows, users: population.users,
        skipped: population.skipped.entries.map {
          (code: $0.first.code, rows: $0.count, firstLine: $0.first.line)
        }, duplicates: population.duplicates))
  }

  private var scenarioUsers: SimulatedUsers {
    var builder = CohortBuilder()
    var count = 0
    for user in users {
      for number in 1...user.count {
        builder.add(
          user: user.count == 1 ? user.name : "\(user.name) \(number)", installed: user.installed,
          campaign: user.campaign, events: user.events)
      }
      count += user.count
    }
    return SimulatedUsers(
      cohorts: OneCohort(cohort: builder.cohort()),
      population: SimulationReport.Population(
        source: "the scenario", rows: users.reduce(0) { $0 + $1.count * $1.events.count }, users: count,
        skipped: [], duplicates: 0))
  }
}

private struct PopulationCohorts: CohortSource {
  let population: Population

  var names: CohortNames { population.names }
  var count: Int { population.cohortCount }

  func cohort(at index: Int) throws -> Cohort { try population.cohort(at: index) }
}

private struct OneCohort: CohortSource {
  let cohort: Cohort

  var names: CohortNames { cohort.names }
  var count: Int { 1 }

  func cohort(at index: Int) -> Cohort { cohort }
}
