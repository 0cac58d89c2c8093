import Arguments
import Ledger
import MappingFormats
import Reporting
import System
import Values
import Verification
import Tables

/// `skan report campaigns`: prints the campaign table.
enum ReportCampaignsCommand {
  static let entry = Entry(command: command, run: run)

  static let command = Command(
    "report campaigns", "Print the campaign table: what arrived, by app, network and campaign.",
    discussion: [
      "Each conversion is counted once, on the UTC day its first valid copy arrived. Postbacks of different environments "
        + "are never added up. What was not believed is told below the table.",
      "The conversion value is not signed by Apple: anyone who passes a postback on could have changed it.",
      "Where mappings are loaded (`skan mapping load`, `skan serve --mappings`), values are decoded: revenue at least, "
        + "counted and at most, for each install of any kind, and users by event. With spend (`skan spend import`) rows "
        + "gain the cost per install (eCPI) and the return on spend (ROAS, revenue by spend); with names (`skan names "
        + "import`) what people call the campaign, where its digits leave no doubt; else the names that fit, as ambiguous. Spend "
        + "counts in the environment that it was imported for.",
      "null counts winning postbacks of every window that have neither a fine nor a coarse value; coarse null those of "
        + "them whose version knows coarse values (SKAdNetwork 4, AdAttributionKit). With --app or --network, what was not "
        + "believed counts by what the kept bodies claim.",
    ],
    examples: [
      .init("One month", "skan report campaigns -d skan.db --from 2026-11-01 --to 2026-12-01"),
      .init(
        "By day and network, for a spreadsheet",
        "skan report campaigns -d skan.db --by day,network --format csv"),
    ],
    options: [
      .database(),
      .value("--from", "DATE", .time, "The first day of arrival that counts (UTC)."),
      .value("--to", "DATE", .time, "The first day of arrival that no longer counts (UTC)."),
      .value(
        "--by", "NAMES", .text,
        "What rows are told apart by: some of \(CampaignDimension.allCases.map(\.rawValue).joined(separator: ", ")), "
          + "comma-separated.", default: "app,network,campaign"),
      .value("--app", "ID", .text, "Only this app's App Store number.", isRepeatable: true),
      .value("--network", "ID", .text, "Only this ad network.", isRepeatable: true),
      .value(
        "--environment", "NAME", .choice(Environment.allCases.map(\.rawValue)), "Whose keys signed.",
        default: Environment.production.rawValue),
      .value(
        "--digits", "N", .integer(2...4), "How many last digits of a source identifier tell campaigns apart."),
      .value(
        "--currency", "CODE", .text,
        "Turn money into this currency by the rates that `skan rates import` took in; what has no rate stays as it is."
      ),
      .format(),
    ])

  static func run(_ call: Invocation) throws -> ExitCode {
    let words = try words(call)
    let query: CampaignQuery
    let currency: CurrencyCode?
    do throws(ParameterError) {
      query = try CampaignQuery(words: words)
      currency = try CampaignQuery.currency(words: words)
    } catch {
      throw call.mistake("The value of '--\(error.name)' can't be used: \(error.detail).")
    }
    let report = try CampaignReport(query, into: currency, from: call.reader())
    call.console.write(report.text(OutputFormat(call.format)))
    return .done
  }

  private static func words(_ call: Invocation) throws -> [String: String] {
    let settings = call.settings
    var words: [String: String] = [:]
    for name in ["from", "to"] {
      guard let time = settings.time("--\(name)") else { continue }
      guard time == time.day.start else {
        throw call.mistake(
          "The value '\(time)' of '--\(name)' is not the start of a UTC day; reports count whole days.",
          hint: "Give '\(time.day)'.")
      }
      words[name] = "\(time.day)"
    }
    words["by"] = settings.text("--by")
    words["app"] = joined(settings.texts("--app"))
    words["network"] = joined(settings.texts("--network"))
    words["environment"] = settings.text("--environment")
    words["digits"] = settings.integer("--digits").map { "\($0)" }
    words["currency"] = settings.text("--currency")
    return words
  }

  private static func joined(_ texts: [String]) -> String? {
    texts.isEmpty ? nil : texts.joined(separator: ",")
  }
}
