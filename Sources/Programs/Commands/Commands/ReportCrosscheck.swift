import Values
import Arguments
import Ledger
import Reporting
import System

/// `skan report crosscheck`: what devices and networks say of the same conversions.
enum ReportCrosscheckCommand {
  static let entry = Entry(
    command: Command(
      "report crosscheck", "Compare what devices copied to you with what networks passed on.",
      discussion: [
        "A device sends the same bytes to the ad network and, where the app asks for it, to the advertiser. For each "
          + "network, app and window this prints how many conversions both sides told, only devices, and only the "
          + "network; where both differ in value, coarse value or country; and the delay from the device's copy to the "
          + "network's, median and 95th percentile. --from and --to are about a conversion's first copy.",
        "Every conversion that differs has exactly one reason, derived from what the database knows; what nothing "
          + "explains is told as unexplained. Some reasons are no fault: devices copy winning postbacks only, and from "
          + "iOS 15 on.",
        "Whether a side leaves out conversions by their value is tested by a chi-square of three groups: only devices, "
          + "both, only the network. Probabilities are corrected for the number of networks (Holm).",
      ],
      examples: [
        .init("One month", "skan report crosscheck -d skan.db --from 2026-11-01 --to 2026-12-01"),
        .init("With all distributions", "skan report crosscheck -d skan.db --format json"),
      ], options: ReportPostbacksCommand.options)
  ) { call in
    let query = try ReportPostbacksCommand.query(call)
    let report = try CrosscheckReport(query, from: call.reader(), now: call.world.clock())
    call.console.write(report.text(call.format))
    return .done
  }
}
