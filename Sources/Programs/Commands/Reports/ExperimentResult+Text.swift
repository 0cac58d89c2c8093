import Estimates
import JSONText
import Postbacks
import Tables
import Values

extension ExperimentResult {
  private var action: String { comparison.verdict == .open ? "go-on" : "stop" }

  private var rule: String {
    guard let stop = comparison.stop else {
      let least = min(comparison.a.count, comparison.b.count)
      return least < ExperimentComparison.fewestUsers
        ? "continue: an arm has fewer than \(fixed(ExperimentComparison.fewestUsers, 0)) values to "
          + "compare"
        : "continue: the sequence contains 0"
    }
    let isHigher = comparison.verdict == .higher
    let bounds = stop.interval.map { "\(fixed($0.low, 4)) to \(fixed($0.high, 4))" } ?? ""
    let day = "on \(days[stop.day]) the sequence was \(bounds), without 0"
    if arms.measure == .nullRate { return "stop: \(isHigher ? "B" : "A") has more nulls (\(day))" }
    return "stop: \(isHigher ? "B" : "A") is better (\(day))"
  }

  var table: String {
    let compared = [
      Arm(letter: "A", name: arms.a, counts: arms.counts.a, moments: comparison.a),
      Arm(letter: "B", name: arms.b, counts: arms.counts.b, moments: comparison.b),
    ]
    let last = comparison.looks.last
    let differences = [
      Difference(
        look: "at every look (sequence, within days)",
        difference: last?.interval == nil ? nil : last?.difference, interval: last?.interval),
      Difference(
        look: "for one look only, at a planned size (Welch)", difference: comparison.difference,
        interval: comparison.fixed),
    ]
    return "\(arms.measure.sentence(currency: arms.currencies.first))\n"
      + Table(Self.armColumns, rows: compared).text(.table) + "\n"
      + Table(differenceColumns, rows: differences).text(.table)
      + "\n\(rule)\n"
      + "the rule: stop when 0 lies outside of the sequence; it is valid at every daily look, tuned to "
      + "\(grouped(Int64(planned))) shown values\n"
      + (comparison.isSplitChanging
        ? "warning: B's share changes from day to day, which biases the interval for one look; use the "
          + "sequence, which compares arms within days\n" : "")
  }

  private struct Arm {
    let letter: String
    let name: ExperimentArms.Name
    let counts: ExperimentArms.Counts
    let moments: SampleMoments
  }

  private static let armColumns: [Column<Arm>] = [
    Column("arm", "arm", "A or B.", \.letter),
    Column("campaign", "network/campaign", "Network and campaign of the arm.", \.name.text),
    Column("installs", "installs", "Winning installs.", \.counts.installs),
    Column("shown", "shown", "Those of them with a fine value.", \.counts.shown),
    Column("nulls", "nulls", "Those of them without a value.", \.counts.nulls),
    Column("null-share", "null share", "Nulls among the installs.") {
      Share($0.counts.nulls, of: $0.counts.installs)
    },
    Column("coarse", "coarse", "Installs with a coarse value.", \.counts.coarse),
    Column(
      "unmapped", "unmapped", "Installs with a value that the mapping does not have.", \.counts.unmapped),
    Column("mean", "mean", "Mean of what is compared.") {
      $0.moments.count > 0 ? Ratio($0.moments.mean) : nil
    },
    Column("spread", "spread", "Standard deviation of what is compared.") {
      $0.moments.count > 1 ? Ratio($0.moments.variance.squareRoot()) : nil
    },
  ]

  /// How far B is above A.
  private struct Difference {
    let look: String
    let difference: Double?
    let interval: Estimates.Interval?
  }

  private var differenceColumns: [Column<Difference>] {
    [
      Column("look", "B - A", "When one may look.", \.look),
      Column("difference", "difference", "Mean of B less mean of A.") { $0.difference.map { Ratio($0) } },
      Column("interval", "\(percent(level, 0)) interval", "Interval of the difference.") { row in
        row.interval.map { Bounds(Ratio($0.low), Ratio($0.high)) }
      },
    ]
  }

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
    func interval(_ interval: Estimates.Interval?) -> JSONOutput {
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
      "stopped-at": interval(comparison.stop?.interval),
      "stopped-on": .optional(comparison.stop.map { "\(days[$0.day])" }), "rule": .string(rule),
      "looks": .array(looks),
    ]
  }
}
