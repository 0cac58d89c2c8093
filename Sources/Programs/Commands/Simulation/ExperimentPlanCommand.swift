import Arguments
import Estimates
import EventFiles
import JSONText
import MappingFormats
import Mappings
import Postbacks
import System
import Tables
import Values

/// `skan experiment plan`: how large an experiment has to be, and how long it takes.
enum ExperimentPlanCommand {
  enum Looks: String, CaseIterable { case daily, end }

  enum Options {
    static let mapping = RequiredOption<String>.value(
      "--mapping", "FILE", .path, "Mapping file; -: standard input.")
    static let difference = TypedOption<String>.value(
      "--difference", "PERCENT", .text, "Difference to detect: B's mean above A's, in percent of A's.",
      default: "10")
    static let nullPercent = TypedOption<String>.value(
      "--null-percent", "PERCENT", .text, "Percentage of installs with a withheld value.", default: "30")
    static let events = TypedOption<String?>.value(
      "--events", "EVENTS", .path, "Events file to measure mean and spread.")
    static let mean = TypedOption<String?>.value(
      "--mean", "AMOUNT", .text, "Mean revenue of a user in the mapping's currency.")
    static let spread = TypedOption<String?>.value(
      "--spread", "AMOUNT", .text, "Standard deviation of users' revenue.")
    static let spreadB = TypedOption<String?>.value(
      "--spread-b", "AMOUNT", .text,
      "Standard deviation of users' revenue in arm B.",
      defaultNote: "--spread, raised by --difference")
    static let liftFrom = TypedOption<UserValues.Lift?>.choice(
      "--lift-from", "CAUSE",
      "Cause of B's higher mean, with --events: larger amounts of all users, more users with revenue, or "
        + "more users of the highest value.", defaultNote: UserValues.Lift.amounts.rawValue)
    static let event = TypedOption<String?>.value(
      "--event", "NAME", .text, "Event whose rate to compare instead of revenue.")
    static let rate = TypedOption<String?>.value(
      "--rate", "PERCENT", .text, "Percentage of users with the event.")
    static let power = TypedOption<Int>.value(
      "--power", "PERCENT", .integer(50...99), "Power in percent.", default: 80)
    static let level = TypedOption<Int>.value(
      "--level", "PERCENT", .integer(50...99), "Confidence level in percent.", default: 95)
    static let split = TypedOption<Int>.value(
      "--split", "PERCENT", .integer(1...99), "Percentage of installs in arm B.", default: 50)
    static let installsPerDay = TypedOption<Int?>.value(
      "--installs-per-day", "N", .integer(1...1_000_000_000), "Installs per day of both arms together.")
    static let looks = TypedOption<Looks>.choice(
      "--looks", "WHEN", "Looks at the result.",
      default: .daily)
  }

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
        "The cause of B's higher mean changes B's spread, and so the size: a difference that few users of "
          + "the highest value cause needs many more installs than one that all users cause. Name the "
          + "expected cause with --lift-from, or set --spread-b. With an events file, skan also prints the "
          + "sizes for the other causes. Where few users have much revenue, the spread of a sample is "
          + "uncertain. The size includes this, from the events file or from a gamma distribution with the "
          + "given mean and spread.",
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
        Options.mapping.option,
        Options.difference.option,
        Options.nullPercent.option,
        Options.events.option,
      ] + Option.eventRows + [
        Options.mean.option,
        Options.spread.option,
        Options.spreadB.option,
        Options.liftFrom.option,
        Options.event.option,
        Options.rate.option,
        Options.power.option,
        Options.level.option,
        Options.split.option,
        Options.installsPerDay.option,
        Options.looks.option, .format(["table", "json"]),
      ]), run: run)

  private static func run(_ call: Invocation) throws -> ExitCode {
    let path = try call[Options.mapping]
    try call.checkStandardInput([path] + (call[Options.events].map { [$0] } ?? []))
    let lift = try number(Options.difference, in: 1e-3...100_000, call) / 100
    let nulls = try number(Options.nullPercent, in: 0...99.9, call) / 100
    guard let mapping = try call.mapping(path) else { return .failedCheck }
    var aim = ExperimentAim(lift: lift, nulls: nulls)
    aim.measure = call[Options.event].map { ExperimentMeasure.event($0) } ?? .revenue
    aim.cause = call[Options.liftFrom] ?? .amounts
    aim.shareB = Double(call[Options.split]) / 100
    aim.power = Double(call[Options.power]) / 100
    aim.level = Double(call[Options.level]) / 100
    aim.looksDaily = call[Options.looks] == .daily
    aim.installsPerDay = call[Options.installsPerDay]
    let users = try users(aim.measure, mapping, call)
    let plan: ExperimentDesign
    do throws(ExperimentObstacle) {
      plan = try aim.design(by: mapping, from: users)
    } catch {
      switch error {
      case .tooFewUsers, .rateTooHigh: throw call.mistake(error.message, hint: error.remedy)
      case .unknownEvent, .nothingMeasured, .noSize: throw error
      }
    }
    if case .own(let values, let count) = users, count > Int(values.count) {
      call.console.note(
        "\(counted(count - Int(values.count), "user")) of \(count) have no value, and are not part of the mean or the "
          + "installs")
    }
    if call.format == .json {
      call.console.line(plan.json.text(pretty: true))
    } else {
      call.console.write(plan.table)
    }
    return .done
  }

  /// What is known of users, from a file or from the options.
  private static func users(
    _ measure: ExperimentMeasure, _ mapping: Mapping, _ call: Invocation
  ) throws -> ExperimentAim.Users {
    func given(_ option: TypedOption<String?>) -> Bool { call[option] != nil }
    if let path = call[Options.events] {
      guard !given(Options.mean), !given(Options.spread), !given(Options.spreadB), !given(Options.rate) else {
        throw call.mistake(
          "'--events' replaces '--mean', '--spread', '--spread-b' and '--rate'. Use one or the other.")
      }
      guard measure == .revenue || call[Options.liftFrom] == nil else {
        throw call.mistake("'--lift-from' is for revenue only. Remove it, or '--event'.")
      }
      let users = try call.users(path, currency: mapping.currency)
      return .own(UserValues(of: users.lazy.map(\.events), by: measure, mapping), of: users.count)
    }
    guard call[Options.liftFrom] == nil else {
      throw call.mistake("'--lift-from' needs '--events'. Give it, or use '--spread-b'.")
    }
    guard measure == .revenue else {
      guard given(Options.rate), !given(Options.mean), !given(Options.spread), !given(Options.spreadB) else {
        throw call.mistake(
          "The rate of the event is missing, or an option for revenue is given.",
          hint: "Give '--events' or '--rate', without '--mean', '--spread' and '--spread-b'.")
      }
      return .rate(try number(Options.rate, in: 1e-4...99.99, call) / 100)
    }
    guard given(Options.mean), given(Options.spread), !given(Options.rate) else {
      throw call.mistake(
        "The revenue of users is missing, or '--rate' is given.",
        hint: "Give '--events', or '--mean' and '--spread', without '--rate'.")
    }
    return .stated(
      mean: try number(Options.mean, in: 1e-6...1e9, call),
      spread: try number(Options.spread, in: 1e-6...1e9, call),
      spreadB: given(Options.spreadB) ? try number(Options.spreadB, in: 1e-6...1e9, call) : nil)
  }

  private static func number(
    _ option: TypedOption<String?>, in range: ClosedRange<Double>, _ call: Invocation
  ) throws -> Double {
    try number(call[option] ?? "", of: option.name, in: range, call)
  }

  private static func number(
    _ option: TypedOption<String>, in range: ClosedRange<Double>, _ call: Invocation
  ) throws -> Double {
    try number(call[option], of: option.name, in: range, call)
  }

  private static func number(
    _ text: String, of name: String, in range: ClosedRange<Double>, _ call: Invocation
  ) throws -> Double {
    guard let number = Double(text), range.contains(number) else {
      throw call.mistake(
        "The value '\(text)' of '\(name)' is not a number from \(range.lowerBound) to "
          + "\(range.upperBound).")
    }
    return number
  }
}
