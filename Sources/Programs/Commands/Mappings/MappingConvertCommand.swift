import Arguments
import JSONText
import MappingFormats
import Mappings
import Postbacks
import System
import Tables
import Values

/// `skan mapping convert`: converts mappings between our format and those of other systems.
enum MappingConvertCommand {
  enum Options {
    static let from = RequiredOption<MappingFormat>.choice("--from", "FORMAT", "Format of the file.")
    static let to = TypedOption<MappingFormat>.choice(
      "--to", "FORMAT", "Format to write.", default: .skan)
    static let losses = TypedOption<String?>.value(
      "--losses", "OUT", .path, "JSON file for the list of losses and assumptions.")
    static let app = TypedOption<Int?>.value(
      "--app", "ID", .integer(0...(.max)), "App, if the file has none.")
    static let currency = TypedOption<String?>.value(
      "--currency", "CODE", .text,
      "Currency of amounts without one (ISO 4217).")
    static let effectiveFrom = TypedOption<Instant?>.value(
      "--effective-from", "TIME", .time, "Time from which devices use the mapping.")
    static let name = TypedOption<String?>.value(
      "--name", "TEXT", .text, "Name of the mapping.", defaultNote: "the name of the file")
    static let `protocol` = TypedOption<Mapping.Device?>.choice(
      "--protocol", "WORD", "Protocol of the mapping.", defaultNote: "skan4")
    static let ends = TypedOption<ImportContext.Ends?>.choice(
      "--ends", "WORD", "Ends that belong to a range, if the format does not define them.",
      defaultNote: "both")
    static let cap = TypedOption<String?>.value(
      "--cap", "AMOUNT", .text,
      "Upper end to write for ranges without one, if the format requires one.")
    static let revenueEvent = TypedOption<String?>.value(
      "--revenue-event", "NAME", .text,
      "Event whose revenue replaces total revenue in conditions, if the format has none on a total.",
      defaultNote: "the only event of the rule")
  }

  static let entry = Entry(
    command: Command(
      "mapping convert",
      "Convert a mapping between formats, and list what is lost or assumed.",
      discussion: [
        "skan writes the mapping to standard output, and every loss and assumption with its code to "
          + "standard error and, with --losses, to a JSON file.",
        "Options supply what a foreign file lacks: usually --effective-from; --app and --currency if the "
          + "file has none. table is our own, for spreadsheets: `skan mapping from-table` explains it. appsflyer and airbridge read both versions of their format; appsflyer-v1 and "
          + "airbridge-v4 write the older one.",
      ],
      examples: [
        .init(
          "Import a Google Analytics schema",
          "skan mapping convert --from ga4 --app 1000000001 --currency USD --effective-from 2026-11-01 ga4.json"
        ),
        .init("Export a mapping for Meta", "skan mapping convert --from skan --to meta mapping.json"),
        .init(
          "Export a mapping for AppsFlyer, with an upper limit of the highest range",
          "skan mapping convert --from skan --to appsflyer --cap 200 mapping.json"),
        .init(
          "Export a mapping on total revenue, as revenue of one event",
          "skan mapping convert --from skan --to branch --revenue-event purchase mapping.json"),
      ],
      positionals: [
        Positional("FILE", .path, "File in the format --from; -: standard input.")
      ],
      options: [
        Options.from.option,
        Options.to.option,
        Options.losses.option,
        Options.app.option,
        Options.currency.option,
        Options.effectiveFrom.option,
        Options.name.option,
        Options.protocol.option,
        Options.ends.option,
        Options.cap.option,
        Options.revenueEvent.option,
      ]), run: run)

  /// The options for what a foreign file leaves open.
  private static let contextOptions = [
    Options.app.option, Options.currency.option, Options.effectiveFrom.option, Options.name.option,
    Options.protocol.option, Options.ends.option,
  ]

  private static func run(_ call: Invocation) throws -> ExitCode {
    let settings = call.settings
    let path = settings.positionals.first ?? "-"
    var inputs = NamedFiles()
    inputs.add("the mapping", path)
    try call.checkOutputs([(Options.losses.name, call[Options.losses])], besides: inputs)
    let from = try call[Options.from]
    let to = call[Options.to]
    let cap = try cap(call)
    var rows: [LossRow] = []
    let mapping: Mapping
    if from == .skan {
      if let option = contextOptions.first(where: { settings.isGiven($0) }) {
        throw call.mistake(
          "'\(option.name)' is only for other formats; a file in the format skan contains this itself.")
      }
      guard let read = try call.mapping(path) else { return .data }
      mapping = read
    } else {
      (mapping, rows) = try ForeignFile(path, from, call).read()
    }
    let exported: ExportedMapping
    do throws(ExportDefect) {
      exported = try to.export(mapping, ExportContext(cap: cap, revenueEvent: call[Options.revenueEvent]))
    } catch {
      throw CommandError(error, path)
    }
    rows += exported.remarks.map { LossRow($0, format: to) }
    try write(exported, rows, call)
    return .done
  }

  private static func write(_ exported: ExportedMapping, _ rows: [LossRow], _ call: Invocation) throws {
    let table = Table(LossRow.columns, rows: rows)
    if let path = call[Options.losses] {
      try AtomicFile.write(Array(table.text(.json).utf8), to: path)
    }
    call.console.write(exported.bytes)
    call.console.output.flush()
    call.console.errors.write(Array(table.text(.table).utf8))
    let losses = rows.count { $0.isLoss }
    call.console.note(
      "\(losses) \(losses == 1 ? "loss" : "losses"), \(counted(rows.count - losses, "assumption"))")
  }

  private static func cap(_ call: Invocation) throws -> Amount? {
    guard let text = call[Options.cap] else { return nil }
    do throws(Amount.Defect) {
      return try Amount(decimal: text)
    } catch {
      throw call.mistake("The value '\(text)' of '--cap' is not an amount: \(error.sentence).")
    }
  }
}
