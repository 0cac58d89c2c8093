import Arguments
import Estimates
import JSONText
import Postbacks
import Reporting
import System
import Tables
import Values

/// `skan experiment compare`: which of two campaigns is better, and whether that is sure yet.
package enum ExperimentCompareCommand {
  enum Options {
    static let a = RequiredOption<String>.value("--a", "NETWORK/CAMPAIGN", .text, "Arm A.")
    static let b = RequiredOption<String>.value("--b", "NETWORK/CAMPAIGN", .text, "Arm B.")
    static let from = TypedOption<Instant?>.value("--from", "DATE", .time, "First arrival date (UTC).")
    static let to = TypedOption<Instant?>.value(
      "--to", "DATE", .time, "End of the arrival dates, exclusive (UTC).")
    static let measure = TypedOption<String>.value(
      "--measure", "WHAT", .text, "Measure to compare: revenue, event:NAME or null-rate.",
      default: "revenue")
    static let planned = TypedOption<Int>.value(
      "--planned", "N", .integer(1...1_000_000_000_000),
      "Planned number of shown values of both arms, where the sequence is tightest.", default: 10_000)
    static let level = TypedOption<Int>.value(
      "--level", "PERCENT", .integer(50...99), "Confidence level in percent.", default: 95)
    static let app = TypedOption<Int?>.value(
      "--app", "ID", .integer(1...(.max)), "App Store number of the app.", defaultNote: "the only one")
    static let environment = TypedOption<Environment>.choice(
      "--environment", "NAME", "Environment of the signing keys.",
      default: .production)
    static let digits = TypedOption<Int>.value(
      "--digits", "N", .integer(2...4),
      "Number of last digits of a source identifier that identify a campaign; nulls always have two.",
      default: 2)
  }

  package static let entry = Entry(
    command: Command(
      "experiment compare", "Compare two campaigns, and decide when to stop.",
      discussion: [
        "skan prints the difference of the arms with two confidence intervals. The confidence sequence "
          + "(normal mixture; Waudby-Smith and others, 2021) is valid at all looks at once, so you may look "
          + "every day: stop when it does not contain 0. After that, the result stays. The fixed interval "
          + "(Welch) is valid for one look only, at a planned size and with a constant split. skan prints a "
          + "warning if the split changes from day to day.",
        "The sequence compares arms within each arrival date, so neither good days nor a changed split "
          + "bias it. It starts at 100 shown values in each arm, and its coverage is asymptotic. Only "
          + "complete days count: exclude today with --to. Set --planned to the size of the plan, where the "
          + "sequence is tightest; do not change it, the measure or the first day after a look.",
        "Each value has the mapping's revenue, with users spread evenly over its range. Coarse and "
          + "unmapped values are excluded. If one arm has more withheld values, the shown values of the two "
          + "arms may not be comparable: compare null-rate too.",
      ],
      examples: [
        .init(
          "Compare revenue of two campaigns",
          "skan experiment compare -d skan.db --a example123.skadnetwork/12 --b example123.skadnetwork/34 --planned 6000"
        ),
        .init(
          "Compare the share of nulls of two campaigns",
          "skan experiment compare -d skan.db --a example123.skadnetwork/12 --b example123.skadnetwork/34 --measure null-rate"
        ),
      ],
      options: [
        .database(),
        Options.a.option,
        Options.b.option,
        Options.from.option,
        Options.to.option,
        Options.measure.option,
        Options.planned.option,
        Options.level.option,
        Options.app.option,
        Options.environment.option,
        Options.digits.option, .format(["table", "json"]),
      ]), run: run)

  private static func run(_ call: Invocation) throws -> ExitCode {
    let digits = call[Options.digits]
    let names = (a: try arm(Options.a, digits, call), b: try arm(Options.b, digits, call))
    guard names.a != names.b else { throw call.mistake("'--a' and '--b' are the same campaign.") }
    let text = call[Options.measure]
    guard let measure = ExperimentMeasure(text) else {
      throw call.mistake(
        "The value '\(text)' of '--measure' is not a measure.",
        hint: "Use revenue, event:NAME or null-rate.")
    }
    var question = ExperimentQuestion(a: names.a, b: names.b)
    question.measure = measure
    question.days = try period(call)
    question.app = call[Options.app].flatMap { AppID(Int64($0)) }
    question.environment = call[Options.environment]
    question.digits = digits
    question.level = call[Options.level]
    question.planned = call[Options.planned]
    let reader = try call.reader()
    let result: ExperimentResult
    do {
      result = try question.answer(from: reader)
    } catch let error as ParameterError {
      throw call.mistake(error)
    } catch ExperimentConfusion.severalApps {
      let confusion = ExperimentConfusion.severalApps
      throw call.mistake(confusion.message, hint: confusion.remedy)
    }
    let arms = result.arms
    for (name, counts) in [(arms.a, arms.counts.a), (arms.b, arms.counts.b)] where counts.installs == 0 {
      call.console.note("found no winning window 1 postback of \(printable(name.text))")
    }
    if arms.hasBothKinds {
      call.console.note(
        "postbacks with a campaign-id and with a source-identifier of that number count as one campaign")
    }
    if call.format == .json {
      call.console.line(result.json.text(pretty: true))
    } else {
      call.console.write(result.table)
    }
    return .done
  }

  private static func arm(_ option: RequiredOption<String>, _ digits: Int, _ call: Invocation) throws
    -> ExperimentArms.Name
  {
    let text = try call[option]
    guard let name = ExperimentArms.Name(text, digits: digits) else {
      throw call.mistake(
        "The value '\(text)' of '\(option.name)' is not NETWORK/CAMPAIGN.",
        hint: "Use NETWORK/CAMPAIGN, such as example123.skadnetwork/12.")
    }
    return name
  }

  private static func period(_ call: Invocation) throws -> Period<Day> {
    var period = Period<Day>()
    (period.from, period.to) = (try day(Options.from, call), try day(Options.to, call))
    do throws(ParameterError) { try period.checkOrder() } catch { throw call.mistake(error) }
    return period
  }

  private static func day(_ option: TypedOption<Instant?>, _ call: Invocation) throws -> Day? {
    guard let time = call[option] else { return nil }
    guard time == time.day.start else {
      throw call.mistake(
        "The value '\(time)' of '\(option.name)' is not the start of a UTC day; arms are compared by whole days.",
        hint: "Give '\(time.day)'.")
    }
    return time.day
  }
}
