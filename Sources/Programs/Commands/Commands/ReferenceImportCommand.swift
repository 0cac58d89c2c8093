import Arguments
import Intake
import Ledger
import Reporting
import System
import Values
import Verification

/// `skan spend import`, `skan names import`, `skan rates import` and `skan totals import`: takes in what only the
/// advertiser knows.
enum ReferenceImportCommand {
  static let spend = entry(
    "spend import", "Take in what was paid, for the cost per install and the return on spend in reports.",
    columns: "date, network, campaign, amount and currency, and optionally app",
    notes: [
      "A campaign is told by its digits in postbacks, or by its name where `skan names import` knows it. Rows of one day, "
        + "network, campaign, app and currency are added up; what is in the database for these is replaced, so that a "
        + "corrected file is imported again as a whole.",
      "Spend of each environment stands apart: what is imported with --environment test is seen by reports of the test "
        + "environment only, so that the cost per install and the return on spend can be tried with test keys.",
    ], example: "skan spend import -d skan.db november.csv",
    options: [
      .value(
        "--environment", "NAME", .choice(Environment.allCases.map(\.rawValue)),
        "Whose postbacks the spend is compared with.", default: Environment.production.rawValue)
    ]
  ) { bytes, store, call in
    let rows = try ReferenceFile.spend(bytes)
    let environment = call.settings.text("--environment").flatMap { Environment(rawValue: $0) }
    try store.put(rows, of: environment ?? .production)
    return (rows.count, "day and campaign of spend", "days and campaigns of spend")
  }

  static let names = entry(
    "names import", "Take in what people call campaigns, and when.",
    columns: "network, campaign, from and name, and optionally to, ad-set, creative and country",
    notes: [
      "A campaign is a campaign id, or two to four last digits of a source identifier. Days are UTC; to is the first day "
        + "that no longer counts. A report shows a name only where the digits leave no doubt: 39 may be 5239 or 1039. "
        + "A name for 77 beside one for 4477 is such a doubt and gets a warning: reports show '4477' under its own name, "
        + "and call 77 ambiguous with both names, because a small crowd's postback of 4477 comes as 77."
    ], example: "skan names import -d skan.db campaigns.csv"
  ) { bytes, store, call in
    let rows = try ReferenceFile.names(bytes)
    try store.put(rows)
    try warn(ofDoubts: rows, call)
    return (rows.count, "name", "names")
  }

  static let rates = entry(
    "rates import", "Take in exchange rates, for reports in one currency.",
    columns: "date, currency, quote and rate",
    notes: [
      "One unit of currency is worth rate of quote, from that day on until the next rate. Reports use them with "
        + "--currency; where there is no rate for a day, amounts stay in their own currency."
    ], example: "skan rates import -d skan.db rates.csv"
  ) { bytes, store, _ in
    let rows = try ReferenceFile.rates(bytes)
    try store.put(rows)
    return (rows.count, "rate", "rates")
  }

  static let totals = entry(
    "totals import", "Take in what networks say they counted, to compare it with what is here.",
    columns:
      "date, network and installs, and optionally campaign, redownloads, postbacks, conversions-with-value, "
      + "revenue and currency",
    notes: [
      "A campaign is told by its digits in postbacks, or by its name where `skan names import` knows it; without one, a row "
        + "is about the network in all. What a cell leaves empty is unknown, not zero. What is in the database for the "
        + "same day, network and campaign is replaced. `skan report totals` compares."
    ], example: "skan totals import -d skan.db november.csv"
  ) { bytes, store, _ in
    let rows = try ReferenceFile.totals(bytes)
    try store.put(rows)
    return (rows.count, "day and campaign of totals", "days and campaigns of totals")
  }

  /// Doubts that are named at most.
  private static let namedDoubts = 10

  /// Says which of the imported names leave a doubt, beside each other or beside one that was there.
  private static func warn(ofDoubts imported: [CampaignNameRow], _ call: Invocation) throws {
    let rows = Set(imported)
    let doubts = CampaignNames.doubts(try call.reader().campaignNames()).filter {
      rows.contains($0.short) || rows.contains($0.long)
    }
    for (short, long) in doubts.prefix(namedDoubts) {
      call.console.note(
        "warning: \(described(short)) and \(described(long)) of \(printable(short.network)): postbacks with "
          + "\(short.campaign) may be of either, so that reports call them ambiguous")
    }
    if doubts.count > namedDoubts {
      call.console.note("warning: \(grouped(doubts.count - namedDoubts)) more names leave such a doubt")
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
          "The file is CSV with a header, or JSON objects, one a line or in an array, gzip-compressed or not; the columns "
            + "are \(columns), and others are passed over. All rows are taken or, where one is wrong, none."
        ] + notes,
        examples: [.init("A file", example)],
        positionals: [Positional("FILE", .path, "The file; - is standard input.")],
        options: [.database()] + options)
    ) { call in
      let path = call.settings.positionals.first ?? "-"
      let input = try InputFile(path, on: call.console)
      var bytes: [UInt8] = []
      while let chunk = try input.next() {
        bytes += chunk
        guard bytes.count <= largestFile else {
          throw CommandError(.data, "'\(path)' is longer than \(largestFile) bytes")
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
