import Arguments
import Intake
import JSONText
import Ledger
import Reporting
import System
import Values
import Verification

/// `skan ingest`: stores postbacks from files, judged as the daemon judges them.
enum IngestCommand {
  static let entry = Entry(command: command, signals: .heed, run: run)

  static let command = Command(
    "ingest", "Store postbacks from files in a database, as if the daemon had received them.",
    discussion: [
      "The form of each file is detected: one JSON object, an array, or one object a line (NDJSON), gzip-compressed or "
        + "not. A conversion that is known already is not counted again, so a file can be read twice without harm.",
      "Ctrl-C or SIGTERM ends the work in order: what was read is stored, and the same command goes on from there. A "
        + "second one ends it at once.",
      "The exit code is 0 when all was stored, also where some postbacks were not valid: they are kept apart.",
    ],
    examples: [
      .init("Store what a network exported", "skan ingest --database skan.db export.ndjson.gz"),
      .init(
        "As the postbacks of one network's webhook", "skan ingest -d skan.db --as forwarded:acme acme.json"),
    ],
    positionals: [.postbackFiles],
    options: [
      .database(), .trustTestKeys,
      .value("--received-at", "TIME", .time, "When the postbacks came; without it, now."),
      .value(
        "--received-at-member", "NAME", .text,
        "The member of each postback that tells when it came, as `skan simulate --postbacks` writes simulated-arrival."
      ),
      .value(
        "--as", "ROUTE", .text,
        "The way they came: file, network-address, advertiser-copy, or forwarded:NAME.", default: "file"),
      .format(["table", "json"]),
    ])

  static func run(_ call: Invocation) throws -> ExitCode {
    let interruption = call.interruption
    let asOrigin = try route(call)
    let ingest = BulkIngest(
      keyring: try call.keyring(), database: call.settings.text("--database") ?? "")
    var clock = call.world.clock
    if let time = call.settings.time("--received-at") { clock = { time } }
    let timeMember = call.settings.text("--received-at-member")
    let start = wallMicroseconds()
    var report = IngestReport()
    for path in call.settings.positionals {
      let file = try InputFile(path, on: call.console, interruption: interruption)
      var progress = Progress("ingest", unit: "bytes", total: file.size, on: call.console)
      do {
        let summary = try ingest.run(from: asOrigin(path), clock: clock, timeMember: timeMember) {
          try file.next()
        } onProgress: { _ in
          progress.advance(to: file.position)
          return interruption.isWished != true
        }
        report.add(summary)
        if let timeMember, summary.withoutTime > 0 {
          call.console.note(
            "\(counted(summary.withoutTime, "postback")) told no time as '\(timeMember)', and came now")
        }
        if summary.stored + summary.countedOnly == 0, interruption.isWished != true {
          call.console.note("skan: there is no postback in \(path == "-" ? "standard input" : "'\(path)'")")
        }
      } catch {
        progress.finish()
        report.add(error.summary)
        report.seconds = (wallMicroseconds() - start) / 1e6
        call.console.write(call.format == .json ? report.json.text(pretty: true) + "\n" : report.text)
        let database = call.settings.text("--database") ?? ""
        let isLedger = error.cause is LedgerError
        throw isLedger
          ? CommandError(error.cause).about("cannot store in '\(database)'") : CommandError(error.cause)
      }
      progress.finish()
      if interruption.isWished == true { break }
    }
    report.seconds = (wallMicroseconds() - start) / 1e6
    call.console.write(call.format == .json ? report.json.text(pretty: true) + "\n" : report.text)
    guard interruption.isWished == true else { return .done }
    call.console.output.flush()
    call.console.problem(
      "interrupted: what is counted above is stored",
      remedy: "the same command again; what is stored is recognised and not counted twice")
    return .interrupted
  }

  private static func route(_ call: Invocation) throws -> (String) -> Origin {
    let text = call.settings.text("--as") ?? "file"
    if text == "file" { return { path in Origin(.file, name: fileName(path)) } }
    if text == Route.networkAddress.rawValue { return { _ in Origin(.networkAddress) } }
    if text == Route.advertiserCopy.rawValue { return { _ in Origin(.advertiserCopy) } }
    let prefix = "forwarded:"
    guard text.hasPrefix(prefix), text.count > prefix.count else {
      throw call.mistake(
        "The value '\(text)' of '--as' is not one of file, network-address, advertiser-copy, forwarded:NAME.")
    }
    let name = String(text.dropFirst(prefix.count))
    return { _ in Origin(.forwarded, name: name) }
  }

  private static func fileName(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}

/// What an ingest came to, over all files.
struct IngestReport {
  private var stored = 0
  private var countedOnly = 0
  private var first = 0
  private var repeated = 0
  private var conflicts = 0
  private var rejected: [Rejection.State: Int] = [:]
  /// How long it took.
  var seconds = 0.0

  /// Adds what one file came to.
  mutating func add(_ summary: IngestSummary) {
    stored += summary.stored
    countedOnly += summary.countedOnly
    first += summary.first
    repeated += summary.repeated
    conflicts += summary.conflicts
    rejected.merge(summary.rejected, uniquingKeysWith: +)
  }

  private var rate: Int { seconds > 0 ? Int(Double(stored) / seconds) : stored }

  /// The figures for machines.
  var json: JSONOutput {
    .object([
      .init("stored", .integer(Int64(stored))), .init("counted-only", .integer(Int64(countedOnly))),
      .init("new", .integer(Int64(first))),
      .init("repeated", .integer(Int64(repeated))), .init("conflicts", .integer(Int64(conflicts))),
      .init(
        "rejected",
        .object(
          Rejection.State.allCases.map { .init($0.rawValue, .integer(Int64(rejected[$0, default: 0]))) })),
      .init("seconds", JSONNumber(fixed(seconds, 2)).map { .number($0) } ?? .null),
      .init("rate", .integer(Int64(rate))),
    ])
  }

  /// The figures for people.
  var text: String {
    let rejections = Rejection.State.allCases.map { ("rejected, \($0.rawValue)", rejected[$0, default: 0]) }
    let lines =
      [("stored", stored), ("new", first), ("repeated", repeated), ("conflicts", conflicts)]
      + rejections.filter { $0.1 > 0 }
      + (countedOnly > 0 ? [("beyond the quota, not kept", countedOnly)] : [])
    let width = lines.reduce(0) { max($0, $1.0.count) }
    let rows = lines.map { name, count in
      name + String(repeating: " ", count: width - name.count) + "  \(count)\n"
    }
    return rows.joined() + "\(fixed(seconds, 2)) seconds, \(rate) a second\n"
  }
}
