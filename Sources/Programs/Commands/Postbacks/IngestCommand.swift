import Arguments
import Campaigns
import Intake
import JSONText
import Ledger
import NetworkForms
import System
import Tables
import Values
import Verification

/// `skan ingest`: stores postbacks from files, judged as the daemon judges them.
enum IngestCommand {
  static let entry = Entry(command: command, signals: .heed, run: run)

  enum Options {
    static let receivedAt = TypedOption<Instant?>.value(
      "--received-at", "TIME", .time, "Arrival time of the postbacks.", defaultNote: "now")
    static let receivedAtMember = TypedOption<String?>.value(
      "--received-at-member", "NAME", .text,
      "Member of each postback that contains its arrival time, such as simulated-arrival from `skan "
        + "simulate --postbacks`."
    )
    static let from = TypedOption<PartnerExport?>.choice(
      "--from", "FORMAT", "Raw export of a measurement partner, a table or JSON objects, to read.",
      defaultNote: "postbacks")
    static let timeFormat = TypedOption<String?>.value(
      "--time-format", "PATTERN", .text,
      "Form of the arrival times: day-first, month-first, excel, excel-1904, or letters of strptime: '%d/%m/%Y %H:%M'.",
      defaultNote: "RFC 3339 or Unix time")
    static let timeZone = TypedOption<ReportingZone?>.value(
      "--time-zone", "ZONE", ReportingZone.kind, "Clock of arrival times without an offset.",
      defaultNote: "UTC")
    static let undo = TypedOption<Int?>.value(
      "--undo", "RUN", .integer(1...Int.max), "Import to take back, by the number that it printed.")
    static let route = TypedOption<String>.value(
      "--route", "ROUTE", .text,
      "Route of the postbacks: file, network-address, advertiser-copy or forwarded:NAME.", default: "file")
  }

  static let command = Command(
    "ingest", "Import postbacks from files.",
    discussion: [
      "skan verifies and counts the postbacks as the daemon does. It detects the format of each file: "
        + "one JSON object, an array, or one object per line (NDJSON), gzip-compressed or not. It counts "
        + "each conversion once, so you can import a file twice.",
      "Ctrl-C or SIGTERM stops the import after what it has read is stored; the same command then "
        + "continues. A second signal ends the process at once.",
      "With --from, skan reads a partner's raw export: cells between commas, semicolons or tabs, or JSON objects, in UTF-8 "
        + "or UTF-16. --columns names columns that the file calls otherwise. It verifies what Apple signed. A row without a signature counts "
        + "in the environment claimed, which reports show with --environment claimed and never add to another. "
        + "The partner's time of receipt is the arrival time; at a row whose time it cannot read, or that is not past, the "
        + "import stops and names the line. --time-format reads what spreadsheets leave: dates with the day or the month "
        + "first, serial numbers of Excel, or a pattern of %Y %y %m %b %d %H %I %p %M %S %z %s. Times without an offset are "
        + "those of --time-zone.",
      "Each import prints its number. --undo takes a wrong one back, with the daemon stopped: its conversions "
        + "go to the environment withdrawn and count nowhere else, and the corrected file counts as new. It "
        + "fails if copies of them have arrived or a relay has passed them on.",
      "With --route forwarded:NAME, skan reads the form that the configuration has for this network, as the daemon does.",
      "The exit code is 0 if everything was stored, and 1 if no postback of all was valid. Rejected postbacks are stored "
        + "too, apart from the valid ones, and counted by reason. Of a file without any JSON object nothing is stored, and the exit "
        + "code is 65.",
    ],
    examples: [
      .init("Import a network's export", "skan ingest --database skan.db export.ndjson.gz"),
      .init(
        "Import postbacks that a network forwarded", "skan ingest -d skan.db --route forwarded:acme acme.json"
      ),
      .init("Import what a partner received", "skan ingest -d skan.db --from appsflyer-raw postbacks.csv.gz"),
      .init(
        "Import an export that a spreadsheet has saved",
        "skan ingest -d skan.db --from branch-raw --time-format day-first --time-zone Europe/Berlin branch.csv"
      ),
    ],
    positionals: [.optionalPostbackFiles],
    options: [
      .database(), .journal, .trustTestKeys,
      Options.receivedAt.option,
      Options.receivedAtMember.option,
      Options.timeFormat.option,
      Options.timeZone.option,
      Options.route.option,
      Options.from.option,
      ImportOptions.columns.option,
      Options.undo.option,
      .format(["table", "json"]),
    ])

