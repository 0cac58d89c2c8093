import Arguments
import JSONText
import Ledger
import MappingFormats
import MappingLibrary
import Mappings
import Postbacks
import Reporting
import System
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
      ], options: [.database(), .format(["table", "json"])]), run: run)

  private static func run(_ call: Invocation) throws -> ExitCode {
    let paths = call.settings.positionals
    let folder = paths.count == 1 ? try? Folder(paths[0]) : nil
    let sources =
      try folder.map { folder in
        try folder.files(endingWith: ".json").map { ("\(folder.path)/\($0.name)", $0.name) }
      } ?? paths.map { path in (path, path.split(separator: "/").last.map(String.init) ?? path) }
    if let twice = sources.indices.first(where: { index in
      sources[..<index].contains { $0.1 == sources[index].1 }
    }) {
      throw call.mistake(
        "Two of the files are named '\(sources[twice].1)'; the name identifies the mapping. Rename one.")
    }
    if let folder = paths.first(where: { folder == nil && (try? Folder($0)) != nil }) {
      throw call.mistake("'\(folder)' is a folder. Give one folder, or only files.")
    }
    let database = call.settings.text("--database") ?? ""
    let entries = try naming("cannot store in '\(database)'") {
      try MappingLoad.load(
        sources.map { MappingLoad.File(path: $0.0, source: $0.1) }, into: MappingStore(path: database),
        isWhole: folder != nil, now: call.world.clock())
    }
    for entry in entries {
      for finding in entry.findings {
        let path = sources.first { $0.1 == entry.source }?.0 ?? entry.source
        let row = FindingRow(file: path, finding: finding)
        call.console.errors.write(Array(row.text(call.console, on: call.console.errors).utf8))
      }
    }
    if entries.isEmpty { call.console.note("found no mapping file (*.json) in '\(paths[0])'") }
    call.console.write(call.format == .json ? json(entries) : table(entries))
    let isUnreadable = entries.contains { if case .unreadable = $0.outcome { true } else { false } }
    if isUnreadable { return .inputOutput }
    return entries.contains { $0.outcome.isFailure } ? .failedCheck : .done
  }

  private static func json(_ entries: [MappingLoad.LoadedFile]) -> String {
    JSONOutput.array(
      entries.map { entry in
        [
          "file": .string(entry.source), "outcome": .string(entry.outcome.word),
          "app": entry.appNumber.map { .integer($0) } ?? .null,
          "effective-from": .optional(entry.effectiveFrom?.description),
          "reason": entry.outcome.isFailure ? .string(entry.reason) : .null,
          "keeps-old": .bool(entry.keepsOld),
        ]
      }
    ).text(pretty: true) + "\n"
  }

  private static func table(_ entries: [MappingLoad.LoadedFile]) -> String {
    guard !entries.isEmpty else { return "" }
    var table = TextTable([
      .init("file"), .init("app", isNumeric: true), .init("effective from"), .init("outcome"),
    ])
    for entry in entries {
      let why =
        switch entry.outcome {
        case .duplicate(let other): " of '\(printable(other))'"
        case let outcome where outcome.isFailure: ": \(printable(entry.reason))"
        default: ""
        }
      let old = entry.keepsOld ? "; the last valid version stays in use" : ""
      table.add([
        printable(entry.source), entry.appNumber?.description ?? "",
        entry.effectiveFrom?.description ?? "", entry.outcome.word + why + old,
      ])
    }
    return table.text
  }
}
