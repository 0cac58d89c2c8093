import Values
import Arguments
import CSVText
import JSONText
import Ledger
import MappingLibrary
import Postbacks
import Reporting
import System
import Verification
import Tables

/// `skan report postbacks` and `skan report events`: every stored postback with its meaning, one by one.
enum ReportPostbacksCommand {
  static let postbacks = Entry(
    command: Command(
      "report postbacks", "Print every stored conversion with what its value means.",
      discussion: [
        "One row for each conversion, made of its first valid copy, in order of arrival. A value is decoded by the version "
          + "of its app's mapping that was in force at first launch. Versions that can't send the value are left out. "
          + "Where several are left, certainty is mixed and amounts are expected ones. Development postbacks then count by "
          + "the newest, and certainty is newest.",
        "adds-up is false where the mapping counts a later window since install, so that the first window's money and "
          + "events are in it.",
        "Rows come out while the database is read. Ctrl-C ends it after a whole row.",
      ],
      examples: [
        .init("For a spreadsheet", "skan report postbacks -d skan.db --format csv > postbacks.csv"),
        .init("One day", "skan report postbacks -d skan.db --from 2026-11-20 --to 2026-11-21"),
      ], options: options), signals: .heed,
    run: { try run($0, events: false) })

  static let events = Entry(
    command: Command(
      "report events", "Print the events that conversion values tell of, one row for each.",
      discussion: [
        "One row for each event of each decoded conversion, in order of arrival. The money of a conversion stands in its "
          + "first event's row, so that a sum counts it once.",
        "Rows come out while the database is read. Ctrl-C ends it after a whole row.",
      ],
      examples: [.init("For a spreadsheet", "skan report events -d skan.db --format csv > events.csv")],
      options: options), signals: .heed,
    run: { try run($0, events: true) })

  /// Which conversions, and the form of the rows.
  static let options: [Option] = [
    .database(),
    .value("--from", "TIME", .time, "The first moment of arrival that counts (UTC)."),
    .value("--to", "TIME", .time, "The first moment of arrival that no longer counts (UTC)."),
    .value("--app", "ID", .text, "Only this app's App Store number.", isRepeatable: true),
    .value("--network", "ID", .text, "Only this ad network.", isRepeatable: true),
    .value(
      "--environment", "NAME", .choice(Environment.allCases.map(\.rawValue)), "Whose keys signed.",
      default: Environment.production.rawValue), .format(),
  ]

  private static func run(_ call: Invocation, events: Bool) throws -> ExitCode {
    let query = try query(call)
    let interruption = call.interruption
    let reader = try call.reader()
    let console = call.console
    var writer = RowWriter(OutputFormat(call.format), on: console, events: events)
    var progress = Progress(
      "postbacks", unit: "rows", total: Int(try reader.lastPostbackRow()), on: console)
    try reader.consistently { () throws(LedgerError) in
      var decoder = PostbackDecoder(try MappingCatalog(from: reader))
      try reader.forEachPostback(query) { row in
        writer.write(decoder.decode(row))
        progress.advance(to: Int(row.row))
        return interruption.isWished != true && console.output.state == .open
      }
    }
    progress.finish()
    writer.finish()
    guard interruption.isWished == true else { return .done }
    console.output.flush()
    console.problem("interrupted: the rows above are complete", remedy: "--from goes on from a moment")
    return .interrupted
  }

  /// Which conversions the options ask for.
  static func query(_ call: Invocation) throws -> PostbackQuery {
    let settings = call.settings
    var words: [String: String] = [:]
    words["app"] = settings.texts("--app").joined(separator: ",")
    words["network"] = settings.texts("--network").joined(separator: ",")
    words["environment"] = settings.text("--environment")
    do throws(ParameterError) {
      let campaign = try CampaignQuery(words: words)
      return PostbackQuery(
        environment: campaign.environment, from: settings.time("--from"), to: settings.time("--to"),
        apps: campaign.apps, networks: campaign.networks)
    } catch {
      throw call.mistake("The value of '--\(error.name)' can't be used: \(error.detail).")
    }
  }
}

/// Writes rows as they come; a table for people is aligned in pages, because its widths need all of a page.
private struct RowWriter {
  private static let page = 1000

  private let format: OutputFormat
  private let console: Console
  private let events: Bool
  private var table: TextTable
  private var rows = 0

  init(_ format: OutputFormat, on console: Console, events: Bool) {
    self.format = format
    self.console = console
    self.events = events
    table = Self.table(events)
    switch format {
    case .csv:
      let names = events ? DecodedPostback.eventColumns : DecodedPostback.columns
      console.write(CSV.line(names.map { .string($0) }))
    case .json: console.write("[")
    case .table, .ndjson: break
    }
  }

  private static func table(_ events: Bool) -> TextTable {
    TextTable(
      events ? DecodedPostback.eventColumns.map { .init($0) } : DecodedPostback.tableColumns)
  }

  mutating func write(_ decoded: DecodedPostback) {
    switch format {
    case .csv:
      for line in events ? decoded.eventLines : [decoded.csv] { console.write(line) }
    case .ndjson:
      for object in events ? decoded.eventObjects : [decoded.json] { console.line(object.text()) }
    case .json:
      for object in events ? decoded.eventObjects : [decoded.json] {
        console.write((rows == 0 ? "\n" : ",\n") + object.text())
        rows += 1
      }
    case .table:
      for cells in events ? decoded.eventCells : [decoded.tableCells] {
        table.add(cells)
        rows += 1
        if rows % Self.page == 0 { turn() }
      }
    }
  }

  private mutating func turn() {
    console.write(table.text)
    table = Self.table(events)
  }

  mutating func finish() {
    switch format {
    case .csv, .ndjson: break
    case .json: console.write(rows == 0 ? "]\n" : "\n]\n")
    case .table:
      if rows == 0 { console.write(events ? "no decoded events\n" : "no postbacks\n") }
      if rows % Self.page > 0 { turn() }
    }
  }
}
