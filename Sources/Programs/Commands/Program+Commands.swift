import Arguments
import Reports
import System
package import Values

/// All commands in groups, in the order of the help; those that start the daemon are made above this module.
package func entryGroups(demo: Entry, serve: Entry) -> [EntryGroup] {
  let listed = listings.map { Entry($0) }
  return [
    EntryGroup(
      "begin", "Try skan, and set it up.",
      [demo, StatusCommand.entry, InboxWatchCommand.entry, PlistCheckCommand.entry, ConfigShowCommand.entry]),
    EntryGroup(
      "receive", "Receive, verify, store, explain and sign postbacks.",
      [serve, IngestCommand.entry, VerifyCommand.entry, ExplainCommand.entry, SignCommand.entry]
        + NetworkCommand.entries),
    EntryGroup(
      "mappings", "Begin, check, test, decode, convert, load and publish mappings.",
      [
        MappingNewCommand.entry, MappingFromTableCommand.entry, MappingCheckCommand.entry,
        MappingShowCommand.entry, MappingTryCommand.entry, MappingDecodeCommand.entry,
        MappingDiffCommand.entry, MappingConvertCommand.entry, MappingLoadCommand.entry,
      ] + listed.filter { $0.prefix == "mapping" } + [
        MappingDraftsCommand.entry, MappingPublishCommand.entry, MappingHistoryCommand.entry,
        MappingHandoverCommand.entry,
      ]),
    EntryGroup(
      "design", "Simulate what reports will show, and design a mapping.",
      [SimulateCommand.entry, MappingDesignCommand.entry]),
    EntryGroup(
      "reports", "Print reports, and the digest of a week.",
      [.alerts] + reports.map { Entry($0) } + [DigestCommand.entry]),
    EntryGroup(
      "data",
      "Import, list and remove your own data: spend, names, rates, totals, installs, proceeds, users.",
      EntryGroup.byPrefix(
        [
          ReferenceImportCommand.spend, ReferenceImportCommand.names, NamesProposeCommand.entry,
          ReferenceImportCommand.rates, ReferenceImportCommand.totals, ReferenceImportCommand.installs,
          ReferenceImportCommand.proceeds, UsersImportCommand.entry, UsersBacktestCommand.entry,
        ] + listed.filter { !["mapping", "relay"].contains($0.prefix) } + ImportedRowsRemoveCommand.entries)
        + [MoneyCommand.entry, PullCommand.entry] + ImportProfileCommand.entries),
    EntryGroup(
      "experiments", "Plan and evaluate experiments.",
      [ExperimentPlanCommand.entry] + commandReports.map { Entry($0) }),
    EntryGroup(
      "operate", "Check, secure, copy and repair what runs.",
      [
        DoctorCommand.entry, TokenCommand.create, TokenCommand.list, TokenCommand.revoke,
        UpkeepCommand.backup,
        UpkeepCommand.prune, RebuildCommand.entry,
      ] + JournalCommand.entries),
    EntryGroup(
      "extend", "Pass data on, to warehouses, partners, assistants and shells.",
      [ExportCommand.entry, AssistantCommand.entry] + listed.filter { $0.prefix == "relay" }
        + [RelayCommand.retry, CompletionsCommand.entry, ManualCommand.entry]),
  ]
}

extension Program {
  /// The command line that has these commands.
  static func skan(_ groups: [EntryGroup]) -> Program {
    let words = Set(groups.flatMap(\.entries).map(\.prefix))
    return Program(
      name: "skan", summary: "Receive, verify, store and count postbacks of Apple's ad attribution.",
      examples: [
        .init("Check the signatures of postbacks", "skan verify postbacks.ndjson"),
        .init("Receive postbacks", "skan serve --database skan.db --listen 127.0.0.1:8080"),
        .init("Print the campaign report", "skan report campaigns --database skan.db"),
      ],
      groups: groups.map { CommandGroup($0.name, $0.summary, $0.entries.map(\.command)) },
      prefixes: prefixSummaries.filter { words.contains($0.key) },
      commonOptions: CommonOptions.all,
      exitCodes: ExitCode.allCases.map { (Int($0.rawValue), $0.meaning) },
      fileFormats: FileFormatPage.all.map(\.name))
  }
}

/// The first words of commands that have two.
private let prefixSummaries = [
  "report": "Print reports.",
  "mapping": "Begin, check, test, decode, convert, design and publish conversion-value mappings.",
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
package func run(_ words: [String], among groups: [EntryGroup], in world: CommandContext) -> ExitCode {
  let program = Program.skan(groups)
  let columns = min(world.console.columns, 100)
  let code: ExitCode
  do {
    switch try program.read(words) {
    case .help(let path):
      world.console.write(program.help(on: path, columns: columns))
      code = .done
    case .group(let group):
      world.console.write(program.help(on: group, columns: columns))
      code = .done
    case .environment:
      world.console.write(program.environmentHelp(columns: columns))
      code = .done
    case .version:
      world.console.line("\(program.name) \(skanVersion)")
      code = .done
    case .run(let command, let given):
      let entries = groups.lazy.flatMap(\.entries)
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
