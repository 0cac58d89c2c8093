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
        "How B comes to bring more decides on B's spread, and so on the size: the same difference that a few users of the "
          + "highest value bring takes many more installs than one that all users bring. --lift-from or --spread-b names "
          + "what is expected; with an events file, the sizes of the other ways are printed, too. Few users who bring much "
          + "also make the spread that a sample shows uncertain, which the size allows for: by the events file, or as if "
          + "revenue followed the gamma law of that mean and spread.",
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
        .eventColumns,
        .value("--mean", "AMOUNT", .text, "The mean revenue of a user, in the mapping's currency."),
        .value("--spread", "AMOUNT", .text, "The standard deviation of users' revenue."),
        .value(
          "--spread-b", "AMOUNT", .text,
          "The standard deviation of revenue in arm B; without it, A's raised by the difference."),
        .value(
          "--lift-from", "WHAT", .choice(UserValues.Lift.allCases.map(\.rawValue)),
          "What makes B's mean higher with --events: larger amounts of all, more users who pay, or more users of the top "
            + "value; without it, amounts."),
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
    let arms = try arms(measure, mapping, lift, call)
    var request = ExperimentSize.Request(difference: arms.mean * lift, a: arms.a, b: arms.b)
    request.shareB = Double(settings.integer("--split") ?? 50) / 100
    request.power = Double(settings.integer("--power") ?? 80) / 100
    request.level = Double(settings.integer("--level") ?? 95) / 100
    guard let size = ExperimentSize(request) else {
      throw CommandError(
        .data, "users do not differ, or the difference is too small for any experiment",
        remedy: "check mean, spread and difference")
    }
    let plan = ExperimentAnswers(
      measure: measure, mapping: mapping, lift: lift, nulls: nulls, mean: arms.mean,
      within: arms.within, source: arms.source,
      otherSizes: arms.others.compactMap { how, moments in
        var other = request
        other.b = moments
        return ExperimentSize(other).map { (how, $0) }
      }, request: request, size: size, looksDaily: settings.text("--looks") != "end",
      installsPerDay: settings.integer("--installs-per-day"))
    if call.format == .json {
      call.console.line(plan.json.text(pretty: true))
    } else {
      call.console.write(plan.table)
    }
    return .done
  }

  /// What users of the two arms bring.
  private struct Arms {
    /// A user of arm A on average.
    let mean: Double
    /// The part of the variance that values hide; `nil` where it is not known apart.
    var within: Double?
    let a: CentralMoments
    let b: CentralMoments
    /// What makes B's mean higher, where it is known.
    var source: UserValues.Lift?
    /// B's users for the other ways to bring as much.
    var others: [(how: UserValues.Lift, moments: CentralMoments)] = []
  }

  private static func arms(
    _ measure: ExperimentMeasure, _ mapping: Mapping, _ lift: Double, _ call: Invocation
  ) throws -> Arms {
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
      guard !given("--mean"), !given("--spread"), !given("--spread-b"), !given("--rate") else {
        throw call.mistake(
          "'--events' says already what '--mean', '--spread', '--spread-b' and '--rate' say.")
      }
      let users = try learn(measure, mapping, call.users(path, currency: mapping.currency), call.console)
      return try measure == .revenue
        ? arms(of: users, lift, call) : share(users.mean, lift, within: users.varianceWithin, call)
    }
    guard !given("--lift-from") else { throw call.mistake("'--lift-from' needs '--events'.") }
    guard measure == .revenue else {
      guard given("--rate"), !given("--mean"), !given("--spread"), !given("--spread-b") else {
        throw call.mistake("It takes the rate of the event.", hint: "Give '--events' or '--rate'.")
      }
      return try share(number("--rate", in: 1e-4...99.99, call) / 100, lift, within: nil, call)
    }
    guard given("--mean"), given("--spread"), !given("--rate") else {
      throw call.mistake(
        "It takes the revenue of users.", hint: "Give '--events', or '--mean' and '--spread'.")
    }
    let mean = try number("--mean", in: 1e-6...1e9, call)
    let spread = try number("--spread", in: 1e-6...1e9, call)
    let spreadB = given("--spread-b") ? try number("--spread-b", in: 1e-6...1e9, call) : spread * (1 + lift)
    return Arms(
      mean: mean, a: CentralMoments(gammaOfMean: mean, variance: spread * spread),
      b: CentralMoments(gammaOfMean: mean * (1 + lift), variance: spreadB * spreadB))
  }

  /// Own users, and the same with a higher mean.
  private static func arms(of users: UserValues, _ lift: Double, _ call: Invocation) throws -> Arms {
    let source = call.settings.text("--lift-from").flatMap { UserValues.Lift(rawValue: $0) } ?? .amounts
    guard let raised = users.raised(by: lift, from: source) else {
      throw call.mistake(
        "There are not as many users without revenue as have to bring some for so great a difference.",
        hint: "Give a smaller '--difference', or '--lift-from amounts'.")
    }
    let others = UserValues.Lift.allCases.filter { $0 != source }.compactMap { how in
      users.raised(by: lift, from: how).map { (how: how, moments: $0.moments) }
    }
    return Arms(
      mean: users.mean, within: users.varianceWithin, a: users.moments, b: raised.moments, source: source,
      others: others)
  }

  /// Shares of users, whose spread follows from the share itself.
  private static func share(
    _ share: Double, _ lift: Double, within: Double?, _ call: Invocation
  ) throws -> Arms {
    guard share * (1 + lift) < 1 else {
      throw call.mistake("A rate of \(decimals(100 * share, 2)) % can't be higher by as much.")
    }
    return Arms(
      mean: share, within: within, a: CentralMoments(ofShare: share),
      b: CentralMoments(ofShare: share * (1 + lift)))
  }

  private static func learn(
    _ measure: ExperimentMeasure, _ mapping: Mapping, _ users: [UserEvents.User], _ console: Console
  ) throws -> UserValues {
    var values = UserValues()
    var known: [FineValue: (mean: Double, within: Double)] = [:]
    for user in users {
      guard let value = mapping.replay(user.events).postbacks.first(where: { $0.window == .first })?.fine
      else { continue }
      let worth = known[value] ?? measure.worth(mapping.expectation(.fine(value)))
      known[value] = worth
      values.add(worth.mean, within: worth.within)
    }
    guard values.mean > 0 else {
      throw CommandError(
        .data, "none of \(counted(users.count, "user")) brings anything that the mapping tells of")
    }
    let silent = users.count - Int(values.count)
    if silent > 0 {
      console.note(
        "\(counted(silent, "user")) of \(users.count) set no value, and count neither in the mean nor as installs"
      )
    }
    return values
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
