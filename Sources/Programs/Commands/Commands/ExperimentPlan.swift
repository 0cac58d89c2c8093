import Arguments
import Estimates
import EventFiles
import JSONText
import MappingFormats
import Mappings
import Postbacks
import Reporting
import System
import Values

/// `skan experiment plan`: how large an experiment has to be, and how long it takes.
enum ExperimentPlanCommand {
  static let entry = Entry(
    command: Command(
      "experiment plan", "Plan an experiment of two campaigns, creatives or mappings.",
      discussion: [
        "Answers six questions: goal, versions, sample size, split, duration and measure. The size is that at which the "
          + "stated difference is found with the stated power, once for a result that is looked at only at the end, and "
          + "once for one that is looked at every day with the confidence sequence of `skan experiment compare`, which "
          + "may stop earlier. Installs without a value count for nothing, so that nulls make it larger.",
        "Mean and spread of a user come from an events file, replayed through the mapping, from --mean and --spread, or "
          + "from an event's rate. With an events file, users of one value lie evenly in its range; --spread is of what "
          + "users really bring, so that it holds what ranges blur.",
        "Each arm is a crowd of its own: two campaigns of half the size may have more nulls than one. Give the nulls that "
          + "campaigns of that size have (skan report nulls).",
      ],
      examples: [
        .init(
          "From your own users",
          "skan experiment plan --mapping mapping.json --events events.csv --installs-per-day 800"),
        .init(
          "A rate of an event, 20 % higher",
          "skan experiment plan --mapping mapping.json --event trial --rate 4 --difference 20"),
      ],
      options: [
        .value("--mapping", "FILE", .path, "The mapping file; - is standard input.", isRequired: true),
        .value(
          "--difference", "PERCENT", .text, "How much higher B's mean is to be found, relative to A's.",
          default: "10"),
        .value(
          "--null-percent", "PERCENT", .text, "The share of installs whose value is withheld.", default: "30"),
        .value("--events", "EVENTS", .path, "An events file to learn mean and spread from."),
        .eventColumns, .onError,
        .value("--mean", "AMOUNT", .text, "The mean revenue of a user, in the mapping's currency."),
        .value("--spread", "AMOUNT", .text, "The standard deviation of users' revenue."),
        .value("--event", "NAME", .text, "Compare how many users did this, in the place of revenue."),
        .value("--rate", "PERCENT", .text, "The share of users who do it."),
        .value("--power", "PERCENT", .integer(50...99), "How often to find the difference.", default: "80"),
        .value("--level", "PERCENT", .integer(50...99), "How sure to be of a result.", default: "95"),
        .value("--split", "PERCENT", .integer(1...99), "The share of installs in arm B.", default: "50"),
        .value(
          "--installs-per-day", "N", .integer(1...1_000_000_000), "Installs a day of both arms together."),
        .value(
          "--looks", "WHEN", .choice(["daily", "end"]), "Whether the result is looked at every day.",
          default: "daily"), .format(["table", "json"]),
      ]), run: run)

  private static func run(_ call: Invocation) throws -> ExitCode {
    let settings = call.settings
    let path = settings.text("--mapping") ?? "-"
    try call.checkStandardInput([path] + settings.texts("--events"))
    let lift = try number("--difference", in: 1e-3...100_000, call) / 100
    let nulls = try number("--null-percent", in: 0...99.9, call) / 100
    guard let mapping = try call.mapping(path) else { return .bad }
    let measure = settings.text("--event").map { ExperimentMeasure.event($0) } ?? .revenue
    let users = try users(measure, mapping, call)
    let split = Double(settings.integer("--split") ?? 50) / 100
    let mean = users.mean * (1 + lift)
    // A share that rises changes its own spread.
    let isShare = measure != .revenue
    guard !isShare || mean < 1 else {
      throw call.mistake("A rate of \(decimals(100 * users.mean, 2)) % can't be higher by as much.")
    }
    var request = ExperimentSize.Request(
      difference: users.mean * lift, varianceA: users.variance,
      varianceB: isShare ? mean * (1 - mean) : users.variance)
    request.shareB = split
    request.power = Double(settings.integer("--power") ?? 80) / 100
    request.level = Double(settings.integer("--level") ?? 95) / 100
    guard let size = ExperimentSize(request) else {
      throw CommandError(
        .data, "users do not differ, or the difference is too small for any experiment",
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
        .data, "no value of the mapping tells of the event '\(printable(name))'",
        remedy: "`skan mapping show` prints what the values tell of")
    }
    if let path = settings.text("--events") {
      guard !given("--mean"), !given("--spread"), !given("--rate") else {
        throw call.mistake("'--events' says already what '--mean', '--spread' and '--rate' say.")
      }
      return try learn(measure, mapping, call.users(path, currency: mapping.currency), call.console)
    }
    if measure == .revenue {
      guard given("--mean"), given("--spread"), !given("--rate") else {
        throw call.mistake(
          "It takes the revenue of users.", hint: "Give '--events', or '--mean' and '--spread'.")
      }
      let spread = try number("--spread", in: 1e-6...1e9, call)
      return (try number("--mean", in: 1e-6...1e9, call), spread * spread, nil)
    }
    guard given("--rate"), !given("--mean"), !given("--spread") else {
      throw call.mistake("It takes the rate of the event.", hint: "Give '--events' or '--rate'.")
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
        .data, "none of \(counted(users.count, "user")) brings anything that the mapping tells of")
    }
    let silent = users.count - Int(moments.count)
    if silent > 0 {
      console.note(
        "\(counted(silent, "user")) of \(users.count) set no value, and count neither in the mean nor as installs"
      )
    }
    return (moments.mean, moments.variance, moments.varianceWithin)
  }

  private static func number(
    _ name: String, in range: ClosedRange<Double>, _ call: Invocation
  ) throws -> Double {
    let text = call.settings.text(name) ?? ""
    guard let number = Double(text), range.contains(number) else {
      throw call.mistake("The value '\(text)' of '\(name)' is not a number that is possible there.")
    }
    return number
  }
}
