import Values
import Arguments
import Ledger
import Postbacks
import Reporting
import System
import Values
import Verification

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
      ], options: options)
  ) { call in
    let query = try query(call)
    let report = try CrosscheckReport(query, from: call.reader(), now: call.world.clock())
    call.console.write(report.text(call.format))
    return .done
  }
}

extension ReportCrosscheckCommand {
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

  /// Which conversions the options ask for.
  static func query(_ call: Invocation) throws -> PostbackQuery {
    var words: [String: String] = [:]
    for name in PostbackQuery.wordNames {
      let texts = call.settings.givenTexts[name] ?? []
      if !texts.isEmpty { words[name] = texts.joined(separator: ",") }
    }
    do throws(ParameterError) {
      return try PostbackQuery(words: words)
    } catch {
      throw call.mistake("The value of '--\(error.name)' cannot be used: \(error.detail)")
    }
  }
}
