import Values
import Arguments
import Ledger
import Reporting
import System

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
      ] + ReportEstimatesCommand.filters)
  ) { call in
    let report = try NullReport(ReportEstimatesCommand.query(call), from: call.reader())
    call.console.write(report.text(call.format))
    return .done
  }
}
