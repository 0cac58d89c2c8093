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
      "Take mapping files into a database, so that its reports decode by them.",
      discussion: [
        "A mapping has effect on every postback of its app, stored or still to come, from the next report on. Versions "
          + "of an app's mapping are told apart by their effective-from: each postback is decoded by the version that "
          + "was in force when the app was launched first, as far as Apple's timers tell.",
        "A folder stands for all mappings there are: those of files that are not in it any more are removed. Single "
          + "files are added to what is there, and take the place of the mapping of the same app from the same moment. A file with errors "
          + "is rejected, and its last good state stays in force. So is a file of a folder that has another mapping of the "
          + "same app from the same moment than the file in force; of several new ones that differ none is taken. "
          + "`skan serve --mappings DIR` does the same whenever a file in the folder changes.",
      ],
      examples: [
        .init("All mappings of a folder", "skan mapping load -d skan.db mappings/"),
        .init("One more version", "skan mapping load -d skan.db december.json"),
      ],
      positionals: [
        Positional("FILE", .path, "A mapping file, or the folder with all of them.", isRepeatable: true)
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
      throw call.mistake("Two of the files are named '\(sources[twice].1)'; the name stands for the mapping.")
    }
    if let folder = paths.first(where: { folder == nil && (try? Folder($0)) != nil }) {
      throw call.mistake("'\(folder)' is a folder; one folder alone, or files.")
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
    if entries.isEmpty { call.console.note("there is no mapping file (*.json) in '\(paths[0])'") }
    call.console.write(call.format == .json ? json(entries) : table(entries))
    let isUnreadable = entries.contains { if case .unreadable = $0.outcome { true } else { false } }
    if isUnreadable { return .inputOutput }
    return entries.contains { $0.outcome.isFailure } ? .bad : .done
  }

  private static func json(_ entries: [MappingLoad.Entry]) -> String {
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

  private static func table(_ entries: [MappingLoad.Entry]) -> String {
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
      let old = entry.keepsOld ? "; its last good state stays in force" : ""
      table.add([
        printable(entry.source), entry.appNumber?.description ?? "",
        entry.effectiveFrom?.description ?? "", entry.outcome.word + why + old,
      ])
    }
    return table.text
  }
}
