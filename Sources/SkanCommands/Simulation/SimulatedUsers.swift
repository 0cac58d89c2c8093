import Arguments
import ConversionMapping
import Ingestion
import Platform
import Simulation
import SimulationReports

/// The users of a simulation, and what was read to have them.
struct SimulatedUsers {
  /// The users, in parts.
  let cohorts: any CohortSource
  /// What was read.
  let population: SimulationReport.Population
}

/// An events file that is read as the options of a command say.
struct EventsPopulation {
  /// The file's path; `-` is standard input.
  let path: String
  /// The currency of amounts that name none.
  let currency: CurrencyCode

  /// Reads the file.
  func read(_ call: Invocation) throws -> SimulatedUsers {
    let settings = call.settings
    var reader = PopulationReader(currency: currency)
    if let text = settings.text("--columns") {
      do throws(EventColumns.Defect) { reader.columns = try EventColumns(text) } catch {
        throw call.mistake("The value of '--columns' can't be used: \(error.sentence).")
      }
    }
    reader.mistakes = settings.text("--on-error").flatMap { .init(rawValue: $0) } ?? .stop
    reader.duplicates = settings.text("--duplicates").flatMap { .init(rawValue: $0) } ?? .keep
    reader.budget = (settings.integer("--memory") ?? 256) << 20
    let input = try InputFile(path, on: call.console)
    var progress = Progress("events", unit: "bytes", total: input.size, on: call.console)
    let name = path == "-" ? "standard input" : path
    let population: Population
    do {
      population = try reader.read {
        progress.advance(to: input.position)
        return try input.next()
      }
    } catch let error as EventFileError {
      throw Obstacle(
        .data, "\(name):\(error.line): \(error.sentence) [\(error.code)]",
        remedy: "--on-error skip leaves such rows out and counts them")
    }
    progress.finish()
    guard population.users > 0 else { throw Obstacle(.data, "there is no event in '\(name)'") }
    for entry in population.skipped.entries {
      call.console.note(
        "\(counted(entry.count, "row")) skipped, first \(name):\(entry.first.line): \(entry.first.sentence) "
          + "[\(entry.first.code)]")
    }
    if !population.passedOver.isEmpty {
      call.console.note(
        "columns passed over: \(population.passedOver.map(printable).joined(separator: ", "))")
    }
    return SimulatedUsers(
      cohorts: PopulationCohorts(population: population),
      population: SimulationReport.Population(
        source: name, rows: population.rows, users: population.users,
        skipped: population.skipped.entries.map {
          (code: $0.first.code, rows: $0.count, firstLine: $0.first.line)
        }, duplicates: population.duplicates))
  }
}

extension SimulationPlan {
  /// Reads the events file, or takes the users of the scenario.
  func readUsers(_ call: Invocation) throws -> SimulatedUsers {
    guard let events else { return scenarioUsers }
    return try EventsPopulation(path: events, currency: currency).read(call)
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

/// The cohorts of an events file.
private struct PopulationCohorts: CohortSource {
  let population: Population

  var count: Int { population.cohortCount }

  func cohort(at index: Int) throws(Obstacle) -> Cohort {
    do throws(FileError) { return try population.cohort(at: index) } catch { throw Obstacle(error) }
  }
}

/// Users that are all there already.
private struct OneCohort: CohortSource {
  let cohort: Cohort

  var count: Int { 1 }

  func cohort(at index: Int) throws(Obstacle) -> Cohort { cohort }
}
