import Configuration
import Ledger
import Pulls
import Service
import System
import Values

/// Runs the pulls of the configuration file when they are due, one after the other, on a thread of its own.
///
/// The database keeps when each was done, so that a restart repeats none and another node goes on.
final class PullWatch: Watch {
  private let path: String?
  private let pulls: Guarded<[ScheduledPull]>
  private let environment: [String: String]
  /// Makes what postbacks need: the settings of a writer beside the daemon's own among them.
  private let intake: @Sendable () throws -> PullIntake
  private let context: DaemonContext
  /// What is wrong with a document, by its path, so that it is logged once and not at every look.
  private let problems = Guarded<[String: String]>([:])
  private let periodic: Periodic

  init(
    _ configuration: ConfigurationFile, environment: [String: String], _ context: DaemonContext,
    everySeconds seconds: Int = 30, intake: @escaping @Sendable () throws -> PullIntake
  ) {
    path = configuration.path
    pulls = Guarded(configuration.pulls)
    (self.environment, self.intake, self.context) = (environment, intake, context)
    periodic = Periodic(everyMicroseconds: UInt64(seconds) * 1_000_000, .background)
  }

  func start() throws(ThreadError) { try periodic.start { [self] in look() } }

  /// A pull that is under way ends at its next request, and stores nothing.
  func stop() { periodic.stop(withinSeconds: 2) }

  /// Reads the pulls of the configuration file again; where it is wrong, the old ones stay.
  func reload() {
    guard let path else { return }
    context.log.noteRereading(of: "pulls", from: path) { file in
      pulls.withLock { $0 = file.pulls }
      return [("pulls", .integer(Int64(file.pulls.count)))]
    }
  }

  /// Runs what is due.
  func look() {
    var figures: [String: PullState] = [:]
    for scheduled in pulls.withLock({ $0 }) where !periodic.isStopping {
      do {
        let pull = try read(scheduled)
        let reader = try LedgerReader(path: context.database)
        let state = try PullState(of: pull.name, in: reader)
        if scheduled.isDue(at: context.clock(), after: state) { run(pull, scheduled, state) }
        figures[pull.name] = try PullState(of: pull.name, in: LedgerReader(path: context.database))
      } catch {
        note(scheduled, CommandError(error))
      }
    }
    context.figures.update { [figures] in $0.pulls = figures }
  }

  private func read(_ scheduled: ScheduledPull) throws -> Pull {
    let bytes = try FileReader.contents(of: scheduled.file, limit: 1 << 20)
    let pull = try Pull(bytes, named: scheduled.file)
    problems.withLock { $0[scheduled.file] = nil }
    return pull
  }

  /// Logs what keeps a pull from being run at all.
  private func note(_ scheduled: ScheduledPull, _ error: CommandError) {
    let isNew = problems.withLock { problems in
      defer { problems[scheduled.file] = error.message }
      return problems[scheduled.file] != error.message
    }
    guard isNew else { return }
    context.log.write(
      .error, "pull-not-read", [("file", .string(scheduled.file)), ("reason", .string(error.message))])
  }

  private func run(_ pull: Pull, _ scheduled: ScheduledPull, _ state: PullState) {
    guard let days = pull.days.usual(at: context.clock(), pulledUpTo: state.upTo) else { return }
    let name = ("pull", ServiceLog.Value.string(pull.name))
    // An answer takes much more memory than the daemon.
    defer { releaseFreeMemory() }
    do {
      let outcome = try pull.run(
        days, try PullSecrets(of: pull, beside: scheduled.file, environment: environment), after: state,
        in: context.changes, pullContext(name), clock: context.clock,
        intake: intake)
      context.log.write(.info, "pulled", [name, ("outcome", .string(outcome?.sentence ?? ""))])
      for warning in (outcome?.warnings ?? []).prefix(5) {
        context.log.write(.warning, "pull-warning", [name, ("note", .string(warning))])
      }
    } catch let error as PullError where error.code == .stopped {
      // The next start runs it.
    } catch {
      let error = CommandError(error)
      context.log.write(
        .error, "pull-failed",
        [name, ("reason", .string(error.message)), ("remedy", .string(error.remedy ?? ""))])
    }
  }

  private func pullContext(_ name: (String, ServiceLog.Value)) -> PullContext {
    PullContext { [periodic] milliseconds in
      let end = ContinuousClock.now + .milliseconds(milliseconds)
      while ContinuousClock.now < end {
        if periodic.isStopping { return false }
        rest(microseconds: 200_000)
      }
      return !periodic.isStopping
    } note: { [log = context.log] note in
      log.write(.info, "pull-waits", [name, ("note", .string(note))])
    }
  }
}
