import Arguments
import Estimates
import EventFiles
import JSONText
import MappingFormats
import Mappings
import Postbacks
import System
import Values
import Tables

/// `skan experiment plan`: how large an experiment has to be, and how long it takes.
enum ExperimentPlanCommand {
  static let entry = Entry(
    command: Command(
      "experiment plan", "Plan an experiment of two campaigns, creatives or mappings.",
      discussion: [
        "skan answers six questions: goal, versions, sample size, split, duration and measure. It "
          + "computes the size that detects the given difference with the given power for one look at the "
          + "end, and for daily looks with the confidence sequence of `skan experiment compare`, which can "
          + "stop earlier. Installs with a withheld value do not count, so nulls increase the size.",
        "Mean and spread come from an events file replayed through the mapping, from --mean and "
          + "--spread, or from an event's rate. With an events file, users of one value are spread evenly "
          + "over its range; --spread is the spread of true revenue, without the blur of ranges.",
        "Each arm has its own privacy threshold: two campaigns of half the size may have more nulls than "
          + "one. Use the share of nulls of campaigns of that size (skan report nulls).",
      ],
      examples: [
        .init(
          "Plan from first-party users",
          "skan experiment plan --mapping mapping.json --events events.csv --installs-per-day 800"),
        .init(
          "Plan for an event rate that is 20 % higher",
          "skan experiment plan --mapping mapping.json --event trial --rate 4 --difference 20"),
      ],
      options: [
        .value("--mapping", "FILE", .path, "Mapping file; -: standard input.", isRequired: true),
        .value(
          "--difference", "PERCENT", .text, "Difference to detect: B's mean above A's, in percent of A's.",
          default: "10"),
        .value(
          "--null-percent", "PERCENT", .text, "Percentage of installs with a withheld value.", default: "30"),
        .value("--events", "EVENTS", .path, "Events file to measure mean and spread."),
        .eventColumns, .onError,
        .value("--mean", "AMOUNT", .text, "Mean revenue of a user in the mapping's currency."),
        .value("--spread", "AMOUNT", .text, "Standard deviation of users' revenue."),
        .value("--event", "NAME", .text, "Event whose rate to compare instead of revenue."),
        .value("--rate", "PERCENT", .text, "Percentage of users with the event."),
        .value("--power", "PERCENT", .integer(50...99), "Power in percent.", default: "80"),
        .value("--level", "PERCENT", .integer(50...99), "Confidence level in percent.", default: "95"),
        .value("--split", "PERCENT", .integer(1...99), "Percentage of installs in arm B.", default: "50"),
        .value(
          "--installs-per-day", "N", .integer(1...1_000_000_000), "Installs per day of both arms together."),
        .value(
          "--looks", "WHEN", .choice(["daily", "end"]), "Looks at the result.",
          default: "daily"), .format(["table", "json"]),
      ]), run: run)

  private static func run(_ call: Invocation) throws -> ExitCode {
    let settings = call.settings
    let path = settings.text("--mapping") ?? "-"
    try call.checkStandardInput([path] + settings.texts("--events"))
    let lift = try number("--difference", in: 1e-3...100_000, call) / 100
    let nulls = try number("--null-percent", in: 0...99.9, call) / 100
    guard let mapping = try call.mapping(path) else { return .failedCheck }
    let measure = settings.text("--event").map { ExperimentMeasure.event($0) } ?? .revenue
    let users = try users(measure, mapping, call)
    let split = Double(settings.integer("--split") ?? 50) / 100
    let mean = users.mean * (1 + lift)
    // A share that rises changes its own spread.
    let isShare = measure != .revenue
    guard !isShare || mean < 1 else {
      throw call.mistake(
        "A rate of \(fixed(100 * users.mean, 2)) % cannot rise by this difference: the result is 100 "
          + "% or more.")
    }
    var request = ExperimentSize.Request(
      difference: users.mean * lift, varianceA: users.variance,
      varianceB: isShare ? mean * (1 - mean) : users.variance)
    request.shareB = split
    request.power = Double(settings.integer("--power") ?? 80) / 100
    request.level = Double(settings.integer("--level") ?? 95) / 100
    guard let size = ExperimentSize(request) else {
      throw CommandError(
        .data, "users do not differ, or no sample size detects the difference",
        remedy: "check mean, spread and difference")
    }
    let plan = ExperimentDesign(
      measure: measure, mapping: mapping, lift: lift, nulls: nulls, mean: users.mean,
      variance: users.variance,
      within: users.within, request: request, size: size, looksDaily: settings.text("--looks") != "end",
      installsPerDay: settings.integer("--installs-per-day"))
    if call.format == .json {
      call.console.line(plan.json.text(pretty: true))
    } else {
      call.console.write(plan.table)
    }
    return .done
  }

