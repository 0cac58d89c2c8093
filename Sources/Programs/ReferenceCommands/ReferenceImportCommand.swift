import Arguments
import Intake
import Ledger
import Postbacks
import Reporting
import System
import Values
package import CommandSupport

/// `skan spend import`, `skan names import`, `skan rates import` and `skan totals import`: imports what only the
/// advertiser knows.
package enum ReferenceImportCommand {
  package static let spend = entry(
    "spend import", "Import ad spend.",
    columns: "date, network, campaign, amount and currency, and optionally app",
    notes: [
      "A campaign is given by its digits in postbacks, or by a name from `skan names import`. Rows of "
        + "one day, network, campaign, app and currency are added up. They replace stored spend of the "
        + "same keys, so import a corrected file as a whole. Reports then show the cost per install and "
        + "the return on spend.",
      "Spend counts in one environment: reports of the test environment use only spend imported with "
        + "--environment test, so that you can try spend with test keys.",
    ], example: "skan spend import -d skan.db november.csv",
    options: [
      .value(
        "--environment", "NAME", .choice(Environment.allCases.map(\.rawValue)),
        "Environment of the spend.", default: Environment.production.rawValue)
    ]
  ) { bytes, store, call in
    let environment = call.settings.text("--environment").flatMap { Environment(rawValue: $0) }
    let rows = try ReferenceFile.spend(bytes, of: environment ?? .production)
    try store.put(rows)
    return (rows.count, "day and campaign of spend", "days and campaigns of spend")
  }

  package static let names = entry(
    "names import", "Import campaign names.",
    columns: "network, campaign, from and name, and optionally to, ad-set, creative and country",
    notes: [
      "A campaign is a campaign id, or the last two to four digits of a source identifier. Days are "
        + "UTC; to is exclusive. A report shows a name only if the digits identify one campaign: 39 can be "
        + "5239 or 1039. skan warns about a name for 77 beside one for 4477: reports then show '4477' with "
        + "its name, and 77 as ambiguous with both names, because below the privacy threshold a postback "
        + "of 4477 arrives as 77."
    ], example: "skan names import -d skan.db campaigns.csv"
  ) { bytes, store, call in
    let rows = try ReferenceFile.names(bytes)
    try store.put(rows)
    try warn(ofDoubts: rows, call)
    return (rows.count, "name", "names")
  }

  package static let rates = entry(
    "rates import", "Import exchange rates.",
    columns: "date, currency, quote and rate",
    notes: [
      "One unit of currency equals rate units of quote, from that day until the next rate. Reports "
        + "convert with --currency; if a day has no rate, amounts stay in their own currency."
    ], example: "skan rates import -d skan.db rates.csv"
  ) { bytes, store, _ in
    let rows = try ReferenceFile.rates(bytes)
    try store.put(rows)
    return (rows.count, "rate", "rates")
  }

  package static let totals = entry(
    "totals import", "Import ad networks' own totals.",
    columns:
      "date, network and installs, and optionally campaign, redownloads, postbacks, conversions-with-value, "
      + "revenue and currency",
    notes: [
      "A campaign is given by its digits in postbacks, or by a name from `skan names import`; a row "
        + "without a campaign is the total of the network. An empty cell is unknown, not zero. Rows "
        + "replace stored totals of the same day, network and campaign. `skan report totals` compares the "
        + "totals with the database."
    ], example: "skan totals import -d skan.db november.csv"
  ) { bytes, store, _ in
    let rows = try ReferenceFile.totals(bytes)
    try store.put(rows)
    return (rows.count, "day and campaign of totals", "days and campaigns of totals")
  }

  /// Doubts that are named at most.
  private static let namedDoubts = 10

  /// Reports which of the imported names leave a doubt, beside each other or beside one that was there.
  private static func warn(ofDoubts imported: [CampaignNameRow], _ call: Invocation) throws {
    let rows = Set(imported)
    let doubts = CampaignNames.doubts(try call.reader().campaignNames()).filter {
      rows.contains($0.short) || rows.contains($0.long)
    }
    for (short, long) in doubts.prefix(namedDoubts) {
      call.console.note(
        "warning: \(described(short)) and \(described(long)) of \(printable(short.network)): postbacks "
          + "with \(short.campaign) can be of either, so reports mark them as ambiguous")
    }
    if doubts.count > namedDoubts {
      call.console.note("warning: \(grouped(doubts.count - namedDoubts)) more names are ambiguous")
    }
  }

  private static func described(_ row: CampaignNameRow) -> String {
    "\(row.campaign) '\(printable(row.name))' (from \(row.from)\(row.to.map { " to \($0)" } ?? ""))"
  }

  /// Bytes of the largest file that is taken.
  private static let largestFile = 256 << 20

  private static func entry(
    _ name: String, _ summary: String, columns: String, notes: [String], example: String,
    options: [Option] = [],
    _ put: @escaping @Sendable ([UInt8], ReferenceStore, Invocation) throws -> (Int, String, String)
  ) -> Entry {
    Entry(
      command: Command(
        name, summary,
        discussion: [
          "The file is CSV with a header, or JSON objects, one per line or in an array, gzip-compressed or "
            + "not. The columns are \(columns); others are ignored. If a row is wrong, no row is imported."
        ] + notes,
        examples: [.init("Import a file", example)],
        positionals: [Positional("FILE", .path, "File to import; -: standard input.")],
        options: [.database()] + options)
    ) { call in
      let path = call.settings.positionals.first ?? "-"
      let input = try InputFile(path, on: call.console)
      var bytes: [UInt8] = []
      while let chunk = try input.next() {
        bytes += chunk
        guard bytes.count <= largestFile else {
          throw CommandError(.data, "'\(path)' is larger than \(largestFile) bytes")
        }
      }
      let database = call.settings.text("--database") ?? ""
      let store = try naming("cannot store in '\(database)'") { try ReferenceStore(path: database) }
      do {
        let (count, one, many) = try put(bytes, store, call)
        call.console.note(count == 1 ? "1 \(one) stored" : "\(count) \(many) stored")
        return .done
      } catch let error as ReferenceFileError {
        let file = path == "-" ? "standard input" : path
        throw CommandError(.data, "\(file):\(error.line): \(error.sentence) [\(error.code)]")
      }
    }
  }
}
