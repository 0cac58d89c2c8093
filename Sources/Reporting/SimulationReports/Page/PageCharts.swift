import Mappings
import Markup
import Postbacks
import Simulation
import Values

/// The drawings of the page, each in a section of its own.
enum PageCharts {
  /// More points could not be distinguished.
  private static let mostPoints = 1000
  /// Campaigns beyond the axes that are named.
  private static let mostNamed = 5
  /// Days of which each has a place, also where nothing happened.
  private static let mostDays = 1000

  // MARK: Delays

  /// The share of each window's postbacks that has arrived, by days after the conversion.
  static func delays(_ study: VariantStudy) -> HTML {
    let heading: HTML = "Delay of postbacks"
    let curves = study.windows.map { ($0.rawValue + 1, study.total.sum[$0].delays) }.filter { $1.total > 0 }
    guard !curves.isEmpty else {
      return Panel.section("delays", heading, "<p>No postback was sent, so there is no delay to show.</p>")
    }
    let start = study.configuration.mapping.device == .aak ? "install or re-engagement" : "install"
    let halves = curves.map { window, delays in
      let half = delays.percentile(0.5).map { duration(hours: $0) } ?? ""
      let most = delays.percentile(0.99).map { duration(hours: $0) } ?? ""
      return "Window \(window): half within \(half), 99 % within \(most)"
    }
    let longest = curves.map { ($1.percentile(1) ?? 0) / 24 + 1 }.max() ?? 1
    var chart = SeriesChart((0...longest).map { "\($0)" }, most: 100)
    let styles = ["k1", "k2 d2", "k4 d3"]
    for (window, delays) in curves {
      let total = Double(delays.total)
      chart.line(
        (0...longest).map { 100 * Double(delays.counts.prefix(24 * $0).reduce(0, +)) / total },
        style: styles[window - 1])
    }
    return Panel.section(
      "delays", heading,
      note: .prose(
        "The share of postbacks that has arrived, in %, by the days since \(start). "
          + halves.joined(separator: ". ") + "."),
      figure(
        curves.map { (.line(styles[$0.0 - 1]), "window \($0.0)") },
        chart.markup(label: "share of postbacks that arrived by days since install")))
  }

  // MARK: Days

  /// Installs and arriving postbacks day by day.
  static func days(_ days: [DayFigures]) -> HTML {
    let heading: HTML = "Day by day"
    guard let first = days.first?.day, let last = days.last?.day else {
      return Panel.section("day-by-day", heading, "<p>No day has installs or postbacks.</p>")
    }
    let isWhole = Int(last.number) - Int(first.number) < mostDays
    let shown = isWhole ? (first.number...last.number).map { Day(number: $0) } : days.map(\.day)
    let figures = Dictionary(uniqueKeysWithValues: days.map { ($0.day, $0) })
    var chart = SeriesChart(
      shown.map { "\($0)" }, most: days.map { max($0.installs, $0.postbacks) }.max() ?? 1)
    chart.line(shown.map { figures[$0]?.installs ?? 0 }, style: "k6 d2")
    chart.line(shown.map { figures[$0]?.postbacks ?? 0 }, style: "k1")
    // No line breaks after one of a date's hyphens.
    func whole(_ day: Day) -> String { "\(day)".replacing("-", with: "\u{2011}") }
    return Panel.section(
      "day-by-day", heading,
      note: .prose(
        "Postbacks follow installs by days, so a day's postbacks belong to earlier installs. From "
          + "\(whole(first)) to \(whole(last)), UTC."
          + (isWhole ? "" : " Days without installs and postbacks are left out.")),
      figure(
        [(.line("k6 d2"), "installs"), (.line("k1"), "postbacks that arrived")],
        chart.markup(label: "installs and postbacks by day")))
  }

  // MARK: Withheld values

