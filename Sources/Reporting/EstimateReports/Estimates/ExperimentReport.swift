package import Arguments
package import Campaigns
import Estimates
package import Postbacks
package import Tables
package import Values

/// Which of two networks, campaigns or sets of them is better, and whether that is sure yet; a row for each arm.
package struct ExperimentReport: Report {
  package var search = ExperimentSearch()
  package var period = Period<Day>()
  /// `nil` for the only app.
  package var app: AppID?
  package var environment = Environment.production

  package init() {}

  package static let name = "experiment"
  package static let command = "experiment compare"
  package static let path = "/v1/experiments/compare"
  package static let summary =
    "Compare two networks, campaigns or sets of campaigns, and decide when to stop."
  package static let discussion = [
    "An arm is a network with all of its campaigns, a campaign of a network, or several of these with commas between them. "
      + "The arms have nothing in common, and are of one app.",
    "skan prints the difference of the arms with two confidence intervals. The confidence sequence "
      + "(normal mixture; Waudby-Smith and others, 2021) is valid at all looks at once, so you may look "
      + "every day: stop when it does not contain 0. After that, the result stays. The fixed interval "
      + "(Welch) is valid for one look only, at a planned size and with a constant split. A note states "
      + "if the split changes from day to day.",
    "The sequence compares arms within each arrival date, so neither good days nor a changed split "
      + "bias it. It starts at 100 shown values in each arm, and its coverage is asymptotic. For the arm "
      + "that is behind it includes three unseen users of the mapping's highest amount: an arm that earns by few large "
      + "payers has none of them at first. Only complete days count: exclude today with --to. Set --planned to the size of the plan, where the "
      + "sequence is tightest; do not change it, the measure or the first day after a look.",
    "Each value has the mapping's revenue, with users spread evenly over its range. Coarse and "
      + "unmapped values are excluded. That is what postbacks show by arrival date, and not the estimated revenue of installs, which "
      + "`skan report estimates` has with the return of each campaign. If one arm has more withheld values, the shown values of the two "
      + "arms may not be comparable: compare null-rate too. Networks reach different users, so a difference of networks is "
      + "one of the users who came.",
  ]
  package static let examples: [Command.Example] = [
    .init(
      "Compare revenue of two networks",
      "skan experiment compare -d skan.db --a example123.skadnetwork --b example456.skadnetwork"),
    .init(
      "Compare revenue of two campaigns",
      "skan experiment compare -d skan.db --a example123.skadnetwork/12 --b example123.skadnetwork/34 --planned 6000"
    ),
    .init(
      "Compare the share of nulls of two campaigns",
      "skan experiment compare -d skan.db --a example123.skadnetwork/12 --b example123.skadnetwork/34 --measure null-rate"
    ),
  ]
  package static let parameters: [Parameter<Self>] =
    Parameter.all(of: \.search) + Parameter.all(of: \.period) + [
      .init("app", \.app, "App Store number of the app.", as: .init(defaultNote: "the only one")),
      .init("environment", \.environment, "Environment whose keys signed the postbacks."),
    ]

  package static let columns: [Column<ExperimentFindings.Arm>] = [
    Column("arm", "arm", "A or B.", \.letter),
    Column("campaigns", "campaigns", "Networks and campaigns of the arm.") { $0.arm.parts.map(\.text) },
    Column(
      "conversions", "conversions",
      "Winning postbacks of the first window by arrival date: installs, redownloads and re-engagements.",
      \.counts.conversions),
    Column("shown", "shown", "Those of them with a fine value that the mapping has.", \.counts.shown),
    Column("nulls", "withheld", "Those of them without a value.", \.counts.nulls),
    Column("null-share", "withheld share", "Withheld values among the conversions.") {
      Share($0.counts.nulls, of: $0.counts.conversions)
    },
    Column("coarse", "coarse", "Conversions with a coarse value.", \.counts.coarse),
    Column(
      "unmapped", "unmapped", "Conversions with a value that the mapping does not have.", \.counts.unmapped),
    Column("compared", "compared", "Conversions that are compared.", shown: .forPrograms, \.compared),
    Column("mean", "mean", "Mean of what is compared.") { $0.mean.map { Ratio($0) } },
    Column("spread", "spread", "Standard deviation of what is compared.") { $0.spread.map { Ratio($0) } },
    Column(
      "variance-within-values", "variance within values",
      "Part of the variance that lies within the range of a value.", shown: .forPrograms
    ) { $0.varianceWithin.map { Ratio($0) } },
  ]

  private static let decision = Detail<ExperimentFindings>(
    "decision",
    [
      Column(
        "measure", "measure", "Measure that is compared.", shown: .forPrograms, \.result.arms.measure.text),
      Column("currency", "currency", "Currency of the revenue.", shown: .forPrograms) {
        $0.result.arms.currencies.first?.text
      },
      Column("level", "level", "Confidence level of the intervals.", shown: .forPrograms) {
        Share($0.result.level)
      },
      Column(
        "planned", "planned", "Shown values of both arms, where the sequence is tightest.",
        shown: .forPrograms,
        \.result.planned),
      Column("action", "action", "go-on or stop.", shown: .forPrograms, \.action),
      Column("verdict", "verdict", "Mean of B beside that of A: higher, lower or open.", shown: .forPrograms)
      {
        $0.result.comparison.verdict.rawValue
      },
      Column("stopped-on", "stopped on", "First day whose interval excludes 0.", shown: .forPrograms) {
        $0.decided?.day
      },
      Column("stopped-at", "stopped at", "Interval of that day.", shown: .forPrograms) {
        $0.decided?.difference.interval
      },
      Column(
        "split-probability", "split probability",
        "Probability of a split that changes as much from day to day, if it were constant.",
        shown: .forPrograms
      ) { $0.result.comparison.splitProbability.map { Ratio($0) } },
      Column(
        "split-changing", "split changing", "Whether B's share of the installs changes from day to day.",
        shown: .forPrograms, \.isSplitChanging),
    ])

  private struct Look: Sendable {
    let word: String
    let difference: ExperimentFindings.Difference?
  }

  private static let differences = Detail<Look>(
    "differences",
    [
      Column("valid", "valid", "When the interval is valid.", \.word),
      Column("difference", "B - A", "Mean of B less mean of A.") { $0.difference.map { Ratio($0.mid) } },
      Column("interval", "interval", "Confidence interval of the difference.") { $0.difference?.interval },
    ])

  private static let looks = Detail<(day: Day, difference: ExperimentFindings.Difference)>(
    "looks",
    [
      Column("day", "day", "Arrival date of the look.", shown: .forPrograms, \.day),
      Column("difference", "B - A", "Mean of B less mean of A, within days.", shown: .forPrograms) {
        Ratio($0.difference.mid)
      },
      Column("interval", "interval", "Confidence sequence at the look.", shown: .forPrograms) {
        $0.difference.interval
      },
    ])

  package static let details = [decision.header, differences.header, looks.header]

  package func rows(from source: ReportSource) throws -> Rows<ExperimentFindings.Arm> {
    let found: ExperimentFindings
    do {
      guard let answer = try search.answer(period, app.map { [$0] } ?? [], environment, from: source) else {
        throw ParameterError(
          search.a.isEmpty ? "a" : "b", Sentence("no value found; use NETWORK or NETWORK/CAMPAIGN."))
      }
      found = answer
    } catch ExperimentConfusion.severalApps(let apps) {
      throw ParameterError(
        "app",
        Sentence(
          "the arms are of the apps \(code: apps.map { "\($0.number)" }.joined(separator: ", ")). Give one."))
    } catch ExperimentConfusion.severalCurrencies(let names) {
      throw ParameterError(
        "measure",
        Sentence(
          "the mapping has amounts in \(code: names.joined(separator: ", ")), and revenue needs one currency. "
            + "Compare an event or null-rate."))
    }
    var rows = Rows.held(found.arms, key: \.letter)
    rows.details = [
      Self.decision.table([found]),
      Self.differences.table([
        Look(word: "every-look", difference: found.sequence),
        Look(word: "one-look", difference: found.oneLook),
      ]),
      Self.looks.table(found.looks),
    ]
    rows.notes = found.notes
    return rows
  }
}

