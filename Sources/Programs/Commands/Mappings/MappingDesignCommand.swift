import Arguments
import EventFiles
import JSONText
import MappingDesign
import MappingFormats
import Mappings
import Postbacks
import Simulation
import System
import Tables
import Values

/// `skan mapping design`: makes the best mapping for an advertiser's own users.
enum MappingDesignCommand {
  enum Options {
    static let events = RequiredOption<String>.value(
      "--events", "EVENTS", .path, "Events file; -: standard input.")
    static let app = RequiredOption<Int>.value(
      "--app", "ID", .integer(0...(.max)), "App Store number of the app.")
    static let currency = TypedOption<String?>.value(
      "--currency", "CODE", .text, "Currency of revenue.", defaultNote: "the only one in the file")
    static let name = TypedOption<String>.value(
      "--name", "TEXT", .text, "Name of the mapping.", default: "design")
    static let effectiveFrom = TypedOption<Instant?>.value(
      "--effective-from", "TIME", .time,
      "Time from which devices use the mapping.", defaultNote: "today at 00:00 UTC")
    static let `protocol` = TypedOption<Mapping.Device>.choice(
      "--protocol", "WORD", among: [.skan3, .skan4], "Protocol of the mapping.", default: .skan4)
    static let window = TypedOption<Int?>.value(
      "--window", "HOURS", .choice(["24", "48", "72"]),
      "Length of the measurement window; at most 48 for SKAdNetwork 4.",
      defaultNote: "the window with the smallest error")
    static let target = TypedOption<String>.value(
      "--target", "WHAT", .text,
      "Figure to estimate for each campaign: day2, day3, day7 or day35 for revenue since install, or "
        + "event:NAME.",
      default: "day7")
    static let cost = TypedOption<String>.value(
      "--cost", "METHOD", .choice(["auto"] + EdgeScheme.allCases.map(\.rawValue)),
      "Method that chooses the ranges; auto: the one with the smallest error.", default: "auto")
    static let values = TypedOption<Int>.value(
      "--values", "N", .integer(DesignRequest.valueCounts),
      "Number of conversion values to use, including 0.", default: 60)
    static let overlapWindow = TypedOption<Int?>.value(
      "--overlap-window", "WINDOW", .choice(["2", "3"]),
      "Window that shows for a share of users whether another source attributes them; see `skan help report overlap`.",
      defaultNote: "none")
    static let threshold = TypedOption<String>.value(
      "--threshold", "MODEL", .text, "Privacy threshold model.", default: "default")
    static let campaignInstalls = TypedOption<[Int]>.list(
      "--campaign-installs", "N", .integer(1...100_000),
      "Installs of the simulated campaigns that errors are measured on; five sizes at most.",
      defaultNote: "100,300,1000")
    static let seed = TypedOption<Int>.value("--seed", "N", .integer(0...(.max)), "Random seed.", default: 1)
    static let out = TypedOption<String>.value(
      "--out", "FILE", .path, "File for the mapping; -: standard output.", default: "-")
  }

  static let entry = Entry(
    command: Command(
      "mapping design", "Design a mapping from users' events, and report its errors.",
      discussion: [
        "From the events of users with complete data, skan chooses the ranges of revenue that minimize the "
          + "error of campaign estimates. It tries several methods on users that the design has not seen: each "
          + "over revenue alone, those that minimize a cost also over each day of activity, and some also without "
          + "and with an event that is related to later revenue. The method smooth is used unless another is "
          + "better by more than a standard error. The mapping goes to standard "
          + "output or to --out; the reasons and warnings go to standard error. --format json prints both as "
          + "one object.",
        "Higher revenue has a higher value. If the ranges depend on the day of activity or on an event, values "
          + "of a later day, or with the event, are also higher than the others. A value therefore only rises; 0 is for users "
          + "without revenue. Each value names the mean of such users within the days of the target. For "
          + "SKAdNetwork 4, each window has three coarse values too.",
        "skan measures errors on simulated campaigns of users that the design has not seen, after "
          + "Apple's timers, delays and privacy threshold, and then uses all users for the final mapping. "
          + "Apple publishes no numbers for its threshold: see `skan simulate --help` for --threshold. The "
          + "same seed gives the same mapping.",
      ],
      examples: [
        .init(
          "Design a mapping for revenue of the first week",
          "skan mapping design --events events.csv.gz --app 1000000001 --out mapping.json"),
        .init(
          "Design a mapping for trials that uses 32 of the 64 values",
          "skan mapping design --events events.csv --app 1000000001 --target event:trial --values 32"),
      ],
      options: [
        Options.events.option,
        Options.app.option,
        Options.currency.option,
        Options.name.option,
        Options.effectiveFrom.option,
        Options.protocol.option,
        Options.window.option,
        Options.target.option,
        Options.cost.option,
        Options.values.option,
        Options.overlapWindow.option,
        Options.threshold.option,
        Options.campaignInstalls.option,
        Options.seed.option,
        Options.out.option,
      ] + Option.events + [.format(["table", "json"])]), run: run)