  static func run(_ call: Invocation) throws -> ExitCode {
    if let run = call[Options.undo] { return try undo(Int64(run), call) }
    guard !call.settings.positionals.isEmpty else {
      throw call.mistake("Missing argument 'FILE'.", hint: "Use '-' for standard input.")
    }
    let interruption = call.interruption
    let (asOrigin, profile) = try route(call)
    let database = try call.database
    var settings = LedgerSettings()
    settings.journal = try call.commandJournal()
    let ingest = BulkIngest(keyring: try call.keyring(), database: database, settings: settings)
    var clock = call.world.clock
    if let time = call[Options.receivedAt] { clock = { time } }
    let timeMember = call[Options.receivedAtMember]
    let export = call[Options.from]
    let columns = try columns(of: export, call)
    // A day more, for clocks that differ.
    let times = ArrivalTimes(
      in: timeMember, as: try timeFormat(call), by: try timeZone(call),
      hasFallback: call[Options.receivedAt] != nil,
      notAfter: export == nil ? nil : call.world.clock() + 86_400_000)
    let start = wallMicroseconds()
    var report = IngestReport()
    for path in call.settings.positionals {
      let file = try InputFile(path, on: call.console, interruption: interruption)
      var progress = Progress("ingest", unit: "bytes", total: file.size, on: call.console)
      do {
        let summary = try ingest.run(
          from: asOrigin(path), clock: clock, times: times, export: export, columns: columns,
          profile: profile
        ) {
          try file.next()
        } onProgress: { _ in
          progress.advance(to: file.position)
          return interruption.isRequested != true
        }
        report.add(summary)
        if let timeMember, summary.withoutTime > 0 {
          let time = call[Options.receivedAt].map { "\($0)" } ?? "now, because they are no JSON"
          call.console.note(
            "\(counted(summary.withoutTime, "postback")) without a time in '\(timeMember)': arrival time set "
              + "to \(time)")
        }
        note(summary, of: path, call.console)
        if summary.stored + summary.countedOnly == 0, interruption.isRequested != true {
          call.console.note("found no postback in \(path == "-" ? "standard input" : "'\(path)'")")
        }
      } catch {
        progress.finish()
        report.add(error.summary)
        report.seconds = (wallMicroseconds() - start) / 1e6
        call.console.write(call.format == .json ? report.json.text(pretty: true) + "\n" : report.text)
        let name = path == "-" ? "standard input" : "'\(path)'"
        throw CommandError(error.cause).about(
          error.cause is LedgerError ? "cannot store in '\(database)'" : "cannot import \(name)")
      }
      progress.finish()
      if interruption.isRequested == true { break }
    }
    report.seconds = (wallMicroseconds() - start) / 1e6
    call.console.write(call.format == .json ? report.json.text(pretty: true) + "\n" : report.text)
    guard interruption.isRequested == true else { return report.isAllRejected ? .failedCheck : .done }
    call.console.output.flush()
    call.console.problem(
      "interrupted: everything counted above is stored",
      remedy: "run the same command again; skan does not count stored postbacks twice")
    return .interrupted
  }

  /// Names the rows of a partner's export that did not count.
  private static func note(_ summary: IngestSummary, of path: String, _ console: Console) {
    for (line, reason) in summary.rowProblems.sorted(by: { $0.key < $1.key }) {
      console.note("\(fileName(path)):\(line): rejected: \(reason)")
    }
    if summary.rejectedRows > summary.rowProblems.count {
      console.note("\(counted(summary.rejectedRows - summary.rowProblems.count, "further row")) rejected")
    }
    if summary.withNullText > 0 {
      console.note(
        "\(counted(summary.withNullText, "postback")) with a text for no value, such as none, N/A or \\N: the member "
          + "counts as missing")
    }
    if summary.withoutPostback > 0 {
      console.note("\(counted(summary.withoutPostback, "row")) without a postback")
    }
  }

