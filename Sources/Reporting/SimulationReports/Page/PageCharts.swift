import Mappings
import Markup
import Postbacks
import Simulation
import Values

/// The drawings of the page, each in a section of its own.
struct PageCharts {
  let language: PageLanguage

  /// More points could not be distinguished.
  private static let mostPoints = 1000
  /// Campaigns beyond the axes that are named.
  private static let mostNamed = 5
  /// Days of which each has a place, also where nothing happened.
  private static let mostDays = 1000

  // MARK: Delays

  /// The share of each window's postbacks that has arrived, by days after the conversion.
  func delays(_ study: VariantStudy) -> HTML {
    let heading = language.say(Sentence("Delay of postbacks"))
    let curves = study.windows.map { ($0.rawValue + 1, study.total.sum[$0].delays) }.filter { $1.total > 0 }
    guard !curves.isEmpty else {
      return Panel.section(
        "delays", heading, nothing(Sentence("No postback was sent, so there is no delay to show.")))
    }
    let share =
      study.configuration.mapping.device == .aak
      ? Sentence(
        "The share of postbacks that has arrived, in %, by the days since install or re-engagement.")
      : Sentence("The share of postbacks that has arrived, in %, by the days since install.")
    let halves = curves.map { window, delays in
      let half = delays.percentile(0.5).map { duration(hours: $0) } ?? ""
      let most = delays.percentile(0.99).map { duration(hours: $0) } ?? ""
      return Sentence("Window \(window): half within \(number: half), 99 % within \(number: most).")
    }
    let longest = curves.map { ($1.percentile(1) ?? 0) / 24 + 1 }.max() ?? 1
    var chart = SeriesChart((0...longest).map { "\($0)" }, most: 100)
    chart.style = language.number
    let styles = ["k1", "k2 d2", "k4 d3"]
    for (window, delays) in curves {
      let total = Double(delays.total)
      chart.line(
        (0...longest).map { 100 * Double(delays.counts.prefix(24 * $0).reduce(0, +)) / total },
        style: styles[window - 1])
    }
    return Panel.section(
      "delays", heading, note: language.say([share] + halves),
      figure(
        curves.map { (.line(styles[$0.0 - 1]), Sentence("window \($0.0)")) },
        chart.markup(
          label: language.phrase(Sentence("share of postbacks that arrived by days since install")))))
  }

  // MARK: Days

  /// Installs and arriving postbacks day by day.
  func days(_ days: [DayFigures]) -> HTML {
    let heading = language.say(Sentence("Day by day"))
    guard let first = days.first?.day, let last = days.last?.day else {
      return Panel.section(
        "day-by-day", heading, nothing(Sentence("No day has installs or postbacks.")))
    }
    let isWhole = Int(last.number) - Int(first.number) < Self.mostDays
    let shown = isWhole ? (first.number...last.number).map { Day(number: $0) } : days.map(\.day)
    let figures = Dictionary(uniqueKeysWithValues: days.map { ($0.day, $0) })
    var chart = SeriesChart(
      shown.map { "\($0)" }, most: days.map { max($0.installs, $0.postbacks) }.max() ?? 1)
    chart.style = language.number
    chart.line(shown.map { figures[$0]?.installs ?? 0 }, style: "k6 d2")
    chart.line(shown.map { figures[$0]?.postbacks ?? 0 }, style: "k1")
    // No line breaks after one of a date's hyphens.
    func whole(_ day: Day) -> String { "\(day)".replacing("-", with: "\u{2011}") }
    var note = [
      Sentence(
        "Postbacks follow installs by days, so a day's postbacks belong to earlier installs. From "
          + "\(code: whole(first)) to \(code: whole(last)), UTC.")
    ]
    if !isWhole { note.append(Sentence("Days without installs and postbacks are left out.")) }
    return Panel.section(
      "day-by-day", heading, note: language.say(note),
      figure(
        [
          (.line("k6 d2"), Sentence("installs")), (.line("k1"), Sentence("postbacks that arrived")),
        ], chart.markup(label: language.phrase(Sentence("installs and postbacks by day")))))
  }

  // MARK: Withheld values