  /// More users than these hardly move a range; of a larger file so many are taken by chance.
  private static let mostUsers = 300_000
  /// Each size takes a simulation of its own in every round.
  private static let mostSizes = 5

  private static func run(_ call: Invocation) throws -> ExitCode {
    let target = try target(call)
    let given = try call.currency(call[Options.currency])
    let crowd = try call.crowdModel(call[Options.threshold])
    let path = try call[Options.events]
    var inputs = NamedFiles()
    inputs.add("the events", path)
    try call.checkOutputs([(Options.out.name, call[Options.out])], besides: inputs)
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
        "none of \(counted(users.count, "user")) has data for the target \(printable("\(target)"))",
        remedy: users.unripe > 0
          ? "use a target of fewer days: the file ends before that of \(users.unripe) users" : nil)
    }
    try write(report, request, call)
    return .done
  }

  private static func request(
    _ call: Invocation, _ target: DesignTarget, _ currency: CurrencyCode, _ crowd: CrowdModel
  ) throws -> DesignRequest {
    let device = call[Options.protocol]
    let window = call[Options.window]
    guard let app = AppID(Int64(try call[Options.app])) else {
      throw call.mistake("The value of '--app' is not an app.")
    }
    let request = DesignRequest(
      name: call[Options.name], app: app, currency: currency,
      effectiveFrom: call[Options.effectiveFrom] ?? call.world.clock().day.start, device: device,
      windowHours: window, target: target,
      scheme: EdgeScheme(rawValue: call[Options.cost]),
      values: call[Options.values])
    guard var request else {
      throw call.mistake(
        "SKAdNetwork 4 accepts fine values for at most 48 hours.",
        hint: "Use --window 48, or --protocol skan3."
      )
    }
    if let number = call[Options.overlapWindow] {
      guard device.hasWindows else {
        throw call.mistake(
          "SKAdNetwork 3 has no later windows.", hint: "Leave out --overlap-window, or use --protocol skan4.")
      }
      request.overlapWindow = ConversionWindow(rawValue: number - 1)
    }
    request.crowd = crowd
    let sizes = Set(call[Options.campaignInstalls]).sorted()
    guard sizes.count <= mostSizes else {
      throw call.mistake(
        "The option '--campaign-installs' has \(sizes.count) sizes.", hint: "Give \(mostSizes) at most.")
    }
    if !sizes.isEmpty { request.sizes = sizes }
    request.seed = UInt64(call[Options.seed])
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
    let text = call[Options.target]
    if text.hasPrefix("event:"), text != "event:" { return .event(String(text.dropFirst(6))) }
    if let days = [2, 3, 7, 35].first(where: { text == "day\($0)" }) { return .revenue(days: days) }
    throw call.mistake(
      "The value '\(text)' of '--target' is not a target.",
      hint: "Use day2, day3, day7, day35 or event:NAME.")
  }

  private static func onlyCurrency(_ population: Population, _ call: Invocation) throws -> CurrencyCode? {
    var found: Set<CurrencyCode> = []
    try population.forEachCohort { found.formUnion($0.names.currencies) }
    guard found.count <= 1 else {
      throw call.mistake(
        "The file has amounts in \(found.sorted().map(\.text).joined(separator: ", ")).",
        hint: "Choose one with --currency.")
    }
    return found.first
  }

  private static func write(_ report: DesignReport, _ request: DesignRequest, _ call: Invocation) throws {
    let mapping = report.mapping.json
    let text = DesignText(report: report, request: request)
    let isJSON = call.format == .json
    let out = call[Options.out] == "-" ? nil : call[Options.out]
    if let out { try AtomicFile.write(mapping.bytes(pretty: true) + [10], to: out) }
    if isJSON {
      call.console.line(
        JSONOutput.object([.init("mapping", mapping), .init("design", text.json)]).text(pretty: true))
    } else if out == nil {
      call.console.line(mapping.text(pretty: true))
    }
    call.console.output.flush()
    if !isJSON { call.console.errors.write(Array(text.table.utf8)) }
    if let out { call.console.note("wrote the mapping to '\(out)'") }
  }
}