  private static func undo(_ id: Int64, _ call: Invocation) throws -> ExitCode {
    guard call.settings.positionals.isEmpty else { throw call.mistake("'--undo' takes no files.") }
    let path = try call.existingDatabase()
    let interruption = call.interruption
    var progress = Progress("ingest", unit: "totals", total: LedgerRebuild.parts, on: call.console)
    var begun = 0
    let outcome: Result<ImportRun, ImportRunObstacle>
    do throws(LedgerError) {
      outcome = try LedgerRebuild(path: path, isInterrupted: { interruption.isRequested })
        .withdraw(id, now: call.world.clock()) { step in
          guard case .compare = step else { return }
          progress.advance(to: begun)
          begun += 1
        }
    } catch {
      if error == .tookTooLong, interruption.isRequested { throw CommandError.interruptedBeforeWriting }
      if error == .followsJournal {
        throw CommandError(
          .usage, "cannot take import \(id) back: the database follows a journal",
          remedy: "take it back before `skan journal init`; all nodes would stop for the recount")
      }
      guard error == .busy else { throw CommandError(error).about("cannot change '\(path)'") }
      throw CommandError(
        .unavailable, "cannot take import \(id) back: another program has the database open",
        remedy: "stop the daemon, or wait for the import to finish, and run the command again")
    }
    progress.finish()
    switch outcome {
    case .success(let run):
      if call.format == .json {
        call.console.write(
          JSONOutput.object([
            .init("run", .integer(id)), .init("withdrawn", .integer(run.conversions)),
          ]).text(pretty: true) + "\n")
      } else {
        call.console.line(
          "import \(id) of \(run.beganAt) is taken back: \(counted(run.conversions, "conversion"))")
      }
      return .done
    case .failure(let obstacle):
      throw CommandError(
        .data, "cannot take import \(id) back: \(obstacle.sentence)", remedy: obstacle.remedy)
    }
  }

  private static func columns(of export: PartnerExport?, _ call: Invocation) throws -> ExportColumns {
    let pairs = call[ImportOptions.columns]
    guard !pairs.isEmpty else { return ExportColumns() }
    guard let export else {
      throw call.mistake(
        "'--columns' needs '--from', which has the columns; members of postbacks are renamed by the form of a network."
      )
    }
    do throws(ImportLayoutDefect) {
      var form = ImportForm()
      for each in pairs { try form.rename(each) }
      return try ExportColumns(form, for: export)
    } catch {
      throw call.mistake("The value of '--columns' is invalid: \(error.sentence).")
    }
  }

  private static func timeFormat(_ call: Invocation) throws -> TimeFormat? {
    guard let pattern = call[Options.timeFormat] else { return nil }
    guard call[Options.from] != nil || call[Options.receivedAtMember] != nil else {
      throw call.mistake("'--time-format' needs '--from' or '--received-at-member', which name the times.")
    }
    return try call.timeFormat(pattern)
  }

  private static func timeZone(_ call: Invocation) throws -> ReportingZone? {
    guard let zone = call[Options.timeZone] else { return nil }
    guard call[Options.from] != nil || call[Options.receivedAtMember] != nil else {
      throw call.mistake("'--time-zone' needs '--from' or '--received-at-member', which name the times.")
    }
    return zone
  }

  /// The origin of a file, and the form of its postbacks.
  private static func route(_ call: Invocation) throws -> ((String) -> Origin, NetworkProfile) {
    let text = call[Options.route]
    if text == "file" { return ({ path in Origin(.file, name: fileName(path)) }, .apple) }
    if text == Route.networkAddress.rawValue { return ({ _ in Origin(.networkAddress) }, .apple) }
    if text == Route.advertiserCopy.rawValue { return ({ _ in Origin(.advertiserCopy) }, .apple) }
    let prefix = "forwarded:"
    guard text.hasPrefix(prefix), text.count > prefix.count else {
      throw call.mistake(
        "The value '\(text)' of '--route' is not file, network-address, advertiser-copy or "
          + "forwarded:NAME.")
    }
    let name = String(text.dropFirst(prefix.count))
    return ({ _ in Origin(.forwarded, name: name) }, call.configuredProfile(of: name) ?? .apple)
  }

