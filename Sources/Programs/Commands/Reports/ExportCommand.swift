import Arguments
import Explanations
import JSONText
import Ledger
import Postbacks
import System
import Tables
import Values

/// `skan export`: writes postbacks into files that warehouses load.
enum ExportCommand {
  enum Options {
    static let to = RequiredOption<String>.value(
      "--to", "DIR", .path, "Folder of the export; skan creates it.")
    static let environment = TypedOption<Environment>.choice(
      "--environment", "NAME", "Environment whose keys signed the postbacks.", default: .production)
    static let restart = TypedOption.flag(
      "--restart", "Delete the export in the folder, and export everything again.")
  }

  static let entry = Entry(
    command: Command(
      "export", "Export postbacks to files for a data warehouse.",
      discussion: [
        "skan writes the rows of `skan report postbacks` as gzip-compressed NDJSON, with underscores in the names of columns, "
          + "one folder for each UTC day of "
          + "arrival: DIR/date=2026-11-20/part-0001.ndjson.gz. The next run exports only what arrived since. "
          + "DIR/manifest.json lists all files with rows, bytes and SHA-256, and the last exported postback.",
        "A file gets its name when it is complete and on disk, and skan writes the manifest after that. Load the files "
          + "that the manifest lists. A run that is killed leaves other files; the next run deletes them.",
        "A row is exported once, as it was decoded then. Where a mapping changed since the last run, the rows that it can "
          + "decode in another way are exported again below DIR/corrections; each replaces the row of the same network, id and "
          + "window. A copy that disagrees later changes nothing; --restart exports everything again.",
        "DIR/schema-bigquery.json, schema-snowflake.sql and schema-duckdb.sql state the columns and their types.",
        "Ctrl-C or SIGTERM stops the command after it has written what it has read; the same command then continues.",
      ],
      examples: [
        .init("Export every hour what arrived", "skan export -d skan.db --to warehouse"),
        .init("Export everything again", "skan export -d skan.db --to warehouse --restart"),
      ],
      options: [
        .database(),
        Options.to.option, Options.environment.option, Options.restart.option,
        .format(["table", "json"]),
      ]),
    signals: .heed
  ) { call in
    let reader = try call.reader()
    let export = PostbackExport(
      to: try call[Options.to], of: call[Options.environment], program: "skan \(skanVersion)")
    var progress = Progress(
      "export", unit: "postbacks", total: nil, on: call.console)
    let outcome = try export.run(from: reader, restarts: call[Options.restart]) { rows in
      progress.advance(to: rows)
      return !call.interruption.isRequested
    }
    progress.finish()
    if outcome.leftovers > 0 {
      call.console.note("deleted \(counted(outcome.leftovers, "file")) of an interrupted run")
    }
    if call.format == .json {
      let json: JSONOutput = [
        "rows": .integer(Int64(outcome.rows)), "corrections": .integer(Int64(outcome.corrections)),
        "files": .integer(Int64(outcome.files)),
        "all-rows": .integer(outcome.allRows),
      ]
      call.console.line(json.text())
    } else {
      call.console.line(
        "\(counted(outcome.rows, "postback")) exported to \(counted(outcome.files, "file")), "
          + (outcome.corrections > 0 ? "\(grouped(outcome.corrections)) again as corrections, " : "")
          + "\(grouped(Int(outcome.allRows))) in all")
    }
    guard outcome.isInterrupted else { return .done }
    call.console.output.flush()
    call.console.problem(
      "interrupted: the postbacks above are exported", remedy: "run the same command again; it continues")
    return .interrupted
  }
}