  /// The share of null postbacks against the size of a campaign.
  static func nulls(_ study: VariantStudy) throws -> HTML {
    let heading: HTML = "Withheld values by campaign size"
    // Without a model all points would lie on the axis, and the picture would suggest no loss.
    guard study.configuration.crowd != .none else {
      return Panel.section(
        "nulls", heading,
        """
        <p>No privacy threshold model is selected, so no value is withheld. Simulate with <code>--threshold \
        default</code> to see which campaigns are below the threshold.</p>
        """)
    }
    var chart = ScatterChart(x: "installs a day", y: "postbacks without a value")
    var (count, left) = (0, 0)
    try study.forEachRow { row in
      guard let perDay = row.figures.installsPerDay, perDay > 0,
        let share = row.figures.share(row.figures.nulls)
      else { return }
      guard count < mostPoints else { return left += 1 }
      count += 1
      chart.point(
        x: perDay, y: share,
        label: "\(row.campaign): \(trimmed(perDay, 1)) installs a day, \(percent(share)) null")
    }
    guard count > 0 else {
      return Panel.section(
        "nulls", heading, "<p>No campaign sent a postback, so there is no share to show.</p>")
    }
    let threshold: Double? =
      switch study.configuration.crowd {
      case .hard(let rule): Double(rule.installsPerDay)
      case .logistic(let rule): rule.median
      case .none, .tiers, .value: nil
      }
    if let threshold { chart.upright(threshold) }
    let note =
      "Each point is a campaign: the share of its postbacks without a value, by its mean installs on "
      + "days with installs."
      + (left > 0 ? " The \(mostPoints) largest campaigns; \(left) smaller ones are not shown." : "")
      + (threshold.map { " Dashed line: the threshold of \(trimmed($0, 1)) installs a day." } ?? "")
    return Panel.section(
      "nulls", heading, note: .prose(note), chart.markup(label: "share of null postbacks by installs a day"))
  }

  // MARK: Comparison

  /// A variant against the first one: each campaign's error under both, and which is better.
  static func comparison(_ comparison: VariantComparison, _ index: Int) -> HTML {
    let (a, b) = (comparison.nameOfA, comparison.nameOfB)
    let heading: HTML = "\(a) or \(b)?"
    guard let paired = comparison.paired else {
      return Panel.section("compared-\(index)", heading, "<p>\(comparison.sentence)</p>")
    }
    let rows = paired.rows.prefix(mostPoints)
    let left = paired.rows.count - rows.count
    let bound = bound(rows.map(\.worse))
    let beyond = rows.filter { $0.worse > bound }
    var chart = ScatterChart(
      x: "error under \(fitted(a, width: 150, size: 12))",
      y: "error under \(fitted(b, width: 150, size: 12))",
      sharesUpTo: bound)
    // What lies beyond comes last, so that no point at the edge covers it.
    for row in rows.filter({ $0.worse <= bound }) + beyond {
      chart.point(
        x: row.errorOfA, y: row.errorOfB, isBeyond: row.worse > bound,
        label: "\(row.campaign): \(a) \(percent(row.errorOfA)), \(b) \(percent(row.errorOfB))",
        name: row.worse > bound ? percent(row.worse) : "")
    }
    let others = beyond.count - mostNamed
    let named = beyond.prefix(mostNamed).map { row in
      "\(printable(row.campaign)) (\(a) \(percent(row.errorOfA)), \(b) \(percent(row.errorOfB)))"
    }.joined(separator: ", ")
    let rings =
      beyond.isEmpty
      ? ""
      : " Rings at the edge are outside the plot: \(named)\(others > 0 ? " and \(counted(others, "other"))" : "")."
    return Panel.section(
      "compared-\(index)", heading, note: .prose(comparison.sentence),
      """
      <p>Each point is a campaign; below the diagonal \(b) has the smaller error, above it \
      \(a).\(left > 0 ? " \(left) campaigns are not shown." : "")\(rings)</p>
      \(chart.markup(label: "error by campaign under both mappings"))
      """)
  }

  /// Where the axes may end: at the largest error, unless few campaigns with far larger ones than the others' would
  /// squeeze these into a corner.
  ///
  /// The rule is that of a box plot's whiskers: numbers above the upper quartile by more than 1.5 times the distance
  /// of the quartiles are far. Source: Tukey, "Exploratory Data Analysis" (1977).
  static func bound(_ errors: [Double]) -> Double {
    let sorted = errors.sorted()
    guard let largest = sorted.last else { return 0 }
    let (lower, upper) = (sorted[(sorted.count - 1) / 4], sorted[(sorted.count - 1) * 3 / 4])
    let near = sorted.last { $0 <= upper + 1.5 * (upper - lower) } ?? largest
    // An axis that would hardly be longer shows everything.
    return largest > 2 * near && near > 0 ? near : largest
  }

  private static func figure(_ legend: [(sample: LegendSample, word: HTML)], _ chart: HTML) -> HTML {
    "<figure>\(Panel.legend(legend))\(chart)</figure>"
  }
}

extension PairedComparison.Row {
  fileprivate var worse: Double { max(errorOfA, errorOfB) }
}
