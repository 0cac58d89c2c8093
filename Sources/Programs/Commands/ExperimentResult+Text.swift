import Estimates
import JSONText
import Postbacks
import Reporting
import Values

extension ExperimentResult {
  private var action: String { comparison.verdict == .open ? "go-on" : "stop" }

  /// The rule, applied.
  private var rule: String {
    guard let stop = comparison.stop else {
      let least = min(comparison.a.count, comparison.b.count)
      return least < ExperimentComparison.fewestUsers
        ? "continue: an arm has fewer than \(fixed(ExperimentComparison.fewestUsers, 0)) values to "
          + "compare"
        : "continue: the sequence contains 0"
    }
    let isHigher = comparison.verdict == .higher
    let day = "the sequence excludes 0 since \(days[stop.day])"
    if arms.measure == .nullRate { return "stop: \(isHigher ? "B" : "A") has more nulls (\(day))" }
    return "stop: \(isHigher ? "B" : "A") is better (\(day))"
  }

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
          fixed(
            counts.installs > 0 ? 100 * Double(counts.nulls) / Double(counts.installs) : nil, 1, none: "-"),
          grouped(counts.coarse), grouped(counts.unmapped),
          fixed(moments.count > 0 ? moments.mean : nil, 4, none: "-"),
          fixed(moments.count > 1 ? moments.variance.squareRoot() : nil, 4, none: "-"),
        ])
    }
    let coverage = percent(level, 0)
    var differences = TextTable(
      [.init("B - A")]
        + ["difference", "\(coverage) from", "to"].map { TextTable.Column($0, isNumeric: true) })
    let last = comparison.looks.last
    differences.add(
      row(
        "at every look (sequence, within days)", last?.interval == nil ? nil : last?.difference,
        last?.interval))
    differences.add(
      row("for one look only, at a planned size (Welch)", comparison.difference, comparison.fixed))
    return "\(arms.measure.sentence(currency: arms.currencies.first))\n" + table.text + "\n"
      + differences.text
      + "\n\(rule)\n"
      + "the rule: stop when 0 lies outside of the sequence; it is valid at every daily look, tuned to "
      + "\(grouped(Int64(planned))) shown values\n"
      + (comparison.isSplitChanging
        ? "warning: B's share changes from day to day, which biases the interval for one look; use the "
          + "sequence, which compares arms within days\n" : "")
  }

  private func row(_ name: String, _ difference: Double?, _ interval: Interval?) -> [String] {
    [
      name, fixed(difference, 4, none: "-"), fixed(interval?.low, 4, none: "-"),
      fixed(interval?.high, 4, none: "-"),
    ]
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
        "compared": .decimal(moments.count),
        "mean": .decimal(moments.count > 0 ? moments.mean : nil),
        "variance": .decimal(moments.count > 1 ? moments.variance : nil),
        "variance-within-values": .decimal(moments.count > 0 ? moments.varianceWithin : nil),
      ]
    }
    func interval(_ interval: Interval?) -> JSONOutput {
      interval.map { ["low": .decimal($0.low), "high": .decimal($0.high)] } ?? .null
    }
    let looks: [JSONOutput] = comparison.looks.map { look in
      [
        "day": .string("\(days[look.day])"), "difference": .decimal(look.difference),
        "interval": interval(look.interval),
      ]
    }
    return [
      "measure": .string(arms.measure.text), "currency": .optional(arms.currencies.first?.text),
      "level": .decimal(level), "planned": .integer(Int64(planned)),
      "a": arm(arms.a, arms.counts.a, comparison.a), "b": arm(arms.b, arms.counts.b, comparison.b),
      "sequence": interval(comparison.looks.last?.interval),
      "difference": .decimal(comparison.difference), "fixed": interval(comparison.fixed),
      "split-probability": .decimal(comparison.splitProbability),
      "split-changing": .bool(comparison.isSplitChanging), "action": .string(action),
      "verdict": .string(comparison.verdict.rawValue),
      "stopped-on": .optional(comparison.stop.map { "\(days[$0.day])" }), "rule": .string(rule),
      "looks": .array(looks),
    ]
  }
}
