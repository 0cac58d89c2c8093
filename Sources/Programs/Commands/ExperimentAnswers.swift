import Estimates
import JSONText
import Mappings
import Postbacks
import Values
import Tables

/// The plan of an experiment, ready to be printed.
struct ExperimentAnswers {
  let measure: ExperimentMeasure
  let mapping: Mapping
  /// How much higher B is to be found, relative to A.
  let lift: Double
  /// The share of installs without a value.
  let nulls: Double
  let mean: Double
  let variance: Double
  /// The part of the variance that values hide; `nil` where it is not told apart.
  let within: Double?
  let request: ExperimentSize.Request
  let size: ExperimentSize
  let looksDaily: Bool
  let installsPerDay: Int?

  /// Installs of both arms for so many shown values, of A and of B.
  private func installs(_ shown: Double) -> (a: Double, b: Double) {
    let installs = shown / (1 - nulls)
    return ((installs * (1 - request.shareB)).rounded(.up), (installs * request.shareB).rounded(.up))
  }

  /// How many hours after an install its first postback comes.
  private var delay: SendingDelay {
    mapping.sendingDelay(of: .absent, version: mapping.device.hasWindows ? .v4_0 : .v3_0, window: .first)
  }

  /// Days of installs, and days until the last first postback of these.
  private func days(_ shown: Double) -> (installs: Double, whole: Double)? {
    guard let installsPerDay else { return nil }
    let arms = installs(shown)
    let days = ((arms.a + arms.b) / Double(installsPerDay)).rounded(.up)
    return (days, days + (delay.longest / 24).rounded(.up))
  }

  private func percent(_ share: Double) -> String { decimals(100 * share, 1) + " %" }

  private func number(_ number: Double) -> String { grouped(Int64(number)) }

  private func sizes(_ shown: Double) -> String {
    let arms = installs(shown)
    return
      "\(number(arms.a)) installs in A and \(number(arms.b)) in B (\(number(shown.rounded(.up))) with a value)"
  }

  private func duration(_ shown: Double) -> String {
    let wait = "\(decimals(delay.shortest, 0)) to \(decimals(delay.longest, 0)) hours"
    guard let days = days(shown) else {
      return "until the installs have arrived, and \(wait) more for the last window 1 postback; use "
        + "--installs-per-day to get days"
    }
    return "\(number(days.installs)) days of installs, and \(wait) more for the last window 1 postback: "
      + "\(number(days.whole)) days"
  }

  /// The six answers for people.
  var table: String {
    var answers: [(question: String, answer: String)] = []
    let isRevenue = measure == .revenue
    let unit = isRevenue ? mapping.currency.text : "%"
    func amount(_ number: Double) -> String { decimals(isRevenue ? number : 100 * number, 4) + " " + unit }
    answers.append(
      (
        "goal",
        "detect a mean that is \(percent(lift)) higher: \(amount(mean)) against "
          + "\(amount(mean * (1 + lift)))"
      ))
    answers.append(
      (
        "versions", "A unchanged, and B with one change; both with the mapping '\(printable(mapping.name))'"
      ))
    answers.append(
      (
        "sample size",
        looksDaily
          ? "daily looks: at most " + sizes(size.shownWithLooks) : sizes(size.shownAtEnd)
      ))
    answers.append(
      (
        "",
        looksDaily
          ? "one look at the end: " + sizes(size.shownAtEnd)
          : "for daily looks: at most " + sizes(size.shownWithLooks)
      ))
    answers.append(
      (
        "split",
        "\(percent(1 - request.shareB)) A, \(percent(request.shareB)) B, at random or by equal campaigns"
      ))
    answers.append(("duration", duration(looksDaily ? size.shownWithLooks : size.shownAtEnd)))
    answers.append(("measure", measure.sentence(currency: isRevenue ? mapping.currency : nil)))
    return Table(Self.columns, rows: answers).text(.table, notes: notes)
  }

  private static let columns: [Column<(question: String, answer: String)>] = [
    Column("question", "question", "What has to be decided.") { $0.question },
    Column("answer", "answer", "The decision.") { $0.answer },
  ]

  private var notes: [String] {
    var notes = [
      "power \(percent(request.power)), level \(percent(request.level)), two-sided; \(percent(nulls)) of values withheld; "
        + "standard deviation \(decimals(variance.squareRoot(), 4))"
    ]
    if let within {
      notes.append(
        "\(percent(variance > 0 ? within / variance : 0)) of the variance is within values and cannot be "
          + "observed"
      )
    }
    if looksDaily {
      notes.append(
        "next: skan experiment compare --planned \(decimals(size.shownAtEnd.rounded(.up), 0)), and stop "
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
        "values-shown": sixDecimals(shown.rounded(.up)), "installs-a": sixDecimals(arms.a),
        "installs-b": sixDecimals(arms.b), "install-days": sixDecimals(days?.installs),
        "days": sixDecimals(days?.whole),
      ]
    }
    return [
      "goal": [
        "difference": sixDecimals(request.difference), "relative": sixDecimals(lift),
        "mean-a": sixDecimals(mean),
        "mean-b": sixDecimals(mean * (1 + lift)),
      ],
      "versions": ["A", "B"], "mapping": .string(mapping.name),
      "sample-size": ["end": look(size.shownAtEnd), "daily": look(size.shownWithLooks)],
      "looks": .string(looksDaily ? "daily" : "end"), "planned": sixDecimals(size.shownAtEnd.rounded(.up)),
      "split-b": sixDecimals(request.shareB),
      "delay-hours": ["shortest": sixDecimals(delay.shortest), "longest": sixDecimals(delay.longest)],
      "measure": .string(measure.text),
      "currency": measure == .revenue ? .string(mapping.currency.text) : .null,
      "power": sixDecimals(request.power), "level": sixDecimals(request.level),
      "null-share": sixDecimals(nulls),
      "variance": sixDecimals(variance), "variance-within-values": sixDecimals(within),
    ]
  }
}