  private static func fileName(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}

extension ImportRunObstacle {
  fileprivate var sentence: String {
    switch self {
    case .notFound(let known):
      "there is no such import"
        + (known.isEmpty
          ? "" : "; the latest are \(known.prefix(10).map { "\($0)" }.joined(separator: ", "))")
    case .withdrawn(let moment): "it was taken back at \(moment)"
    case .hasCopies(let count): "it added \(copies(count)) to conversions of other senders"
    case .isRepeated(let count): "\(copies(count)) of its conversions arrived from others"
    case .isRelayed(let names):
      "its conversions were passed on by \(names.map(printable).joined(separator: ", "))"
    }
  }

  private func copies(_ count: Int64) -> String { count == 1 ? "1 copy" : "\(grouped(count)) copies" }

  fileprivate var remedy: String? {
    switch self {
    case .notFound: "use the number that `skan ingest` printed"
    case .withdrawn: nil
    case .hasCopies, .isRepeated, .isRelayed: "restore the copy that `skan backup` made before the import"
    }
  }
}

/// What an ingest came to, over all files.
struct IngestReport {
  private var stored = 0
  private var countedOnly = 0
  private var first = 0
  private var claimed = 0
  private var copies = 0
  private var conflicts = 0
  private var rejected: [Rejection.State: Int] = [:]
  private var reasons = IngestSummary()
  private var runs: [Int64] = []
  /// How long it took.
  var seconds = 0.0

  mutating func add(_ summary: IngestSummary) {
    stored += summary.stored
    countedOnly += summary.countedOnly
    first += summary.first
    claimed += summary.claimed
    copies += summary.copies
    conflicts += summary.conflicts
    if let run = summary.run { runs.append(run) }
    rejected.merge(summary.rejected, uniquingKeysWith: +)
    reasons.add(reasons: summary.reasons)
  }

  /// Whether something was rejected, and nothing counted.
  var isAllRejected: Bool { !rejected.isEmpty && first + copies + conflicts == 0 }

  private var rate: Int { seconds > 0 ? Int(Double(stored) / seconds) : stored }

  /// The figures for machines.
  var json: JSONOutput {
    .object([
      .init("stored", .integer(Int64(stored))), .init("counted-only", .integer(Int64(countedOnly))),
      .init("new", .integer(Int64(first))), .init("claimed", .integer(Int64(claimed))),
      .init("copies", .integer(Int64(copies))), .init("conflicts", .integer(Int64(conflicts))),
      .init(
        "rejected",
        .object(
          Rejection.State.allCases.map { .init($0.rawValue, .integer(Int64(rejected[$0, default: 0]))) })),
      .init(
        "reasons",
        .array(
          reasons.sortedReasons.map { reason, count in
            .object([.init("reason", .string(reason)), .init("count", .integer(Int64(count)))])
          })),
      .init("runs", .array(runs.map { .integer($0) })),
      .init("seconds", JSONNumber(fixed(seconds, 2)).map { .number($0) } ?? .null),
      .init("rate", .integer(Int64(rate))),
    ])
  }

  /// The figures for people.
  var text: String {
    let rejections = Rejection.State.allCases.map { ("rejected, \($0.rawValue)", rejected[$0, default: 0]) }
    let lines =
      [("stored", stored), ("new", first)] + (claimed > 0 ? [("of them only claimed", claimed)] : [])
      + [("copies", copies), ("conflicts", conflicts)]
      + rejections.filter { $0.1 > 0 }
      + (countedOnly > 0 ? [("over the quota, counted only", countedOnly)] : [])
    let width = lines.reduce(0) { max($0, $1.0.count) }
    let rows = lines.map { name, count in
      name + String(repeating: " ", count: width - name.count) + "  \(count)\n"
    }
    let reasons = self.reasons.sortedReasons.map { "\($0.count) rejected: \(printable($0.reason))\n" }
      .joined()
    let undo = runs.map { "import \($0); take it back with `skan ingest --undo \($0)`\n" }.joined()
    return rows.joined() + reasons + undo + "\(fixed(seconds, 2)) seconds, \(rate) a second\n"
  }
}
