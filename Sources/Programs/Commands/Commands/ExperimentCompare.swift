import Arguments
import Estimates
import JSONText
import Ledger
import MappingFormats
import MappingLibrary
import Postbacks
import Reporting
import System
import Values
import Verification

/// `skan experiment compare`: which of two campaigns is better, and whether that is sure yet.
enum ExperimentCompareCommand {
  static let entry = Entry(
    command: Command(
      "experiment compare", "Compare two campaigns, and tell when to stop.",
      discussion: [
        "Prints the difference of the arms with two intervals. The sequence (normal mixture; Waudby-Smith and others, 2021) "
          + "holds at all looks at once, so that it may be looked at every day: stop when 0 lies outside. Once it did, the "
          + "answer stays. The fixed interval (Welch) holds for one look only, at a size that was fixed before, and where "
          + "the split stays the same: a warning is printed where it changes from day to day.",
        "The sequence compares arms within each day of arrival, so that neither good days nor a changed split make a "
          + "difference. It speaks from 100 shown values in each arm on, and its guarantee is one of large numbers. A day "
          + "counts when it is over: leave today out with --to. Give as --planned what the plan says, which is where it is to be tightest; do not change "
          + "that, the measure or the first day after looking.",
        "Values are worth what the mapping says, and users of one value lie evenly in its range. Coarse values and those "
          + "that the mapping does not know are left out. Where more is withheld of one arm, what is shown of the two may "
          + "not be alike: compare null-rate, too.",
      ],
      examples: [
        .init(
          "Revenue of two campaigns",
          "skan experiment compare -d skan.db --a example123.skadnetwork/12 --b example123.skadnetwork/34 --planned 6000"
        ),
        .init(
          "Whether one has more nulls",
          "skan experiment compare -d skan.db --a example123.skadnetwork/12 --b example123.skadnetwork/34 --measure null-rate"
        ),
      ],
      options: [
        .database(),
        .value("--a", "NETWORK/CAMPAIGN", .text, "Arm A.", isRequired: true),
        .value("--b", "NETWORK/CAMPAIGN", .text, "Arm B.", isRequired: true),
        .value("--from", "DATE", .time, "The first day of arrival that counts (UTC)."),
        .value("--to", "DATE", .time, "The first day of arrival that no longer counts (UTC)."),
        .value(
          "--measure", "WHAT", .text, "revenue, event:NAME or null-rate: what arms are compared by.",
          default: "revenue"),
        .value(
          "--planned", "N", .integer(1...1_000_000_000_000),
          "The shown values of both arms for which the sequence is tightest.", default: "10000"),
        .value("--level", "PERCENT", .integer(50...99), "How sure to be of a result.", default: "95"),
        .value("--app", "ID", .integer(1...(.max)), "Only this app's App Store number."),
        .value(
          "--environment", "NAME", .choice(Environment.allCases.map(\.rawValue)), "Whose keys signed.",
          default: Environment.production.rawValue),
        .value(
          "--digits", "N", .integer(2...4),
          "How many last digits of a source identifier tell campaigns apart; nulls have two always.",
          default: "2"), .format(["table", "json"]),
      ]), run: run)

  private static func run(_ call: Invocation) throws -> ExitCode {
    let settings = call.settings
    let digits = settings.integer("--digits") ?? 2
    let names = (a: try arm("--a", digits, call), b: try arm("--b", digits, call))
    guard names.a != names.b else { throw call.mistake("'--a' and '--b' are the same campaign.") }
    let text = settings.text("--measure") ?? ""
    guard let measure = ExperimentMeasure(text) else {
      throw call.mistake(
        "The value '\(text)' of '--measure' is no measure.",
        hint: "Allowed are revenue, event:NAME and null-rate.")
    }
    let days = (from: try day("--from", call), to: try day("--to", call))
    var arms = ExperimentArms(a: names.a, b: names.b, measure: measure, digits: digits)
    let reader = try call.reader()
    let environment = settings.text("--environment").flatMap { Environment(rawValue: $0) } ?? .production
    let app = settings.integer("--app")
    let known = try reader.consistently { () throws(LedgerError) in
      let catalog = try MappingCatalog(from: reader)
      try reader.forEachFirstWindowHour(environment) { row in
        guard days.from.map({ row.hour.day >= $0 }) ?? true, days.to.map({ row.hour.day < $0 }) ?? true,
          app.map({ Int64($0) == row.app.number }) ?? true
        else { return }
        arms.add(row, catalog, environment.timers)
      }
      return catalog.eventNames
    }
    if case .event(let event) = measure, !known.contains(event) {
      throw CommandError(UnknownEventError(event: event, known: known.sorted()))
    }
    guard arms.apps.count <= 1 else {
      throw call.mistake(
        "The campaigns are of more than one app.", hint: "Say with '--app' which one counts.")
    }
    guard arms.currencies.count <= 1 else {
      throw CommandError(
        .data,
        "the mapping speaks of amounts in \(arms.currencies.sorted().map(\.text).joined(separator: ", "))",
        remedy: "compare an event or the null rate")
    }
    for (name, counts) in [(arms.a, arms.counts.a), (arms.b, arms.counts.b)] where counts.installs == 0 {
      call.console.note("there is no winning first postback of \(printable(name.text))")
    }
    if arms.hasBothKinds {
      call.console.note(
        "postbacks with a campaign-id and with a source-identifier of that number count alike")
    }
    let level = Double(settings.integer("--level") ?? 95) / 100
    let result = ExperimentResult(
      arms: arms, level: level, planned: settings.integer("--planned") ?? 10_000)
    if call.format == .json {
      call.console.line(result.json.text(pretty: true))
    } else {
      call.console.write(result.table)
    }
    return .done
  }

  private static func arm(_ name: String, _ digits: Int, _ call: Invocation) throws -> ExperimentArms.Name {
    let text = call.settings.text(name) ?? ""
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), parts[1].utf8.allSatisfy({ 48...57 ~= $0 })
    else {
      throw call.mistake(
        "The value '\(text)' of '\(name)' is not NETWORK/CAMPAIGN.",
        hint: "Such as example123.skadnetwork/12.")
    }
    let network = parts[0].lowercased()
    // A source identifier of more digits is folded as the postbacks are.
    let campaign = String(parts[1])
    guard campaign.utf8.count > digits, campaign != "100",
      let folded = SourceIdentifier(campaign)?.shortened(toLast: digits)
    else { return .init(network: network, campaign: campaign) }
    return .init(network: network, campaign: folded.text)
  }

  private static func day(_ name: String, _ call: Invocation) throws -> Day? {
    guard let time = call.settings.time(name) else { return nil }
    guard time == time.day.start else {
      throw call.mistake(
        "The value '\(time)' of '\(name)' is not the start of a UTC day; arms are compared by whole days.",
        hint: "Give '\(time.day)'.")
    }
    return time.day
  }
}
