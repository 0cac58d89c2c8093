import Arguments
import EventFiles
import JSONText
import MappingDesign
import MappingFormats
import Mappings
import Postbacks
import Simulation
import System
import Values

/// `skan mapping design`: makes the best mapping for an advertiser's own users.
enum MappingDesignCommand {
  static let entry = Entry(
    command: Command(
      "mapping design", "Make the mapping that lets campaigns be told apart best, and tell what it costs.",
      discussion: [
        "From the events of users of whom everything is known, ranges of revenue are found so that the estimate of a "
          + "campaign errs least: several ways to cut, each over the revenue alone and those that make an error small over "
          + "each day of activity too, are tried on users that they were not made of. The mapping goes to standard output or to --out; what it was "
          + "chosen by, and what is unsure, goes to standard error. --format json gives both as one object.",
        "Where days count, values of a later day are higher than those of an earlier one, and within a day those of more "
          + "revenue, so that a value only ever rises; 0 is for users who brought nothing. Each value says what such "
          + "users bring on average within the target's days. SKAdNetwork 4 gets three coarse values for each window, too.",
        "Errors are of campaigns made up of users that the mapping was not made of, after Apple's timers, delays and "
          + "crowd; the mapping itself is then made of all users. Apple publishes no numbers about crowds: see `skan "
          + "simulate --help` for --threshold. The same seed gives the same mapping.",
      ],
      examples: [
        .init(
          "The best mapping for revenue of the first week",
          "skan mapping design --events events.csv.gz --app 1000000001 --out mapping.json"),
        .init(
          "For trials, with 32 of the 64 values",
          "skan mapping design --events events.csv --app 1000000001 --target event:trial --values 32"),
      ],
      options: [
        .value("--events", "EVENTS", .path, "The events file; - is standard input.", isRequired: true),
        .value("--app", "ID", .integer(0...(.max)), "The app.", isRequired: true),
        .value(
          "--currency", "CODE", .text, "The currency that counts; without it, the only one in the file."),
        .value("--name", "TEXT", .text, "What to call the mapping.", default: "design"),
        .value(
          "--effective-from", "TIME", .time,
          "When devices start to follow it; without it, today at 00:00 UTC."),
        .value(
          "--protocol", "WORD", .choice(["skan3", "skan4"]), "Whose timers it is for.", default: "skan4"),
        .value(
          "--window", "HOURS", .choice(["24", "48", "72"]),
          "How long values are set; without it, what errs least. SKAdNetwork 4 ends after 48."),
        .value(
          "--target", "WHAT", .text,
          "What campaigns are compared by: day2, day3, day7, day35 for revenue since install, or event:NAME.",
          default: "day7"),
        .value(
          "--cost", "SCHEME", .choice(["auto"] + EdgeScheme.allCases.map(\.rawValue)),
          "How ranges are found; auto takes what errs least.", default: "auto"),
        .value(
          "--values", "N", .integer(DesignRequest.valueCounts),
          "Number of conversion values to use, the one for nothing included.", default: "60"),
        .value("--threshold", "MODEL", .text, "When Apple shows a value.", default: "default"),
        .value("--seed", "N", .integer(0...(.max)), "Where the dice start.", default: "1"),
        .value("--out", "FILE", .path, "Where the mapping goes; - is standard output.", default: "-"),
      ] + Option.events + [.format(["table", "json"])]), run: run)

  /// More users than these hardly move a range; of a larger file so many are taken by chance.
  private static let mostUsers = 300_000

  private static func run(_ call: Invocation) throws -> ExitCode {
    let settings = call.settings
    let target = try target(call)
    let given = try currency(call)
    let crowd = try crowd(call)
    let path = settings.text("--events") ?? "-"
    var inputs = NamedFiles()
    inputs.add("the events", path)
    try call.checkOutputs(["--out"], besides: inputs)
    // Without an amount of its currency there may still be events to count.
    guard let anyCurrency = CurrencyCode.all.first else { preconditionFailure("there are currencies") }
    let population = try call.population(path, currency: given)
    let currency = try given ?? onlyCurrency(population, call) ?? anyCurrency
    let request = try request(call, target, currency, crowd)
    let users = try read(population, target, currency)
    let study = DesignStudy(request, users, population: population.users)
    var progress = Progress("design", unit: "steps", total: study.steps, on: call.console)
    var done = 0
    let report = study.run {
      done += 1
      progress.advance(to: done)
    }
    progress.finish()
    guard let report else {
      throw CommandError(
        .data,
        "none of \(counted(users.count, "user")) brings anything that \(printable("\(target)")) counts",
        remedy: users.unripe > 0
          ? "take a target of fewer days: for \(users.unripe) users these are not over in the file" : nil)
    }
    try write(report, request, call)
    return .done
  }

