import Arguments
import MappingFormats
import Postbacks
import Signing
import Simulation
import SimulationReports
import System

/// `skan simulate`: replays users through Apple's machinery and tells what a report will show of them.
enum SimulateCommand {
  static let entry = Entry(command: command, signals: .heed, run: run)

  static let command = Command(
    "simulate", "Replay users through Apple's timers and crowds, and tell what a report will show of them.",
    discussion: [
      "Every user of the events file launches the app, sets values by the mapping, and sends postbacks, which come late "
        + "and without their values where the crowd is small. Beside what reports would show stands the truth. Users "
        + "without a campaign are organic and send nothing.",
      "An events file is CSV with a header or one JSON object a line (NDJSON), gzip-compressed or not, with the columns "
        + "user, time and event, and optionally revenue, currency, campaign, installed, conversion-tag, source_app and "
        + "country; --columns finds them under other names. Rows can stand in any order, and there can be more of them than fit into memory; "
        + "events of one user in one second count in the order of their rows.",
      "Apple publishes no numbers about crowds. The models of --threshold are none; hard:N (values from N installs per "
        + "campaign and day on); logistic:MIDDLE[,SLOPE]; tiers[:T1,T2,T3] (Apple's tiers, by the digits of the "
        + "source identifier, the source_app and, for aak, the country); value:N (a value is shown when N users of a campaign and week share it); and the presets "
        + CrowdModel.presets.map(\.name).joined(separator: ", ") + ".",
      "--compare plays something else on the same users with the same draws: another mapping (FILE), the same one on "
        + "another device (@skan3, @skan4, @aak), or both (FILE@skan3). Differences in the campaigns' error come with "
        + "their 95 % interval.",
      "The same seed gives the same output, whatever the number of processors. A scenario file says all of this at once; "
        + "options count before it.",
    ],
    examples: [
      .init(
        "What a mapping will show",
        "skan simulate --mapping mapping.json --events events.csv.gz --threshold default"
      ),
      .init(
        "Which of two is better, as a page",
        "skan simulate --mapping a.json --compare b.json --events events.csv --threshold tiers --html compare.html"
      ),
      .init(
        "Postbacks to try the daemon with",
        "skan simulate --mapping a.json --events events.csv --postbacks out.ndjson --test-key key.json"),
      .init("A repeatable experiment", "skan simulate scenario.json"),
    ],
    positionals: [
      Positional("SCENARIO", .path, "A scenario file.", isRequired: false)
    ],
    options: [
      .value("--mapping", "FILE", .path, "The mapping file."),
      .value("--events", "EVENTS", .path, "The events file; - is standard input."),
      .value("--currency", "CODE", .text, "The currency that is measured; without it, the mapping's."),
      .value(
        "--skan", "DEVICE", .choice(["3", "4", "aak"]),
        "The device to play on; without it, the mapping's own."),
      .value("--threshold", "MODEL", .text, "When Apple shows a value; without it, none."),
      .value("--seed", "N", .integer(0...(.max)), "Where the dice start.", default: nil),
      .value("--runs", "N", .integer(1...10_000), "How often the dice are thrown; without it, once."),
      .value(
        "--horizon", "DAYS", .integer(1...36_500),
        "The days since install whose revenue is the truth; without it, 35."),
      .value(
        "--non-winners", "PERCENT", .integer(0...100),
        "How many installs send a non-winning postback of another network too; without it, 0."),
      .value(
        "--lost-updates", "PERCENT", .text,
        "Share of value updates that never reach the system, such as 3%; without it, none."),
      .value("--compare", "WHAT", .text, "What to compare with; see above.", isRepeatable: true),
      .value("--html", "FILE", .path, "Write a page for a browser, too."),
      .value(
        "--postbacks", "FILE", .path,
        "Write the first run's postbacks, signed, as NDJSON; - is standard output."),
      .value("--test-key", "FILE", .path, "The key file to sign them with; see `skan sign`."),
      .value("--network", "ID", .text, "The network in them.", default: "example123.skadnetwork"),
      .value(
        "--threads", "N", .integer(1...256), "How many threads work; without it, one for each processor."),
    ] + Option.events + [.format()])

  static func run(_ call: Invocation) throws -> ExitCode {
    let plan = try SimulationPlan(call)
    let console = call.console
    let interruption = call.interruption
    let input = try plan.readUsers(call)
    let cohorts = input.cohorts
    console.note("seed \(plan.seed)")
    let study = SimulationStudy(
      simulators: plan.variants.map { Simulator($0.configuration) }, runs: plan.runs, cohorts: cohorts,
      threads: call.settings.integer("--threads") ?? processorCount)
    let progress = Guarded(ProgressCounter(cohorts.count * 2, on: console))
    let result = try study.run {
      progress.withLock { $0.step() }
      return !interruption.isWished
    }
    progress.withLock { $0.finish() }
    guard let result else {
      throw Self.interrupted
    }
    let report = SimulationReport(
      zip(plan.variants, result.outcomes).map {
        SimulationReport.Variant(name: $0.name, configuration: $0.configuration, outcomes: $1)
      }, population: input.population, chain: result.chain)
    for note in report.notes { console.note(note) }
    if let path = plan.postbacks {
      let count = try SimulatedPostbacks(study.simulators[0], result.crowds[0], plan).write(
        cohorts, to: path, call, interruption)
      console.note("\(counted(count, "postback")) in '\(path)'")
    }
    // Last, so that whoever interrupts the long part before finds neither file.
    if let path = call.settings.text("--html") {
      try AtomicFile.write(Array(report.html.utf8), to: path)
      console.note("the page is in '\(path)'")
    }
    if plan.postbacks == "-" {
      console.note("the report is left out, because the postbacks are on standard output")
    } else {
      console.write(report.text(call.format))
    }
    return .done
  }

  /// What stands in the way of a command that is to end early.
  static let interrupted = CommandError(
    .interrupted, "interrupted: no file was written", remedy: "the same command again; it starts anew")
}

/// A progress line that is moved on step by step.
private struct ProgressCounter: ~Copyable {
  private var progress: Progress?
  private var done = 0

  init(_ total: Int, on console: Console) {
    progress = Progress("simulate", unit: "steps", total: total, on: console)
  }

  mutating func step() {
    done += 1
    progress?.advance(to: done)
  }

  mutating func finish() {
    if let progress = progress.take() { progress.finish() }
  }
}
