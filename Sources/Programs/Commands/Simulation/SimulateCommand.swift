import Arguments
import MappingFormats
import Mappings
import Pages
import Postbacks
import Signing
import Simulation
import SimulationReports
import System
import Tables
import Values

/// `skan simulate`: replays users under Apple's rules and prints what a report will show of them.
enum SimulateCommand {
  static let entry = Entry(command: command, signals: .heed, run: run)

  enum Options {
    static let mapping = TypedOption<String?>.value("--mapping", "FILE", .path, "Mapping file.")
    static let events = TypedOption<String?>.value(
      "--events", "EVENTS", .path, "Events file; -: standard input.")
    static let currency = TypedOption<String?>.value(
      "--currency", "CODE", .text, "Currency of revenue.", defaultNote: "the mapping's")
    static let `protocol` = TypedOption<Mapping.Device?>.choice(
      "--protocol", "WORD", "Protocol to simulate.", defaultNote: "the mapping's")
    static let threshold = TypedOption<String?>.value(
      "--threshold", "MODEL", .text, "Privacy threshold model.", defaultNote: "none")
    static let seed = TypedOption<Int?>.value(
      "--seed", "N", .integer(0...(.max)), "Random seed.", defaultNote: "1")
    static let runs = TypedOption<Int?>.value(
      "--runs", "N", .integer(1...10_000), "Number of simulation runs.", defaultNote: "1")
    static let horizon = TypedOption<Int?>.value(
      "--horizon", "DAYS", .integer(1...36_500),
      "Days since install that count as true revenue.", defaultNote: "35")
    static let nonWinners = TypedOption<Int?>.value(
      "--non-winners", "PERCENT", .integer(0...100),
      "Percentage of installs that also send a non-winning postback of another network.", defaultNote: "0")
    static let lostUpdates = TypedOption<String?>.value(
      "--lost-updates", "PERCENT", .text,
      "Share of value updates that never reach the system, such as 3%.", defaultNote: "none")
    static let appOpens = TypedOption<[String]>.repeatable(
      "--app-opens", "EVENT", .text,
      "Event at which the app is open; all others happen while it is shut, and count at the next one of these.",
      defaultNote: "all")
    static let compare = TypedOption<[String]>.repeatable(
      "--compare", "WHAT", .text, "Variant to compare with; see above.")
    static let html = TypedOption<String?>.value("--html", "FILE", .path, "File for an HTML page.")
    static let language = TypedOption<Language>.language("Language of the HTML page.")
    static let postbacks = TypedOption<String?>.value(
      "--postbacks", "FILE", .path,
      "File for the signed postbacks of the first run (NDJSON); -: standard output.")
    static let testKey = TypedOption<String?>.value(
      "--test-key", "FILE", .path, "Key file to sign the postbacks; see `skan sign`.")
    static let network = TypedOption<String>.value(
      "--network", "ID", .text, "Ad network in the postbacks.", default: "example123.skadnetwork")
    static let threads = TypedOption<Int?>.value(
      "--threads", "N", .integer(1...256), "Number of threads.", defaultNote: "one for each processor")
  }

