import Arguments
import Estimates
import Ledger
import MappingFormats
import Postbacks
import Reporting
import System
import Values
import Verification
import Tables

/// `skan report estimates`: what campaigns are worth with the values that were withheld.
enum ReportEstimatesCommand {
  static let entry = Entry(
    command: Command(
      "report estimates", "Estimate what campaigns are worth with the values that Apple withheld.",
      discussion: [
        "A null is not a zero, and a campaign with many nulls is not simply its shown part scaled up. The mix of values is "
          + "estimated for each campaign from what it shows and from what all campaigns of the app show (a tree of "
          + "beta-binomials), and the 90 % interval says how sure that is. It is checked on made-up campaigns with the "
          + "same sizes and shares of nulls, and widened where it missed too often.",
        "Cells are campaign and UTC day of install, which is inferred from the hours of arrival. They follow from "
          + "everything that is stored, whatever days are asked for, so parts add up to the whole.",
        "What this can't know: when withholding depends on the users themselves, no postback shows it. The columns of "
          + "nulls at -30 % and +30 % tell how much hangs on it; --format json has the worst case.",
      ],
      examples: [
        .init("By campaign", "skan report estimates -d skan.db"),
        .init(
          "By day of install", "skan report estimates -d skan.db --by day --from 2026-11-01 --to 2026-12-01"),
        .init("How many subscribed", "skan report estimates -d skan.db --event subs_success"),
      ],
      options: [
        .database(), .value("--from", "DATE", .time, "The first day of install that counts (UTC)."),
        .value("--to", "DATE", .time, "The first day of install that no longer counts (UTC)."),
        .value(
          "--by", "WHAT", .choice(["campaign", "day"]), "Rows by campaign, or by campaign and day.",
          default: "campaign"),
        .value("--event", "NAME", .text, "Estimate how many users did this, in the place of revenue."),
        .value(
          "--estimator", "NAME", .choice(Estimator.all.map(\.name)),
          "How withheld values are estimated; threshold is a rough look at networks that hide each value of fewer than five "
            + "users.",
          default: "tree"),
        .value("--seed", "N", .integer(0...(.max)), "What the draws follow from.", default: "1"),
        .format(),
      ] + filters), run: run)

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

  private static func run(_ call: Invocation) throws -> ExitCode {
    let settings = call.settings
    var query = try query(call)
    query.event = settings.text("--event")
    query.seed = UInt64(settings.integer("--seed") ?? 1)
    query.estimator = Estimator.all.first { $0.name == settings.text("--estimator") } ?? .tree
    let report: EstimateReport
    do {
      report = try EstimateReport(query, from: call.reader(), now: EstimateQuery.hour(of: call.world.clock()))
    } catch let error as UnknownEventError {
      throw CommandError(error)
    } catch let error as EstimationError {
      throw CommandError(
        .bug, "the estimate failed: \(error.code)", remedy: "report it with the command line")
    }
    call.console.write(report.text(OutputFormat(call.format)))
    return .done
  }

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

extension CommandError {
  /// An event that no mapping knows; exit code 65, with the events that there are.
  init(_ error: UnknownEventError) {
    let names = error.known.map { "'\(printable($0))'" }.joined(separator: ", ")
    self.init(
      .data, "no value of a loaded mapping tells of the event '\(printable(error.event))'",
      remedy: names.isEmpty ? "load a mapping with `skan mapping load`" : "one of \(names)")
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
