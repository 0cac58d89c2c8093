import Arguments
import Intake
import Ledger
import Postbacks
import Reporting
import System
import Tables
import Values
package import CommandSupport

/// `skan spend import`, `skan names import`, `skan rates import` and `skan totals import`: stores rows of a file.
struct ReferenceImport<Row: ReferenceRow, Choice: Query>: Sendable {
  /// The first word of the command.
  let word: String
  let summary: String
  /// The columns of the file.
  let columns: String
  let notes: [String]
  let example: String
  /// What one row is, and what several are.
  let noun: (one: String, many: String)
  let read: @Sendable ([UInt8], Choice) throws(ReferenceFileError) -> [Row]
  /// Rows of the file without postbacks.
  let unmatched: @Sendable ([Row], Choice, LedgerReader) throws -> [Unmatched]
  /// What a person should know of the rows besides.
  let warnings: @Sendable ([Row], LedgerReader) throws -> [String]
}

/// An import without options of its own.
struct NoChoice: Query {
  static let parameters: [Parameter<Self>] = []
}

/// What spend is imported for.
struct SpendChoice: Query {
  var environment = Environment.production

  static let parameters: [Parameter<Self>] = [
    .init("environment", \.environment, "Environment of the spend.")
  ]
}

package enum ReferenceImportCommand {
  package static let spend: Entry = ReferenceImport<SpendRow, SpendChoice>(
    word: "spend", summary: "Import ad spend.",
    columns: "date, network, campaign, amount and currency, and optionally app, impressions and clicks",
    notes: [
      "A campaign is given by its digits in postbacks, or by a name from `skan names import`. Rows of "
        + "one day, network, campaign, app and currency are added up. They replace stored spend of the "
        + "same keys, so import a corrected file as a whole. Reports then show the cost per install and "
        + "the return on spend.",
      "Spend counts in one environment: reports of the test environment use only spend imported with "
        + "--environment test, so that you can try spend with test keys.",
    ], example: "skan spend import -d skan.db november.csv",
    noun: ("day and campaign of spend", "days and campaigns of spend"),
    read: { (bytes, choice) throws(ReferenceFileError) in
      try ReferenceFile.spend(bytes, of: choice.environment)
    }, unmatched: { try ImportCheck($2, [$1.environment]).unmatched($0) }, warnings: { _, _ in [] }
  ).entry

  package static let names: Entry = ReferenceImport<CampaignNameRow, NoChoice>(
    word: "names", summary: "Import campaign names.",
    columns: "network, campaign, from and name, and optionally to, ad-set, creative and country",
    notes: [
      "A campaign is a campaign id, or the last two to four digits of a source identifier; a row without one "
        + "names the network. Days are UTC; to is exclusive. A later name of a campaign ends the earlier one.",
      "A report shows a name only if the digits identify one campaign: 39 can be "
        + "5239 or 1039. skan warns about a name for 77 beside one for 4477: reports then show '4477' with "
        + "its name, and 77 as ambiguous with both names, because below the privacy threshold a postback "
        + "of 4477 arrives as 77.",
    ], example: "skan names import -d skan.db campaigns.csv", noun: ("name", "names"),
    read: { (bytes, _) throws(ReferenceFileError) in try ReferenceFile.names(bytes) },
    unmatched: { rows, _, reader in try ImportCheck(reader).unmatched(rows) }, warnings: doubts
  ).entry

  package static let rates: Entry = ReferenceImport<RateRow, NoChoice>(
    word: "rates", summary: "Import exchange rates.", columns: "date, currency, quote and rate",
    notes: [
      "One unit of currency equals rate units of quote, from that day until the next rate. Reports "
        + "convert with --currency; if a day has no rate, amounts stay in their own currency."
    ], example: "skan rates import -d skan.db rates.csv", noun: ("rate", "rates"),
    read: { (bytes, _) throws(ReferenceFileError) in try ReferenceFile.rates(bytes) },
    unmatched: { _, _, _ in [] }, warnings: { _, _ in [] }
  ).entry

  package static let totals: Entry = ReferenceImport<NetworkTotalRow, NoChoice>(
    word: "totals", summary: "Import ad networks' own totals.",
    columns:
      "date, network and installs, and optionally campaign, redownloads, postbacks, conversions-with-value, "
      + "revenue and currency",
    notes: [
      "A campaign is given by its digits in postbacks, or by a name from `skan names import`; a row "
        + "without a campaign is the total of the network. An empty cell is unknown, not zero. Rows "
        + "replace stored totals of the same day, network and campaign. `skan report totals` compares the "
        + "totals with the database."
    ], example: "skan totals import -d skan.db november.csv",
    noun: ("day and campaign of totals", "days and campaigns of totals"),
    read: { (bytes, _) throws(ReferenceFileError) in try ReferenceFile.totals(bytes) },
    unmatched: { rows, _, reader in try ImportCheck(reader, [.production]).unmatched(rows) },
    warnings: { _, _ in [] }
  ).entry

  /// Which of the imported names leave a doubt, beside each other or beside one that was there.
  @Sendable private static func doubts(_ imported: [CampaignNameRow], _ reader: LedgerReader) throws
    -> [String]
  {
    let keys = Set(imported.map { [$0.network, $0.campaign, "\($0.from)"] })
    return CampaignNames.doubts(try reader.campaignNames()).filter { pair in
      [pair.short, pair.long].contains { keys.contains([$0.network, $0.campaign, "\($0.from)"]) }
    }.map { short, long in
      "\(described(short)) and \(described(long)) of \(printable(short.network)): postbacks "
        + "with \(short.campaign) can be of either, so reports mark them as ambiguous"
    }
  }

  private static func described(_ row: CampaignNameRow) -> String {
    "\(row.campaign) '\(printable(row.name))' (from \(row.from)\(row.to.map { " to \($0)" } ?? ""))"
  }
}

