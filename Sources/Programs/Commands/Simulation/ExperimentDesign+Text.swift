import Estimates
import JSONText
import Mappings
import Postbacks
import Tables
import Values

extension ExperimentDesign {
  private func number(_ number: Double) -> String { grouped(Int64(number)) }

  private func sizes(_ shown: Double) -> String {
    let arms = installs(shown)
    return
      "\(number(arms.a)) installs in A and \(number(arms.b)) in B (\(number(shown.rounded(.up))) with a value)"
  }

  private func duration(_ shown: Double) -> String {
    let wait = "\(fixed(delay.shortest, 0)) to \(fixed(delay.longest, 0)) hours"
    guard let days = days(shown) else {
      return "until the installs have arrived, and \(wait) more for the last window 1 postback; use "
        + "--installs-per-day to get days"
    }
    return "\(number(days.installs)) days of installs, and \(wait) more for the last window 1 postback: "
      + "\(number(days.whole)) days"
  }

  /// The installs with a value that the looks that were asked for need.
  private var shown: Double { looksDaily ? size.shownWithLooks : size.shownAtEnd }

  /// The six answers for people.
  var table: String {
    let isRevenue = measure == .revenue
    let unit = isRevenue ? mapping.currency.text : "%"
    func amount(_ number: Double) -> String {
      fixed(isRevenue ? number : 100 * number, 4, none: "-") + " " + unit
    }
    let (daily, end) = ("at most " + sizes(size.shownWithLooks), sizes(size.shownAtEnd))
    let answers: [Answer] = [
      (
        "goal",
        "detect a mean that is \(percent(lift)) higher: \(amount(mean)) against \(amount(mean * (1 + lift)))"
      ),
      ("versions", "A unchanged, and B with one change; both with the mapping '\(printable(mapping.name))'"),
      ("sample size", looksDaily ? "daily looks: \(daily)" : end),
      ("", looksDaily ? "one look at the end: \(end)" : "for daily looks: \(daily)"),
      (
        "split",
        "\(percent(1 - request.shareB)) A, \(percent(request.shareB)) B, at random or by equal campaigns"
      ),
      ("duration", duration(shown)),
      ("measure", measure.sentence(currency: isRevenue ? mapping.currency : nil).english),
    ]
    return Table(Self.columns, rows: answers).text(.table, notes: notes)
  }

  private typealias Answer = (question: String, answer: String)

  private static let columns: [Column<Answer>] = [
    Column("question", "question", "What has to be decided.") { $0.question },
    Column("answer", "answer", "The decision.") { $0.answer },
  ]

  private static func sentence(_ cause: UserValues.Lift) -> String {
    switch cause {
    case .amounts: "all users have higher revenue"
    case .users: "more users have revenue"
    case .top: "more users have the highest value"
    }
  }

  private var notes: [String] {
    var notes = [
      "power \(percent(request.power)), level \(percent(request.level)), two-sided; \(percent(nulls)) of values withheld; "
        + "standard deviation \(fixed(request.a.variance.squareRoot(), 4)) in A and "
        + "\(fixed(request.b.variance.squareRoot(), 4)) in B"
    ]
    if let cause {
      notes.append(
        "B's mean is higher because \(Self.sentence(cause)) (--lift-from \(cause.rawValue))")
      for other in otherSizes {
        let size = looksDaily ? other.size.shownWithLooks : other.size.shownAtEnd
        notes.append(
          "if \(Self.sentence(other.cause)) (--lift-from \(other.cause.rawValue)), the size is "
            + "\(number(size.rounded(.up))) installs with a value")
      }
    }
    if let within {
      let variance = request.a.variance
      notes.append(
        "\(percent(variance > 0 ? within / variance : 0)) of the variance is within values and cannot be "
          + "observed"
      )
    }
    if looksDaily {
      notes.append(
        "next: skan experiment compare --planned \(fixed(size.shownAtEnd.rounded(.up), 0)), and stop "
          + "when its interval does not contain 0"
      )
    } else {
      notes.append("look once, after all postbacks have arrived; earlier looks increase false positives")
    }
    notes.append(
      "two smaller campaigns may have more nulls than one; the size holds for the given share of nulls")
    return notes
  }

  /// The plan for machines.
  var json: JSONOutput {
    func look(_ shown: Double) -> JSONOutput {
      let arms = installs(shown)
      let days = days(shown)
      return [
        "values-shown": .decimal(shown.rounded(.up)), "installs-a": .decimal(arms.a),
        "installs-b": .decimal(arms.b), "install-days": .decimal(days?.installs),
        "days": .decimal(days?.whole),
      ]
    }
    return [
      "goal": [
        "difference": .decimal(request.difference), "relative": .decimal(lift),
        "mean-a": .decimal(mean),
        "mean-b": .decimal(mean * (1 + lift)),
      ],
      "versions": ["A", "B"], "mapping": .string(mapping.name),
      "sample-size": ["end": look(size.shownAtEnd), "daily": look(size.shownWithLooks)],
      "looks": .string(looksDaily ? "daily" : "end"), "planned": .decimal(size.shownAtEnd.rounded(.up)),
      "split-b": .decimal(request.shareB),
      "delay-hours": ["shortest": .decimal(delay.shortest), "longest": .decimal(delay.longest)],
      "measure": .string(measure.text),
      "currency": measure == .revenue ? .string(mapping.currency.text) : .null,
      "power": .decimal(request.power), "level": .decimal(request.level),
      "null-share": .decimal(nulls),
      "variance-a": .decimal(request.a.variance), "variance-b": .decimal(request.b.variance),
      "variance-within-values": .decimal(within), "lift-from": .optional(cause?.rawValue),
    ]
  }
}