  static let command = Command(
    "simulate", "Simulate what reports show for users' events under a mapping.",
    discussion: [
      "Each user of the events file launches the app, gets conversion values from the mapping, and "
        + "sends postbacks after Apple's delays, without values below the privacy threshold. skan compares "
        + "the result with the true figures. Users without a campaign are organic and send no "
        + "postbacks; where no row names a campaign, all users count as one.",
      "An events file is CSV with a header or one JSON object per line (NDJSON), gzip-compressed or "
        + "not, with the columns user, time and event, and optionally revenue, currency, campaign, "
        + "installed, conversion-tag, source_app and country; use --columns for other column names. Rows may be in any order, and the file may be "
        + "larger than memory. Events of one user in one second count in the order of their rows.",
      "Apple publishes no numbers for its privacy threshold. The models of --threshold are none; "
        + "hard:N (values from N installs per campaign and day); logistic:MIDDLE[,SLOPE]; tiers[:T1,T2,T3] "
        + "(Apple's tiers, by the digits of the source identifier, the source_app and, for aak, the country); "
        + "value:N (a value is shown if N "
        + "users of a campaign and week share it); and the presets "
        + CrowdModel.presets.map(\.name).joined(separator: ", ") + ".",
      "--compare simulates a variant on the same users with the same random draws: another mapping "
        + "(FILE), the same mapping with another protocol (@skan3, @skan4, @aak), or both (FILE@skan3). "
        + "skan prints the differences of campaign errors with 95 % intervals.",
      "A value changes only while the app is open. With --app-opens, every event of another name happens elsewhere, such "
        + "as a renewal on a server: its revenue is true from then on, and the app counts it at the next event of these. "
        + "What comes behind the last one changes no value.",
      "The same seed gives the same output for any number of processors. A scenario file contains all "
        + "settings; options take precedence over it.",
    ],
    examples: [
      .init(
        "Simulate a mapping",
        "skan simulate --mapping mapping.json --events events.csv.gz --threshold default"
      ),
      .init(
        "Compare two mappings on an HTML page",
        "skan simulate --mapping a.json --compare b.json --events events.csv --threshold tiers --html compare.html"
      ),
      .init(
        "Write signed postbacks for a test daemon",
        "skan simulate --mapping a.json --events events.csv --postbacks out.ndjson --test-key key.json"),
      .init("Run a scenario file", "skan simulate scenario.json"),
    ],
    positionals: [
      Positional("SCENARIO", .path, "Scenario file.", isRequired: false)
    ],
    options: [
      Options.mapping.option,
      Options.events.option,
      Options.currency.option,
      Options.protocol.option,
      Options.threshold.option,
      Options.seed.option,
      Options.runs.option,
      Options.horizon.option,
      Options.nonWinners.option,
      Options.lostUpdates.option,
      Options.appOpens.option,
      Options.compare.option,
      Options.html.option,
      Options.language.option,
      Options.postbacks.option,
      Options.testKey.option,
      Options.network.option,
      Options.threads.option,
    ] + Option.events + [.format()])

  static func run(_ call: Invocation) throws -> ExitCode {
    let plan = try SimulationPlan(call)
    let console = call.console
    let interruption = call.interruption
    let input = try plan.readUsers(call)
    let cohorts = input.cohorts
    try requireKnown(plan.variants[0].configuration.appOpens, among: cohorts.names.events)
    console.note("seed \(plan.seed)")
    let study = SimulationStudy(
      simulators: plan.variants.map { Simulator($0.configuration) }, runs: plan.runs, cohorts: cohorts,
      threads: call[Options.threads] ?? processorCount)
    let progress = Guarded(ProgressCounter(on: console))
    let result = try study.run { done in
      progress.withLock { $0.advance(to: done) }
      return !interruption.isRequested
    }
    progress.withLock { $0.finish() }
    guard let result else {
      throw CommandError.interruptedBeforeWriting
    }
    let report = try SimulationReport(
      zip(plan.variants, result.outcomes).map {
        SimulationReport.Variant(name: $0.name, configuration: $0.configuration, outcome: $1)
      }, population: input.population, chain: result.chain)
    for note in report.notes { console.note(note.english) }
    if let path = plan.postbacks {
      let count = try SimulatedPostbacks(study.simulators[0], result.crowds[0], plan).write(
        cohorts, to: path, call, interruption)
      console.note("wrote \(counted(count, "postback")) to '\(path)'")
    }
    // Last, so that an interruption of the long part before leaves neither file.
    if let path = call[Options.html] {
      let page = try report.html(in: call[Options.language].pageLanguage)
      try AtomicFile.write(Array(page.utf8), to: path)
      console.note("wrote the page to '\(path)'")
    }
    if plan.postbacks == "-" {
      console.note("skipped the report, because standard output has the postbacks")
    } else {
      try report.write(call.format) { console.write($0) }
    }
    return .done
  }
}

/// Rejects names of openings that no event has: the app would hardly ever open.
private func requireKnown(_ openings: Set<String>, among events: [String]) throws(CommandError) {
  let known = Set(events)
  guard let name = openings.sorted().first(where: { !known.contains($0) }) else { return }
  let meant = name.utf8.count <= 40 ? nearest(to: name, among: Array(events.sorted().prefix(200))) : nil
  throw CommandError(
    .data, "no event has the name '\(printable(name))' of '--app-opens'",
    remedy: meant.map { "did you mean '\(printable($0))'?" } ?? "use names of the events")
}

/// A progress line in hundredths of the work.
private struct ProgressCounter: ~Copyable {
  private var progress: Progress?

  init(on console: Console) { progress = Progress("simulate", unit: "%", total: 100, on: console) }

  mutating func advance(to share: Double) { progress?.advance(to: Int(100 * share)) }

  mutating func finish() {
    if let progress = progress.take() { progress.finish() }
  }
}
