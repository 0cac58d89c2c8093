import Arguments
import Ledger
import Postbacks
import Reporting
import System
import Values
import Verification

/// `skan report totals`: what networks say they counted beside what is here.
enum ReportTotalsCommand {
  static let entry = Entry(
    command: Command(
      "report totals", "Compare what networks say they counted with what is here, and guess why they differ.",
      discussion: [
        "Networks' totals come from `skan totals import`. For each network and campaign, and for each network in all, this "
          + "prints the network's installs, those here (winning first installs by first-window postbacks, on the UTC day "
          + "of arrival) on the same days, and why the two differ.",
        "The why is a best guess: named hypotheses, each of which can be tested by asking the network. They are ways of "
          + "counting, and one is told only when it comes within 2 installs or 2 %, whichever is more, of the network's "
          + "number and nothing simpler does: first no difference, then one thing counted otherwise, then two. Where "
          + "several fit equally, all are told. Bodies that were not believed count for a guess as far as they are kept.",
        "What the network did not tell, and what is here for a campaign that no postback ever named, stays empty; that is "
          + "not zero.",
      ],
      examples: [
        .init("One month", "skan report totals -d skan.db --from 2026-11-01 --to 2026-12-01"),
        .init("For programs", "skan report totals -d skan.db --format json"),
      ],
      options: [
        .database(), .value("--from", "DATE", .time, "The first day that counts, as the network dates it."),
        .value("--to", "DATE", .time, "The first day that no longer counts."),
        .value("--network", "ID", .text, "Only this ad network.", isRepeatable: true),
        .value(
          "--environment", "NAME", .choice(Environment.allCases.map(\.rawValue)), "Whose keys signed.",
          default: Environment.production.rawValue), .format(),
      ])
  ) { call in
    var query = TotalsQuery()
    query.environment =
      call.settings.text("--environment").flatMap { Environment(rawValue: $0) } ?? .production
    query.from = try call.wholeDay("--from")
    query.to = try call.wholeDay("--to")
    query.networks = call.settings.texts("--network").compactMap { AdNetworkID($0) }
    let report = try TotalsReport(query, from: call.reader(), today: call.world.clock().day)
    call.console.write(report.text(call.format))
    return .done
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