  /// The share of null postbacks against the size of a campaign.
  func nulls(_ study: VariantStudy) throws -> HTML {
    let heading = language.say(Sentence("Withheld values by campaign size"))
    // Without a model all points would lie on the axis, and the picture would suggest no loss.
    guard study.configuration.crowd != .none else {
      return Panel.section(
        "nulls", heading,
        nothing(
          Sentence(
            "No privacy threshold model is selected, so no value is withheld. Simulate with `--threshold default` "
              + "to see which campaigns are below the threshold.")))
    }
    var chart = ScatterChart(
      x: language.phrase(Sentence("installs a day")),
      y: language.phrase(Sentence("postbacks without a value")))
    var (count, left) = (0, 0)
    try study.forEachRow { row in
      guard let perDay = row.figures.installsPerDay, perDay > 0,
        let share = row.figures.share(row.figures.nulls)
      else { return }
      guard count < Self.mostPoints else { return left += 1 }
      count += 1
      chart.point(
        x: perDay, y: share,
        label: language.phrase(
          Sentence(
            "\(name: row.campaign): \(number: trimmed(perDay, 1)) installs a day, \(number: percent(share)) null"
          )))
    }
    guard count > 0 else {
      return Panel.section(
        "nulls", heading, nothing(Sentence("No campaign sent a postback, so there is no share to show.")))
    }
    let threshold: Double? =
      switch study.configuration.crowd {
      case .hard(let rule): Double(rule.installsPerDay)
      case .logistic(let rule): rule.median
      case .none, .tiers, .value: nil
      }
    var note = [
      Sentence(
        "Each point is a campaign: the share of its postbacks without a value, by its mean installs on "
          + "days with installs.")
    ]
    if left > 0 {
      note.append(
        Sentence("The \(Self.mostPoints) largest campaigns; \(left) smaller ones are not shown."))
    }
    if let threshold {
      chart.upright(threshold)
      note.append(
        Sentence("Dashed line: the threshold of \(number: trimmed(threshold, 1)) installs a day."))
    }
    return Panel.section(
      "nulls", heading, note: language.say(note),
      chart.markup(label: language.phrase(Sentence("share of null postbacks by installs a day"))))
  }

  // MARK: Comparison

  /// A variant against the first one: each campaign's error under both, and which is better.
  func comparison(_ comparison: VariantComparison, _ index: Int) -> HTML {
    let (a, b) = (comparison.nameOfA, comparison.nameOfB)
    let heading = language.phrase(Sentence("\(name: a) or \(name: b)?"))
    guard let paired = comparison.paired else {
      return Panel.section("compared-\(index)", heading, nothing(comparison.sentence))
    }
    let rows = paired.rows.prefix(Self.mostPoints)
    let left = paired.rows.count - rows.count
    let bound = Self.bound(rows.map(\.worse))
    let beyond = rows.filter { $0.worse > bound }
    var chart = ScatterChart(
      x: language.phrase(Sentence("error under \(name: fitted(a, width: 150, size: 12))")),
      y: language.phrase(Sentence("error under \(name: fitted(b, width: 150, size: 12))")),
      sharesUpTo: bound)
    func errors(_ row: PairedComparison.Row) -> Sentence {
      Sentence("\(name: a) \(number: percent(row.errorOfA)), \(name: b) \(number: percent(row.errorOfB))")
    }
    // What lies beyond comes last, so that no point at the edge covers it.
    for row in rows.filter({ $0.worse <= bound }) + beyond {
      chart.point(
        x: row.errorOfA, y: row.errorOfB, isBeyond: row.worse > bound,
        label: language.phrase(Sentence("\(name: row.campaign): \(errors(row))")),
        name: row.worse > bound ? language.number(percent(row.worse)) : "")
    }
    var note = [
      Sentence(
        "Each point is a campaign; below the diagonal \(name: b) has the smaller error, above it \(name: a).")
    ]
    if left > 0 { note.append(Sentence("\(left) campaigns are not shown.")) }
    if !beyond.isEmpty {
      let others = beyond.count - Self.mostNamed
      let named = Sentence.joined(
        beyond.prefix(Self.mostNamed).map { Sentence("\(name: $0.campaign) (\(errors($0)))") }, by: ", ")
      note.append(
        others > 0
          ? Sentence("Rings at the edge are outside the plot: \(named) and \(others, "other").")
          : Sentence("Rings at the edge are outside the plot: \(named)."))
    }
    return Panel.section(
      "compared-\(index)", heading, note: language.say(comparison.sentence),
      """
      <p>\(language.say(note))</p>
      \(chart.markup(label: language.phrase(Sentence("error by campaign under both mappings"))))
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

  private func figure(_ legend: [(sample: LegendSample, word: Sentence)], _ chart: HTML) -> HTML {
    "<figure>\(Panel.legend(legend.map { ($0.sample, language.phrase($0.word)) }))\(chart)</figure>"
  }

  /// Why there is nothing to draw.
  private func nothing(_ sentence: Sentence) -> HTML { "<p>\(language.say(sentence))</p>" }
}

extension PairedComparison.Row {
  fileprivate var worse: Double { max(errorOfA, errorOfB) }
}