extension ExperimentFindings.Difference {
  fileprivate var interval: Bounds<Ratio>? { bounds.map { Bounds(Ratio($0.low), Ratio($0.high)) } }
}

extension ExperimentFindings {
  fileprivate var action: String { verdict == .open || verdict == .tooFew ? "go-on" : "stop" }

  fileprivate var notes: [Sentence] {
    [
      Sentence("\(measure); intervals of \(number: percent(result.level, 0))"), rule,
      Sentence(
        "the rule: stop if the interval for every look, a sequence within days, excludes 0; it is tuned to "
          + "\(grouped: Int64(result.planned)) shown values. The interval for one look is for a planned size"),
    ]
      + arms.filter { $0.counts.conversions == 0 }.map {
        Sentence("found no winning window 1 postback of \(name: $0.arm.text)")
      }
      + (hasBothKinds
        ? [
          Sentence(
            "postbacks with a campaign-id and with a source-identifier of that number count as one campaign")
        ]
        : [])
      + (isSplitChanging
        ? [
          Sentence(
            "B's share changes from day to day, which biases the interval for one look; use the one for every "
              + "look, which compares arms within days")
        ] : [])
  }

  private var rule: Sentence {
    guard let decided else {
      return verdict == .tooFew
        ? Sentence("continue: an arm has fewer than \(Self.fewest) values to compare")
        : Sentence("continue: the sequence contains 0")
    }
    let letter = verdict == .higher ? "B" : "A"
    let sequence = Sentence(
      name: decided.difference.bounds.map { "\(fixed($0.low, 4)) to \(fixed($0.high, 4))" } ?? "")
    return result.arms.measure == .nullRate
      ? Sentence(
        "stop: \(code: letter) has more nulls (on \(decided.day) the sequence was \(sequence), without 0)")
      : Sentence(
        "stop: \(code: letter) is better (on \(decided.day) the sequence was \(sequence), without 0)")
  }
}
