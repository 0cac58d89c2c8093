import Mappings
import Simulation
import EventFiles
import Values

/// One simulation of one mapping on users that are in memory.
struct TrialRun {
  /// What is tried; two that are equal have the same outcome.
  struct Subject: Hashable {
    let sample: UserSample.Identity
    let mapping: Mapping
    let currency: CurrencyCode
    let settings: TrialSettings
  }

  /// Simulates.
  ///
  /// - Parameters:
  ///   - isStale: Looked at after each part of the users; `true` ends the work.
  /// - Returns: What came of it; `nil` when the work was ended.
  static func outcome(
    of subject: Subject, on cohorts: [Cohort], isStale: () -> Bool
  ) -> SimulationOutcome? {
    var configuration = SimulationConfiguration(subject.mapping)
    configuration.crowd = subject.settings.threshold
    configuration.seed = subject.settings.seed
    configuration.horizonDays = subject.settings.horizonDays
    configuration.currency = subject.currency
    let simulator = Simulator(configuration)
    var counts = CrowdCounts()
    for cohort in cohorts {
      if isStale() { return nil }
      counts.merge(simulator.crowd(of: cohort))
    }
    let crowd = simulator.crowd(from: counts)
    var outcome = SimulationOutcome(currency: subject.currency)
    for cohort in cohorts {
      if isStale() { return nil }
      outcome.merge(simulator.run(cohort, crowd: crowd))
    }
    return outcome
  }
}
