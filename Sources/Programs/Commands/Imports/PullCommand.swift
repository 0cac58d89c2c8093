import Arguments
import Campaigns
import Intake
import Ledger
import Pulls
import System
import Tables
import Values

/// `skan pull`: reads sources over HTTP that pull documents describe.
enum PullCommand {
  enum Options {
    static let from = TypedOption<Day?>.value(
      "--from", "DAY", .day, "First day to read (UTC).", defaultNote: "what the document states")
    static let to = TypedOption<Day?>.value(
      "--to", "DAY", .day, "First day that is not read (UTC).", defaultNote: "today")
    static let print = TypedOption.flag("--print", "Print the rows and store nothing.")
  }

  static let entry = Entry(
    command: Command(
      "pull", "Import spend, totals, names or postbacks from a source on the network.",
      discussion: [
        "A pull document states the source's address, how to sign in, how its days and pages are asked for, and which column of "
          + "its rows is which. Secrets are never in it: it names environment variables and files. They are shown in no "
          + "message.",
        "Each run reads the last days again, because networks correct them: new rows replace stored ones. Days that were "
          + "missed are read too. An answer without rows, or with a renamed column, is an error and changes nothing.",
        "skan waits as long as the source asks for, and tries again after errors of the network and of the source. It "
          + "uses https only, except to this machine, and follows no redirect.",
        "Postbacks are verified and counted like all others, as forwarded by the pull.",
        "`skan serve` runs the pulls of its configuration file at set times.",
      ],
      examples: [
        .init("See what a source has", "skan pull unity.json --from 2026-11-01 --to 2026-11-02 --print"),
        .init("Import it", "skan pull -d skan.db unity.json"),
      ],
      positionals: [Positional("FILE", .path, "Pull document.", isRepeatable: true)],
      options: [
        .database(isRequired: false), .journal, .trustTestKeys, Options.from.option, Options.to.option,
        Options.print.option, .format(),
      ]), run: run)

  private static func run(_ call: Invocation) throws -> ExitCode {
    let pulls = try call.settings.positionals.map { path in
      let bytes = try FileReader.contents(of: path, limit: 1 << 20)
      let pull = try Pull(bytes, named: path)
      return (pull, try PullSecrets(of: pull, beside: path, environment: call.console.environment))
    }
    if let from = call[Options.from], let to = call[Options.to], from >= to {
      throw call.mistake("The value of '--to' is not after that of '--from'.")
    }
    let today = call.world.clock().day
    if let to = call[Options.to], to > today {
      throw call.mistake("The value of '--to' is after today, \(today).")
    }
    if call[Options.print] {
      for (pull, secrets) in pulls { try print(pull, secrets, call) }
      return .done
    }
    guard let database = call.databaseIfAny else {
      throw call.mistake("The option '--database' is missing.", hint: "Use '--print' to store nothing.")
    }
    var outcomes: [PullOutcome] = []
    var failures: [CommandError] = []
    for (pull, secrets) in pulls {
      do {
        guard let outcome = try store(pull, secrets, database, call) else { continue }
        outcomes.append(outcome)
        for warning in outcome.warnings.prefix(Unmatched.mostForPeople) {
          call.console.note("warning: \(warning)")
        }
      } catch {
        failures.append(CommandError(error))
      }
    }
    if !outcomes.isEmpty { call.print(PullOutcome.columns, outcomes) }
    // The last one is the command's own.
    for failure in failures.dropLast() { call.console.problem(failure.message, remedy: failure.remedy) }
    if let failure = failures.last { throw failure }
    return outcomes.contains { $0.isAllRejected } ? .failedCheck : .done
  }

  private static func print(_ pull: Pull, _ secrets: PullSecrets, _ call: Invocation) throws {
    guard let days = days(of: pull, upTo: nil, call) else { return noteNoDays(of: pull, call) }
    try PulledRows(pull, of: days, secrets, context(call), now: call.world.clock()).print(in: call.format) {
      call.console.write($0)
    }
  }

  private static func store(
    _ pull: Pull, _ secrets: PullSecrets, _ database: String, _ call: Invocation
  ) throws -> PullOutcome? {
    let changes = try call.changes(of: database)
    let state = try PullState(of: pull.name, in: try LedgerReader(path: database))
    guard let days = days(of: pull, upTo: state.upTo, call) else {
      noteNoDays(of: pull, call)
      return nil
    }
    return try pull.run(days, secrets, after: state, in: changes, context(call), clock: call.world.clock) {
      var settings = LedgerSettings()
      settings.journal = try call.commandJournal()
      return PullIntake(keyring: try call.keyring(), settings: settings)
    }
  }

  private static func days(of pull: Pull, upTo: Day?, _ call: Invocation) -> Range<Day>? {
    let usual = pull.days.usual(at: call.world.clock(), pulledUpTo: upTo)
    let end = call[Options.to] ?? usual?.upperBound ?? call.world.clock().day
    let start = call[Options.from] ?? usual?.lowerBound ?? end
    return start < end ? start..<end : nil
  }

  private static func noteNoDays(of pull: Pull, _ call: Invocation) {
    call.console.note("\(pull.name): there is no day to read")
  }

  private static func context(_ call: Invocation) -> PullContext {
    PullContext { milliseconds in
      // No wait of a pull is longer than an hour.
      rest(microseconds: UInt32(clamping: milliseconds * 1000))
      return true
    } note: { [console = call.console] in
      console.note($0)
    } goesOn: {
      true
    } elapsed: {
      PullContext.machineClock()
    }
  }
}