extension ReferenceImport {
  /// Bytes of the largest file that is taken.
  private static var largestFile: Int { 256 << 20 }

  /// Its command.
  var entry: Entry {
    let command = Command(
      "\(word) import", summary,
      discussion: [
        "The file is CSV with a header, or JSON objects, one per line or in an array, gzip-compressed or "
          + "not. The columns are \(columns); others are ignored. If a row is wrong, no row is imported. "
          + "Cells are separated by commas, semicolons or tabs; with the last two, an amount can have a decimal comma."
      ] + notes + [
        "skan prints how many rows are new, changed and unchanged, and rows without postbacks with the nearest "
          + "network, campaign or name. --format json prints all of those."
      ],
      examples: [.init("Import a file", example)],
      positionals: [Positional("FILE", .path, "File to import; -: standard input.")],
      options: [.database()] + Choice.options + [.format()])
    return Entry(command: command) { call in try run(call) }
  }

  private func run(_ call: Invocation) throws -> ExitCode {
    let path = call.settings.positionals.first ?? "-"
    let choice: Choice
    do throws(ParameterError) { choice = try Choice(call.settings) } catch {
      throw call.mistake(error)
    }
    let database = try call.database
    let store = try naming("cannot store in '\(database)'") { try ReferenceStore(path: database) }
    let rows: [Row]
    let bytes = try bytes(of: path, call)
    do throws(ReferenceFileError) { rows = try read(bytes, choice) } catch {
      let file = path == "-" ? "standard input" : path
      throw CommandError(.data, "\(file):\(error.line): \(error.sentence) [\(error.code)]")
    }
    let changes = try naming("cannot store in '\(database)'") { try store.put(rows) }
    let reader = try call.reader()
    note(try warnings(rows, reader).map { "warning: \($0)" }, call)
    let unmatched = try unmatched(rows, choice, reader)
    if call.format == .table {
      note(unmatched.map { "warning: \($0.sentence)" }, call)
    } else {
      call.print(Unmatched.columns, unmatched)
    }
    note(sentences(of: changes), call)
    call.console.note(summary(of: changes, rows.count))
    return .done
  }

  private func bytes(of path: String, _ call: Invocation) throws -> [UInt8] {
    let input = try InputFile(path, on: call.console)
    var bytes: [UInt8] = []
    while let chunk = try input.next() {
      bytes += chunk
      guard bytes.count <= Self.largestFile else {
        throw CommandError(.data, "'\(path)' is larger than \(Self.largestFile) bytes")
      }
    }
    return bytes
  }

  /// Prints the first sentences, and how many more there are.
  private func note(_ sentences: [String], _ call: Invocation) {
    for sentence in sentences.prefix(Unmatched.mostForPeople) { call.console.note(sentence) }
    let more = sentences.count - Unmatched.mostForPeople
    if more > 0 { call.console.note("and \(grouped(more)) more") }
  }

  /// The earlier names that a later one ends.
  private func sentences(of changes: ReferenceChanges<Row>) -> [String] {
    changes.adjusted.compactMap { change in
      guard let name = change.stored as? CampaignNameRow, let end = name.to else { return nil }
      return "'\(printable(name.name))' of \(name.campaign.isEmpty ? "" : "campaign \(name.campaign) of ")"
        + "\(printable(name.network)) ends on \(end), where a later name begins"
    }.sorted()
  }

  private func summary(of changes: ReferenceChanges<Row>, _ count: Int) -> String {
    let parts = [(changes.added, "new"), (changes.changed, "changed"), (changes.same, "unchanged")].filter {
      $0.0 > 0
    }
    .map { "\(grouped($0.0)) \($0.1)" }
    let removed =
      changes.removed > 0 ? "; \(grouped(changes.removed)) of another app or of none replaced" : ""
    return "\(grouped(count)) \(count == 1 ? noun.one : noun.many) stored"
      + (parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))") + removed
  }
}
