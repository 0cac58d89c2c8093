import Estimates
import JSONText
import Mappings
import Postbacks
import Reporting
import Values

/// The plan of an experiment, ready to be printed.
struct ExperimentAnswers {
  let measure: ExperimentMeasure
  let mapping: Mapping
  /// How much higher B is to be found, relative to A.
  let lift: Double
  /// The share of installs without a value.
  let nulls: Double
  let mean: Double
  /// The part of the variance that values hide; `nil` where it is not told apart.
  let within: Double?
  /// What makes B's mean higher, where it is known.
  let source: UserValues.Lift?
  /// The sizes for the other ways to bring as much.
  let otherSizes: [(how: UserValues.Lift, size: ExperimentSize)]
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

  private var variance: Double { request.a.variance }

  private static func sentence(_ source: UserValues.Lift) -> String {
    switch source {
    case .amounts: "all users bring more"
    case .users: "more users bring something"
    case .top: "more users have the highest value"
    }
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
      return "until the installs are there, and \(wait) more for the last first postback; "
        + "--installs-per-day gives days"
    }
    return "\(number(days.installs)) days of installs, and \(wait) more for the last first postback: "
      + "\(number(days.whole)) days"
  }

  /// The six answers for people.
  var table: String {
    var table = TextTable([.init("question"), .init("answer")])
    let isRevenue = measure == .revenue
    let unit = isRevenue ? mapping.currency.text : "%"
    func amount(_ number: Double) -> String { decimals(isRevenue ? number : 100 * number, 4) + " " + unit }
    table.add([
      "goal",
      "find a mean that is \(percent(lift)) higher: \(amount(mean)) against \(amount(mean * (1 + lift)))",
    ])
    table.add([
      "versions", "A as it is, and B with one change; both with the mapping '\(printable(mapping.name))'",
    ])
    table.add([
      "sample size",
      looksDaily
        ? "daily looks: at most " + sizes(size.shownWithLooks) : sizes(size.shownAtEnd),
    ])
    table.add([
      "",
      looksDaily
        ? "one look at the end: " + sizes(size.shownAtEnd)
        : "for daily looks: at most " + sizes(size.shownWithLooks),
    ])
    table.add([
      "split",
      "\(percent(1 - request.shareB)) A, \(percent(request.shareB)) B, by chance or by equal campaigns",
    ])
    table.add(["duration", duration(looksDaily ? size.shownWithLooks : size.shownAtEnd)])
    table.add(["measure", measure.sentence(currency: isRevenue ? mapping.currency : nil)])
    return table.text + notes
  }

  private var notes: String {
    var notes = [
      "power \(percent(request.power)), level \(percent(request.level)), two-sided; \(percent(nulls)) of values withheld; "
        + "standard deviation \(decimals(variance.squareRoot(), 4)) in A and "
        + "\(decimals(request.b.variance.squareRoot(), 4)) in B"
    ]
    if let source {
      let others = otherSizes.map { how, size in
        let shown = looksDaily ? size.shownWithLooks : size.shownAtEnd
        return "\(number(shown.rounded(.up))) shown values where \(Self.sentence(how))"
      }
      notes.append(
        "B's mean is higher because \(Self.sentence(source)) (--lift-from \(source.rawValue)); it takes "
          + others.joined(separator: ", and "))
    }
    if let within {
      notes.append(
        "\(percent(variance > 0 ? within / variance : 0)) of the variance lies within codes, where values hide it"
      )
    }
    if looksDaily {
      notes.append(
        "then: skan experiment compare --planned \(decimals(size.shownAtEnd.rounded(.up), 0)), and stop when 0 lies outside of its interval"
      )
    } else {
      notes.append("look once, when all postbacks are there; looking earlier makes false results likely")
    }
    notes.append(
      "two smaller crowds may have more nulls than one: the size holds for the nulls that were stated")
    return notes.map { $0 + "\n" }.joined()
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
      "variance-a": sixDecimals(variance), "variance-b": sixDecimals(request.b.variance),
      "variance-within-codes": sixDecimals(within), "lift-from": .optional(source?.rawValue),
    ]
  }
}
