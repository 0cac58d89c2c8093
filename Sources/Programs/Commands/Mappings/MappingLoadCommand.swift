import Arguments
import Ledger
import MappingFormats
import MappingLibrary
import Mappings
import Postbacks
import System
import Tables
import Values

/// `skan mapping load`: takes mapping files into a database, to decode its postbacks by.
enum MappingLoadCommand {
  static let entry = Entry(
    command: Command(
      "mapping load",
      "Load mapping files into a database.",
      discussion: [
        "From the next report on, a mapping applies to all postbacks of its app, past and future. The "
          + "versions of an app's mapping differ in effective-from: skan decodes each postback with the "
          + "version in effect at the install, as far as Apple's timers determine its time.",
        "A folder is the complete set of mappings: skan removes mappings whose files are no longer in "
          + "it. Single files are added, and replace the mapping with the same app and effective-from. skan "
          + "rejects a file with errors and keeps the last valid version of that file. It also rejects a "
          + "file in a folder whose app and effective-from another loaded file has; if several new files "
          + "conflict, it rejects all of them. `skan serve --mappings DIR` does the same whenever a file in "
          + "the folder changes.",
      ],
      examples: [
        .init("Load all mappings of a folder", "skan mapping load -d skan.db mappings/"),
        .init("Load one more version", "skan mapping load -d skan.db december.json"),
      ],
      positionals: [
        Positional("FILE", .path, "Mapping file, or the folder of all mapping files.", isRepeatable: true)
      ], options: [.database(), .journal, .format()]), run: run)

  private static func run(_ call: Invocation) throws -> ExitCode {
    let paths = call.settings.positionals
    let folder = paths.count == 1 ? try? Folder(paths[0]) : nil
    let files: [(path: String, source: String)] =
      if let folder {
        try folder.files(endingWith: ".json").map { ("\(folder.path)/\($0.name)", $0.name) }
      } else {
        paths.map { ($0, $0.split(separator: "/").last.map(String.init) ?? $0) }
      }
    var names: Set<String> = []
    if let twice = files.first(where: { !names.insert($0.source).inserted }) {
      throw call.mistake(
        "Two of the files are named '\(twice.source)'; the name identifies the mapping. Rename one.")
    }
    if let folder = paths.first(where: { folder == nil && (try? Folder($0)) != nil }) {
      throw call.mistake("'\(folder)' is a folder. Give one folder, or only files.")
    }
    let database = try call.database
    let entries = try naming("cannot store in '\(database)'") {
      try MappingLoad.load(
        files.map { MappingLoad.File(path: $0.path, source: $0.source) },
        into: MappingStore(call.changes(of: database)),
        isWhole: folder != nil, now: call.world.clock())
    }
    for entry in entries {
      for finding in entry.findings {
        let path = files.first { $0.source == entry.source }?.path ?? entry.source
        let row = FindingRow(file: path, finding: finding)
        call.console.errors.write(Array(row.text(call.console, on: call.console.errors).utf8))
      }
    }
    if entries.isEmpty { call.console.note("found no mapping file (*.json) in '\(paths[0])'") }
    call.print(columns, entries)
    let isUnreadable = entries.contains { if case .unreadable = $0.outcome { true } else { false } }
    if isUnreadable { return .inputOutput }
    return entries.contains { $0.outcome.isFailure } ? .failedCheck : .done
  }

  private static let columns: [Column<MappingLoad.LoadedFile>] = [
    Column("file", "file", "Name of the mapping file.") { Identifier($0.source) },
    Column("app", "app", "App Store number; none if the file has no valid mapping.") { entry in
      entry.appNumber.map { Identifier("\($0)") }
    },
    Column("effective-from", "effective from", "When the mapping version takes effect.") {
      $0.effectiveFrom
    },
    Column(
      "outcome", "outcome", "added, changed, unchanged, duplicate, removed, rejected, unreadable or clash.",
      \.outcome.word),
    Column("reason", "reason", "Why the file was not loaded.", shown: .whereUseful) { entry -> String? in
      if case .duplicate(let other) = entry.outcome { return "has the content of '\(other)'" }
      return entry.outcome.isFailure ? entry.reason.english : nil
    },
    Column(
      "keeps-old", "last valid version in use", "Whether an earlier version of the file stays in use.",
      shown: .forPrograms, \.keepsOld),
    Column("remark", "remark", "What stays in use.", shown: .forPeople) {
      $0.keepsOld ? "the last valid version stays in use" : ""
    },
  ]
}
