import Arguments
import Reports
import System
package import Values

/// All commands, in the order of the help; those that start the daemon are made above this module.
package func allEntries(demo: Entry, serve: Entry) -> [Entry] {
  [
    demo, VerifyCommand.entry, IngestCommand.entry, serve, .alerts,
  ] + reports.map { Entry($0) } + [
    DigestCommand.entry, ExportCommand.entry,
    ReferenceImportCommand.spend, ReferenceImportCommand.names,
    NamesProposeCommand.entry, ReferenceImportCommand.rates,
    ReferenceImportCommand.totals, ReferenceImportCommand.installs, ReferenceImportCommand.proceeds,
    PullCommand.entry, UsersImportCommand.entry,
    UsersBacktestCommand.entry,
    ExplainCommand.entry, AssistantCommand.entry, MappingCheckCommand.entry, MappingShowCommand.entry,
    MappingTryCommand.entry,
    MappingDecodeCommand.entry, MappingDiffCommand.entry, MappingConvertCommand.entry,
    MappingDesignCommand.entry, MappingLoadCommand.entry, MappingDraftsCommand.entry,
    MappingPublishCommand.entry, MappingHistoryCommand.entry, MappingHandoverCommand.entry,
  ] + ImportProfileCommand.entries + (listings + commandReports).map { Entry($0) }
    + ImportedRowsRemoveCommand.entries + [
      ExperimentPlanCommand.entry, SimulateCommand.entry,
      SignCommand.entry,
    ] + NetworkCommand.entries + [
      TokenCommand.create, TokenCommand.list, TokenCommand.revoke, InboxWatchCommand.entry,
      UpkeepCommand.backup, UpkeepCommand.prune,
    ] + JournalCommand.entries + [
      RebuildCommand.entry, RelayCommand.retry, DoctorCommand.entry, PlistCheckCommand.entry,
      StatusCommand.entry,
      ConfigShowCommand.entry,
      CompletionsCommand.entry, ManualCommand.entry,
    ]
}

extension Program {
  /// The command line that has these commands.
  static func skan(_ commands: [Command]) -> Program {
    let words = Set(commands.map { $0.path[0] })
    return Program(
      name: "skan", summary: "Receive, verify, store and count postbacks of Apple's ad attribution.",
      examples: [
        .init("Check the signatures of postbacks", "skan verify postbacks.ndjson"),
        .init("Receive postbacks", "skan serve --database skan.db --listen 127.0.0.1:8080"),
        .init("Print the campaign report", "skan report campaigns --database skan.db"),
      ],
      groups: groupSummaries.filter { words.contains($0.key) },
      commands: commands,
      commonOptions: CommonOptions.all,
      exitCodes: ExitCode.allCases.map { (Int($0.rawValue), $0.meaning) },
      fileFormats: FileFormatPage.all.map(\.name))
  }
}

/// The first words of commands that have two.
private let groupSummaries = [
  "report": "Print reports.",
  "mapping": "Check, test, decode, convert, design and publish conversion-value mappings.",
  "experiment": "Plan and evaluate experiments with two campaigns.",
  "profile": "List and print profiles of other systems' files and record streams.",
  "spend": "Import, list and remove ad spend.", "names": "Import, list, propose and remove campaign names.",
  "rates": "Import, list and remove exchange rates.",
  "totals": "Import, list and remove ad networks' own totals.",
  "installs": "Import, list and remove installs that you counted yourself.",
  "proceeds": "Import, list and remove proceeds of your own books.",
  "users": "Import, list, remove and back-test measured revenue of first-party users.",
  "journal": "Set up, show, trim and leave the record that several machines follow.",
  "network": "List and try the forms of networks, and print the page for one.",
  "token": "Manage access tokens.",
  "inbox": "Show arrivals at test inboxes.",
  "plist": "Check the Info.plist of an app.",
  "relay": "Show and retry relays, which pass postbacks on.",
  "config": "Show the configuration.",
]

/// Runs the words of a command line that has these commands.
package func run(_ words: [String], among entries: [Entry], in world: CommandContext) -> ExitCode {
  let program = Program.skan(entries.map(\.command))
  let code: ExitCode
  do {
    switch try program.read(words) {
    case .help(let path):
      world.console.write(program.help(on: path, columns: min(world.console.columns, 100)))
      code = .done
    case .version:
      world.console.line("\(program.name) \(skanVersion)")
      code = .done
    case .run(let command, let given):
      guard let entry = entries.first(where: { $0.command.path == command.path }) else {
        preconditionFailure("every command of the program has an entry")
      }
      code = try entry.run(given, command, of: program, in: world)
    }
  } catch {
    let obstacle = CommandError(error)
    // What came before the obstacle comes out before its message.
    world.console.output.flush()
    world.console.problem(obstacle.message, remedy: obstacle.remedy)
    _ = world.console.finish()
    return obstacle.exitCode
  }
  return world.console.finish() ?? code
}