  /// Mean and variance of a user, and the part of the variance that is within codes where it is known.
  private static func users(
    _ measure: ExperimentMeasure, _ mapping: Mapping, _ call: Invocation
  ) throws -> (mean: Double, variance: Double, within: Double?) {
    let settings = call.settings
    func given(_ name: String) -> Bool { settings.text(name) != nil }
    if case .event(let name) = measure,
      !mapping.fine.contains(where: { $0.conditions.events.contains { $0.name == name } })
    {
      throw CommandError(
        .data, "no value of the mapping has the event '\(printable(name))'",
        remedy: "list the events with `skan mapping show`")
    }
    if let path = settings.text("--events") {
      guard !given("--mean"), !given("--spread"), !given("--rate") else {
        throw call.mistake("'--events' replaces '--mean', '--spread' and '--rate'. Use one or the other.")
      }
      return try learn(measure, mapping, call.users(path, currency: mapping.currency), call.console)
    }
    if measure == .revenue {
      guard given("--mean"), given("--spread"), !given("--rate") else {
        throw call.mistake(
          "The revenue of users is missing.", hint: "Give '--events', or '--mean' and '--spread'.")
      }
      let spread = try number("--spread", in: 1e-6...1e9, call)
      return (try number("--mean", in: 1e-6...1e9, call), spread * spread, nil)
    }
    guard given("--rate"), !given("--mean"), !given("--spread") else {
      throw call.mistake("The rate of the event is missing.", hint: "Give '--events' or '--rate'.")
    }
    let rate = try number("--rate", in: 1e-4...99.99, call) / 100
    return (rate, rate * (1 - rate), nil)
  }

  private static func learn(
    _ measure: ExperimentMeasure, _ mapping: Mapping, _ users: [UserEvents.User], _ console: Console
  ) throws -> (mean: Double, variance: Double, within: Double?) {
    var moments = SampleMoments()
    var known: [FineValue: (mean: Double, within: Double)] = [:]
    for user in users {
      guard let value = mapping.replay(user.events).postbacks.first(where: { $0.window == .first })?.fine
      else { continue }
      let worth = known[value] ?? measure.worth(mapping.expectation(.fine(value)))
      known[value] = worth
      moments.add(worth.mean, within: worth.within)
    }
    guard moments.mean > 0 else {
      throw CommandError(
        .data, "none of \(counted(users.count, "user")) has an event or revenue that the mapping covers")
    }
    let silent = users.count - Int(moments.count)
    if silent > 0 {
      console.note(
        "\(counted(silent, "user")) of \(users.count) have no value, and are not part of the mean or the "
          + "installs"
      )
    }
    return (moments.mean, moments.variance, moments.varianceWithin)
  }

  private static func number(
    _ name: String, in range: ClosedRange<Double>, _ call: Invocation
  ) throws -> Double {
    let text = call.settings.text(name) ?? ""
    guard let number = Double(text), range.contains(number) else {
      throw call.mistake(
        "The value '\(text)' of '\(name)' is not a number from \(range.lowerBound) to "
          + "\(range.upperBound).")
    }
    return number
  }
}
