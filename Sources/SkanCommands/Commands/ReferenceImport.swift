import Arguments
import Ingestion
import Ledger
import Platform

/// `skan spend import`, `skan names import`, `skan rates import` and `skan totals import`: takes in what only the
/// advertiser knows.
enum ReferenceImportCommand {
  static let spend = entry(
    "spend import", "Take in what was paid, for the cost per install and the return on spend in reports.",
    columns: "date, network, campaign, amount and currency, and optionally app",
    notes: [
      "A campaign is told by its digits in postbacks, or by its name where `skan names import` knows it. Rows of one day, "
        + "network, campaign, app and currency are added up; what is in the database for these is replaced, so that a "
        + "corrected file is imported again as a whole."
    ], example: "skan spend import -d skan.db november.csv"
  ) { bytes, store in
    let rows = try ReferenceFile.spend(bytes)
    try store.put(rows)
    return (rows.count, "day and campaign of spend", "days and campaigns of spend")
  }

  static let names = entry(
    "names import", "Take in what people call campaigns, and when.",
    columns: "network, campaign, from and name, and optionally to, ad-set, creative and country",
    notes: [
      "A campaign is a campaign id, or two to four last digits of a source identifier. Days are UTC; to is the first day "
        + "that no longer counts. A report shows a name only where the digits leave no doubt: 39 may be 5239 or 1039."
    ], example: "skan names import -d skan.db campaigns.csv"
  ) { bytes, store in
    let rows = try ReferenceFile.names(bytes)
    try store.put(rows)
    return (rows.count, "name", "names")
  }

  static let rates = entry(
    "rates import", "Take in exchange rates, for reports in one currency.",
    columns: "date, currency, quote and rate",
    notes: [
      "One unit of currency is worth rate of quote, from that day on until the next rate. Reports use them with "
        + "--currency; where there is no rate for a day, amounts stay in their own currency."
    ], example: "skan rates import -d skan.db rates.csv"
  ) { bytes, store in
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
  ) { bytes, store in
    let rows = try ReferenceFile.totals(bytes)
    try store.put(rows)
    return (rows.count, "day and campaign of totals", "days and campaigns of totals")
  }

  /// Bytes of the largest file that is taken.
  private static let largestFile = 256 << 20

  private static func entry(
    _ name: String, _ summary: String, columns: String, notes: [String], example: String,
    _ put: @escaping @Sendable ([UInt8], ReferenceStore) throws -> (Int, String, String)
  ) -> Entry {
    Entry(
      command: Command(
        name, summary,
        discussion: [
          "The file is CSV with a header, or JSON objects, one a line or in an array, gzip-compressed or not; the columns "
            + "are \(columns), and others are passed over. All rows are taken or, where one is wrong, none."
        ] + notes,
        examples: [.init("A file", example)],
        positionals: [Positional("FILE", .path, "The file; - is standard input.")], options: [.database()])
    ) { call in
      let path = call.settings.positionals.first ?? "-"
      let input = try InputFile(path, on: call.console)
      var bytes: [UInt8] = []
      while let chunk = try input.next() {
        bytes += chunk
        guard bytes.count <= largestFile else {
          throw Obstacle(.data, "'\(path)' is longer than \(largestFile) bytes")
        }
      }
      let database = call.settings.text("--database") ?? ""
      let store = try naming("cannot store in '\(database)'") { try ReferenceStore(path: database) }
      do {
        let (count, one, many) = try put(bytes, store)
        call.console.note(count == 1 ? "1 \(one) stored" : "\(count) \(many) stored")
        return .done
      } catch let error as ReferenceFileError {
        let file = path == "-" ? "standard input" : path
        throw Obstacle(.data, "\(file):\(error.line): \(error.sentence) [\(error.code)]")
      }
    }
  }
}
