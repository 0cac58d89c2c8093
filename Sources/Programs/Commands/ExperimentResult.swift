import Estimates
import JSONText
import MappingFormats
import Postbacks
import Reporting
import Values

/// What two campaigns tell, ready to be printed.
struct ExperimentResult {
  let arms: ExperimentArms
  let level: Double
  let planned: Int
  private let comparison: ExperimentComparison
  private let days: [Day]

  /// Compares the arms.
  init(arms: ExperimentArms, level: Double, planned: Int) {
    self.arms = arms
    self.level = level
    self.planned = planned
    let rows = arms.days
    days = rows.map(\.day)
    comparison = ExperimentComparison(rows.map(\.users), level: level, planned: Double(planned))
  }

  /// The rule, applied.
  private var rule: String {
    guard let stop = comparison.stop else {
      let least = min(comparison.a.count, comparison.b.count)
      return least < ExperimentComparison.fewestUsers
        ? "go on: an arm has fewer than \(decimals(ExperimentComparison.fewestUsers, 0)) values to compare"
        : "go on: 0 lies inside"
    }
    let isHigher = comparison.verdict == .higher
    let day = "0 lies outside since \(days[stop.day])"
    if arms.measure == .nullRate { return "stop: \(isHigher ? "B" : "A") has more nulls (\(day))" }
    return "stop: \(isHigher ? "B" : "A") is better (\(day))"
  }

  private var action: String { comparison.verdict == .open ? "go-on" : "stop" }

  /// The result for people.
  var table: String {
    var table = TextTable(
      [.init("arm"), .init("network/campaign")]
        + ["installs", "shown", "nulls", "null %", "coarse", "unmapped", "mean", "spread"].map {
          TextTable.Column($0, isNumeric: true)
        })
    for (name, arm, counts, moments) in [
      ("A", arms.a, arms.counts.a, comparison.a), ("B", arms.b, arms.counts.b, comparison.b),
    ] {
      let numbers = [counts.installs, counts.shown, counts.nulls].map { grouped($0) }
      table.add(
        [name, printable(arm.text)] + numbers + [
          decimals(counts.installs > 0 ? 100 * Double(counts.nulls) / Double(counts.installs) : nil, 1),
          grouped(counts.coarse), grouped(counts.unmapped),
          decimals(moments.count > 0 ? moments.mean : nil, 4),
          decimals(moments.count > 1 ? moments.variance.squareRoot() : nil, 4),
        ])
    }
    let percent = decimals(100 * level, 0) + " %"
    var differences = TextTable(
      [.init("B - A")]
        + ["difference", "\(percent) from", "to"].map { TextTable.Column($0, isNumeric: true) })
    let last = comparison.looks.last
    differences.add(
      row(
        "at every look (sequence, within days)", last?.interval == nil ? nil : last?.difference,
        last?.interval))
    differences.add(
      row("for one look only, at a size fixed before (Welch)", comparison.difference, comparison.fixed))
    return "\(arms.measure.sentence(currency: arms.currencies.first))\n" + table.text + "\n"
      + differences.text
      + "\n\(rule)\n"
      + "the rule: stop when 0 lies outside of the sequence; it is valid at every daily look, tuned to "
      + "\(grouped(Int64(planned))) shown values\n"
      + (comparison.isSplitChanging
        ? "warning: B's share changes from day to day, so that the interval for one look takes good days for a good arm; "
          + "go by the sequence, which compares within days\n" : "")
  }

  private func row(_ name: String, _ difference: Double?, _ interval: Interval?) -> [String] {
    [name, decimals(difference, 4), decimals(interval?.low, 4), decimals(interval?.high, 4)]
  }

  /// The result for machines.
  var json: JSONOutput {
    func arm(
      _ name: ExperimentArms.Name, _ counts: ExperimentArms.Counts, _ moments: SampleMoments
    ) -> JSONOutput {
      [
        "network": .string(name.network), "campaign": .string(name.campaign),
        "installs": .integer(counts.installs), "shown": .integer(counts.shown),
        "nulls": .integer(counts.nulls),
        "coarse": .integer(counts.coarse), "unmapped": .integer(counts.unmapped),
        "compared": sixDecimals(moments.count),
        "mean": sixDecimals(moments.count > 0 ? moments.mean : nil),
        "variance": sixDecimals(moments.count > 1 ? moments.variance : nil),
        "variance-within-codes": sixDecimals(moments.count > 0 ? moments.varianceWithin : nil),
      ]
    }
    func interval(_ interval: Interval?) -> JSONOutput {
      interval.map { ["low": sixDecimals($0.low), "high": sixDecimals($0.high)] } ?? .null
    }
    let looks: [JSONOutput] = comparison.looks.map { look in
      [
        "day": .string("\(days[look.day])"), "difference": sixDecimals(look.difference),
        "interval": interval(look.interval),
      ]
    }
    return [
      "measure": .string(arms.measure.text), "currency": .optional(arms.currencies.first?.text),
      "level": sixDecimals(level), "planned": .integer(Int64(planned)),
      "a": arm(arms.a, arms.counts.a, comparison.a), "b": arm(arms.b, arms.counts.b, comparison.b),
      "sequence": interval(comparison.looks.last?.interval),
      "difference": sixDecimals(comparison.difference), "fixed": interval(comparison.fixed),
      "split-probability": sixDecimals(comparison.splitProbability),
      "split-changing": .bool(comparison.isSplitChanging), "action": .string(action),
      "verdict": .string(comparison.verdict.rawValue),
      "stopped-on": .optional(comparison.stop.map { "\(days[$0.day])" }), "rule": .string(rule),
      "looks": .array(looks),
    ]
  }
}