  private static func request(
    _ call: Invocation, _ target: DesignTarget, _ currency: CurrencyCode, _ crowd: CrowdModel
  ) throws -> DesignRequest {
    let settings = call.settings
    let device = settings.text("--protocol").flatMap { Mapping.Device(rawValue: $0) } ?? .skan4
    let window = settings.text("--window").flatMap { Int($0) }
    guard let app = settings.integer("--app").flatMap({ AppID(Int64($0)) }) else {
      throw call.mistake("The value of '--app' is no app.")
    }
    let request = DesignRequest(
      name: settings.text("--name") ?? "design", app: app, currency: currency,
      effectiveFrom: settings.time("--effective-from") ?? call.world.clock().day.start, device: device,
      windowHours: window, target: target,
      scheme: settings.text("--cost").flatMap { EdgeScheme(rawValue: $0) },
      values: settings.integer("--values") ?? 60)
    guard var request else {
      throw call.mistake(
        "SKAdNetwork 4 sets fine values for 48 hours at most.", hint: "Give --window 48, or --protocol skan3."
      )
    }
    request.crowd = crowd
    request.seed = UInt64(settings.integer("--seed") ?? 1)
    return request
  }

  private static func read(_ population: Population, _ target: DesignTarget, _ currency: CurrencyCode) throws
    -> DesignUsers
  {
    var end = Instant(seconds: .min / 1000)
    try population.forEachCohort { end = max(end, DesignUsers.end(of: $0) ?? end) }
    var users = DesignUsers(target: target, currency: currency)
    let share = Double(mostUsers) / Double(population.users)
    try population.forEachCohort { users.add($0, until: end, share: share) }
    return users
  }

  private static func target(_ call: Invocation) throws -> DesignTarget {
    let text = call.settings.text("--target") ?? ""
    if text.hasPrefix("event:"), text != "event:" { return .event(String(text.dropFirst(6))) }
    if let days = [2, 3, 7, 35].first(where: { text == "day\($0)" }) { return .revenue(days: days) }
    throw call.mistake(
      "The value '\(text)' of '--target' is no target.",
      hint: "Allowed are day2, day3, day7, day35 and event:NAME.")
  }

  private static func crowd(_ call: Invocation) throws -> CrowdModel {
    do throws(CrowdModelDefect) {
      return try CrowdModel(call.settings.text("--threshold") ?? "default")
    } catch {
      throw call.mistake("The value of '--threshold' can't be used: \(error.sentence).")
    }
  }

  private static func currency(_ call: Invocation) throws -> CurrencyCode? {
    guard let text = call.settings.text("--currency") else { return nil }
    guard let currency = CurrencyCode(anyCase: text) else {
      throw call.mistake("The value '\(text)' of '--currency' is not one of ISO 4217.", hint: "Such as USD.")
    }
    return currency
  }

  private static func onlyCurrency(_ population: Population, _ call: Invocation) throws -> CurrencyCode? {
    var found: Set<CurrencyCode> = []
    try population.forEachCohort { found.formUnion($0.names.currencies) }
    guard found.count <= 1 else {
      throw call.mistake(
        "The file has amounts in \(found.sorted().map(\.text).joined(separator: ", ")).",
        hint: "Say with --currency which one counts.")
    }
    return found.first
  }

  private static func write(_ report: DesignReport, _ request: DesignRequest, _ call: Invocation) throws {
    let mapping = report.mapping.json
    let text = DesignText(report: report, request: request)
    let isJSON = call.settings.text("--format") == "json"
    let out = call.settings.text("--out").flatMap { $0 == "-" ? nil : $0 }
    if let out { try AtomicFile.write(mapping.bytes(pretty: true) + [10], to: out) }
    if isJSON {
      call.console.line(
        JSONOutput.object([.init("mapping", mapping), .init("design", text.json)]).text(pretty: true))
    } else if out == nil {
      call.console.line(mapping.text(pretty: true))
    }
    call.console.output.flush()
    if !isJSON { call.console.errors.write(Array(text.table.utf8)) }
    if let out { call.console.note("the mapping is in '\(out)'") }
  }
}
