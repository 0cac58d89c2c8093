import Arguments
import Ledger
import Postbacks
import Reporting
import System
import Values
import Verification

/// `skan report nulls`: how many values are withheld, and what that tells.
enum ReportNullsCommand {
  static let entry = Entry(
    command: Command(
      "report nulls",
      "Print how many values are withheld, where that changed, and what it tells of the threshold.",
      discussion: [
        "The share of nulls comes with its 90 % interval (Wilson), by campaign or by campaign and UTC day of arrival, and "
          + "with the days on which it changed for good: at least 12 days of arrival are needed to find a change. The "
          + "threshold is inferred from your own campaigns' days of arrival with its 90 % interval, for the delays of "
          + "SKAdNetwork 4; where values are not withheld by the size of a campaign's day, no threshold is visible. A value "
          + "that was shown for one single user refutes the rule that hides rare values; drift p is how likely so large a "
          + "change of the mix of values from the first half of the days to the second is by chance.",
        "Coarse values, zeroes, values that the mapping does not know, and non-winning postbacks stand apart: none of them "
          + "is a null.",
      ],
      examples: [
        .init("By campaign", "skan report nulls -d skan.db"),
        .init("Day by day", "skan report nulls -d skan.db --by day --network example123.skadnetwork"),
      ],
      options: [
        .database(), .value("--from", "DATE", .time, "The first day of arrival that counts (UTC)."),
        .value("--to", "DATE", .time, "The first day of arrival that no longer counts (UTC)."),
        .value(
          "--by", "WHAT", .choice(["campaign", "day"]), "Rows by campaign, or by campaign and day.",
          default: "campaign"),
        .format(),
      ] + filters)
  ) { call in
    let report = try NullReport(query(call), from: call.reader())
    call.console.write(report.text(call.format))
    return .done
  }

  /// The options that say which postbacks count.
  static let filters: [Option] = [
    .value("--app", "ID", .text, "Only this app's App Store number.", isRepeatable: true),
    .value("--network", "ID", .text, "Only this ad network.", isRepeatable: true),
    .value(
      "--null-is-zero", "NETWORK", .text, "A network that reports a withheld value as 0.",
      isRepeatable: true),
    .value(
      "--environment", "NAME", .choice(Environment.allCases.map(\.rawValue)), "Whose keys signed.",
      default: Environment.production.rawValue),
    .value(
      "--digits", "N", .integer(2...4),
      "How many last digits of a source identifier tell campaigns apart; nulls have two always.", default: "2"
    ),
  ]

  /// The question that the options ask.
  static func query(_ call: Invocation) throws -> EstimateQuery {
    let settings = call.settings
    var query = EstimateQuery()
    query.environment = settings.text("--environment").flatMap { Environment(rawValue: $0) } ?? .production
    query.from = try call.wholeDay("--from")
    query.to = try call.wholeDay("--to")
    query.byDay = settings.text("--by") == "day"
    query.digits = settings.integer("--digits") ?? 2
    query.networks = settings.texts("--network").map { $0.lowercased() }
    query.zeroMeansNull = Set(settings.texts("--null-is-zero").map { $0.lowercased() })
    query.apps = try settings.texts("--app").map { text in
      guard let number = Int64(text), let app = AppID(number) else {
        throw call.mistake("The value '\(text)' of '--app' is not an App Store number, such as 525463029.")
      }
      return app
    }
    return query
  }
}

extension Invocation {
  /// The UTC day that an option names; `nil` where it is not given.
  func wholeDay(_ name: String) throws -> Day? {
    guard let time = settings.time(name) else { return nil }
    guard time == time.day.start else {
      throw mistake(
        "The value '\(time)' of '\(name)' is not the start of a UTC day; reports count whole days.",
        hint: "Give '\(time.day)'.")
    }
    return time.day
  }
}
