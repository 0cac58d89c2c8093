import Configuration
import Ledger
import Pulls
import Service
import System
import Values

/// Runs the pulls of the configuration file when they are due, each on a thread of its own, so that a slow source delays no
/// other one.
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
  /// The runs that are under way, by the paths of their documents.
  private let runs = Guarded<[String: Run]>([:])
  private let periodic: Periodic

  /// A run that is under way.
  private final class Run: Sendable {
    let pull: String
    /// Whether it is asked to end, because its pull was withdrawn.
    let isWithdrawn = Guarded(false)

    init(of pull: String) { self.pull = pull }
  }

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

  /// Runs that are under way end within a second, and store nothing; those that store already go on to their end.
  func stop() {
    periodic.askToStop()
    periodic.stop(withinSeconds: 2)
    waitForRuns(withinSeconds: 2)
  }

  /// Waits until no run is under way.
  func waitForRuns(withinSeconds seconds: Double) {
    _ = runs.wait(atMostMicroseconds: UInt64(seconds * 1e6)) { $0.isEmpty ? true : nil }
  }

  /// Reads the pulls of the configuration file again; where it is wrong, the old ones stay.
  ///
  /// Runs of pulls that are no longer in it end.
  func reload() {
    guard let path else { return }
    context.log.noteRereading(of: "pulls", from: path) { file in
      pulls.withLock { $0 = file.pulls }
      let files = Set(file.pulls.map(\.file))
      for (file, run) in runs.withLock({ $0 }) where !files.contains(file) {
        run.isWithdrawn.withLock { $0 = true }
      }
      return [("pulls", .integer(Int64(file.pulls.count)))]
    }
  }

  /// Begins what is due.
  func look() {
    var figures: [String: PullState] = [:]
    for scheduled in pulls.withLock({ $0 }) where !periodic.isStopping {
      do {
        let pull = try read(scheduled)
        let state = try PullState(of: pull.name, in: LedgerReader(path: context.database))
        figures[pull.name] = state
        if scheduled.isDue(at: context.clock(), after: state) { try begin(pull, scheduled, state) }
      } catch {
        note(scheduled, CommandError(error))
      }
    }
    context.figures.update { [figures] in $0.pulls = figures }
  }

  private func begin(_ pull: Pull, _ scheduled: ScheduledPull, _ state: PullState) throws {
    let run = Run(of: pull.name)
    let isAlone = runs.withLock { runs in
      // Two documents of one name have one state.
      guard runs[scheduled.file] == nil, !runs.values.contains(where: { $0.pull == run.pull }) else {
        return false
      }
      runs[scheduled.file] = run
      return true
    }
    guard isAlone else { return }
    do throws(ThreadError) {
      _ = try Worker(.background) { [self] in
        self.run(pull, scheduled, state, run)
        show(pull)
        runs.withLock { $0[scheduled.file] = nil }
        runs.wakeAll()
      }
    } catch {
      runs.withLock { $0[scheduled.file] = nil }
      throw error
    }
  }

  /// Shows what became of a run.
  private func show(_ pull: Pull) {
    guard let reader = try? LedgerReader(path: context.database),
      let state = try? PullState(of: pull.name, in: reader)
    else { return }
    context.figures.update { $0.pulls[pull.name] = state }
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

  private func run(_ pull: Pull, _ scheduled: ScheduledPull, _ state: PullState, _ run: Run) {
    guard let days = pull.days.usual(at: context.clock(), pulledUpTo: state.upTo) else { return }
    let name = ("pull", ServiceLog.Value.string(pull.name))
    // What a run used goes back to the system.
    defer { releaseFreeMemory() }
    do {
      let outcome = try pull.run(
        days, try PullSecrets(of: pull, beside: scheduled.file, environment: environment), after: state,
        in: context.changes, pullContext(name, run), clock: context.clock,
        intake: intake)
      context.log.write(.info, "pulled", [name, ("outcome", .string(outcome?.sentence ?? ""))])
      for warning in (outcome?.warnings ?? []).prefix(5) {
        context.log.write(.warning, "pull-warning", [name, ("note", .string(warning))])
      }
    } catch let error as PullError where error.code == .stopped {
      // The next start runs it, unless it was withdrawn.
    } catch {
      let error = CommandError(error)
      context.log.write(
        .error, "pull-failed",
        [name, ("reason", .string(error.message)), ("remedy", .string(error.remedy ?? ""))])
    }
  }

  private func pullContext(_ name: (String, ServiceLog.Value), _ run: Run) -> PullContext {
    let goesOn: @Sendable () -> Bool = { [periodic] in
      !periodic.isStopping && !run.isWithdrawn.withLock { $0 }
    }
    var found = PullContext { milliseconds in
      let end = ContinuousClock.now + .milliseconds(milliseconds)
      while ContinuousClock.now < end, goesOn() { rest(microseconds: 200_000) }
      return goesOn()
    } note: { [log = context.log] note in
      log.write(.info, "pull-waits", [name, ("note", .string(note))])
    } goesOn: {
      goesOn()
    } elapsed: {
      PullContext.machineClock()
    }
    found.makeFetch = context.channels.pull
    return found
  }
}
