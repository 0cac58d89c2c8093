import JSONText
import Postbacks
import Simulation
import Tables
import Values

/// A figure of a subject: a column of the table, a member of the JSON, a cell of the CSV.
struct Measure<Subject>: Sendable {
  /// What people read over a column.
  struct Heading: Sendable {
    /// The short title in a terminal's table.
    let title: String
    /// The title in words, for pages.
    let label: Sentence
  }

  let name: String
  /// `nil` where only programs see it.
  let heading: Heading?
  /// Whether people see it even where it is zero everywhere.
  let isAlwaysShown: Bool
  /// The window that it counts postbacks of; `nil` where it counts no such thing.
  let window: ConversionWindow?
  /// The figure; `nil` where there is nothing to count.
  let figure: @Sendable (Subject) -> Figure?

  init(
    _ name: String, _ title: String, _ label: Sentence, isAlwaysShown: Bool = false,
    window: ConversionWindow? = nil, _ figure: @escaping @Sendable (Subject) -> Figure?
  ) {
    (self.name, heading) = (name, Heading(title: title, label: label))
    (self.isAlwaysShown, self.window, self.figure) = (isAlwaysShown, window, figure)
  }

  /// One that only programs see.
  init(_ name: String, _ figure: @escaping @Sendable (Subject) -> Figure?) {
    (self.name, heading, isAlwaysShown, window, self.figure) = (name, nil, false, nil, figure)
  }

  /// The cells of a column, all with as many decimals as one of them needs.
  func cells(_ subjects: [Subject]) -> [String] {
    let figures = subjects.map { figure($0) }
    let isMean = figures.contains { $0?.isFraction ?? false }
    return figures.map { $0?.text(isMean: isMean) ?? "" }
  }
}

/// The figures as members of a JSON object.
func figureMembers<Subject>(_ measures: [Measure<Subject>], of subject: Subject) -> [JSONOutput.Member] {
  measures.map { .init($0.name, $0.figure(subject).json) }
}

/// A table of those measures that people see, each figure with as many decimals as it needs.
func figureTable<Subject: Sendable>(
  _ measures: [Measure<Subject>], _ subjects: [Subject], behind first: [Column<Subject>] = [],
  total: Subject? = nil
) -> String {
  let columns = measures.compactMap { measure in
    measure.heading.map { heading in
      Column<Subject>(
        measure.name, .init(stringLiteral: heading.title), .init(stringLiteral: heading.label.english)
      ) {
        NumberCell(measure.figure($0).text)
      }
    }
  }
  return Table(first + columns, rows: subjects, total: total).text(.table)
}

extension RunFigures {
  /// Every measure, in the order of the columns.
  static let measures: [Measure<Self>] = counts + money

  /// What is counted: users, postbacks, hours, values.
  static let counts: [Measure<Self>] = people + windows + shares + delays + values + chain

  private static let people = [
    Measure<Self>("installs", "installs", Sentence("installs"), isAlwaysShown: true) {
      .count($0.mean($0.sum.installs))
    },
    Measure<Self>("reported") { .count($0.mean($0.sum.reported)) },
    Measure<Self>("later-conversions", "later", Sentence("later conversions")) {
      .count($0.mean($0.sum.laterConversions))
    },
    Measure<Self>("postbacks", "postbacks", Sentence("postbacks"), isAlwaysShown: true) {
      .count($0.mean($0.sum.winners))
    },
  ]

  private static let windows =
    ConversionWindow.allCases.map { window in
      Measure<Self>(
        "postbacks-\(window.rawValue + 1)", "window \(window.rawValue + 1)",
        Sentence("postbacks of window \(window.rawValue + 1)"), window: window
      ) {
        .count($0.mean($0.sum[window].postbacks))
      }
    } + [
      Measure<Self>("withheld", "withheld", Sentence("later postbacks withheld")) { figures in
        .count(figures.mean(figures.sum.windows.reduce(0) { $0 + $1.withheld }))
      },
      Measure<Self>("non-winners", "not won", Sentence("non-winning postbacks")) {
        .count($0.mean($0.sum.nonWinners))
      },
    ]

  private static let shares = [
    Measure<Self>("nulls") { .count($0.mean($0.nulls)) },
    Measure<Self>("zeroes") { .count($0.mean($0.zeroes)) },
    Measure<Self>("null-share", "null %", Sentence("without a value, %"), isAlwaysShown: true) { figures in
      figures.share(figures.nulls).map { .share($0) }
    },
    Measure<Self>("zero-share", "zero %", Sentence("with value 0, %"), isAlwaysShown: true) { figures in
      figures.share(figures.zeroes).map { .share($0) }
    },
    Measure<Self>("value-share", "value %", Sentence("with another value, %"), isAlwaysShown: true) {
      figures in
      figures.share(figures.sum.winners - figures.nulls - figures.zeroes).map { .share($0) }
    },
  ]

  /// What is summed up, in the currency of the simulation, and how wrong it is.
  static let money = [
    Measure<Self>("revenue", "true", Sentence("true revenue"), isAlwaysShown: true) {
      .money($0.mean($0.sum.revenue))
    },
    Measure<Self>("revenue-ever") { .money($0.mean($0.sum.revenueEver)) },
    Measure<Self>("captured-real") { .money($0.mean($0.sum.capturedReal)) },
    Measure<Self>("captured-real-error") { figures in figures.sum.capturedRealError.map { .error($0) } },
    Measure<Self>("captured", "captured", Sentence("captured revenue"), isAlwaysShown: true) {
      .money($0.mean($0.sum.captured))
    },
    Measure<Self>("captured-error", "captured ±%", Sentence("captured, error in %")) { figures in
      figures.sum.capturedError.map { .error($0) }
    },
    Measure<Self>("visible-low", "low", Sentence("visible, at least")) { .money($0.mean($0.sum.visibleLow)) },
    Measure<Self>("visible", "visible", Sentence("visible revenue"), isAlwaysShown: true) {
      .money($0.mean($0.sum.visible))
    },
    Measure<Self>("visible-high", "high", Sentence("visible, at most")) {
      .money($0.mean($0.sum.visibleHigh))
    },
    Measure<Self>("visible-without-limit") { figures in
      .count(figures.mean(figures.sum.windows.reduce(0) { $0 + $1.withoutLimit }))
    },
    Measure<Self>("visible-p05", "at 5 %", Sentence("visible, 5 % point")) { figures in
      figures.visibleSpread.map { .money(MoneySum($0.lowerBound)) }
    },
    Measure<Self>("visible-p95", "at 95 %", Sentence("visible, 95 % point")) { figures in
      figures.visibleSpread.map { .money(MoneySum($0.upperBound)) }
    },
    Measure<Self>("visible-error", "visible ±%", Sentence("visible, error in %")) { figures in
      figures.sum.visibleError.map { .error($0) }
    },
    Measure<Self>("visible-error-p05", "±% at 5 %", Sentence("error in %, 5 % point")) { figures in
      figures.errorSpread.map { .error($0.lowerBound) }
    },
    Measure<Self>("visible-error-p95", "±% at 95 %", Sentence("error in %, 95 % point")) { figures in
      figures.errorSpread.map { .error($0.upperBound) }
    },
    Measure<Self>("lost-by-chain", "lost by timer", Sentence("lost by the timer")) {
      .money($0.mean($0.sum.lostByChain))
    },
  ]

  private static let delays = [50, 90, 99].map { share in
    Measure<Self>("delay-p\(share)-hours", "p\(share) h", Sentence("\(share) % arrived within, hours")) {
      figures in
      figures.sum.delays.percentile(Double(share) / 100).map { .hours($0) }
    }
  }

  private static let values = [
    Measure<Self>("true-values-used") { .count($0.summary.firstWindow.trueValuesUsed) },
    Measure<Self>("values-used", "of 64", Sentence("values shown, of 64")) {
      .count($0.summary.firstWindow.valuesUsed)
    },
    Measure<Self>("true-entropy-bits") { .number($0.summary.firstWindow.trueEntropy) },
    Measure<Self>("entropy-bits", "bits", Sentence("bits in a shown value")) {
      .number($0.summary.firstWindow.entropy)
    },
  ]

  private static let chain = [
    Measure<Self>("chains-broken", "broken", Sentence("timers that ran out")) {
      .count($0.mean($0.sum.chainsBroken))
    },
    Measure<Self>("chain-broken-share", "broken %", Sentence("timers that ran out, %")) { figures in
      figures.sum.chainBrokenShare.map { .share($0) }
    },
  ]
}

extension DayFigures {
  static let measures: [Measure<Self>] = [
    Measure("installs", "installs", Sentence("installs")) { .count($0.installs) },
    Measure("revenue", "true", Sentence("true revenue")) { .money($0.revenue) },
    Measure("postbacks", "postbacks", Sentence("postbacks")) { .count($0.postbacks) },
    Measure("nulls", "nulls", Sentence("without a value")) { .count($0.nulls) },
    Measure("zeroes") { .count($0.zeroes) },
    Measure("visible", "visible", Sentence("visible revenue")) { .money($0.visible) },
    Measure("revenue-so-far", "true so far", Sentence("true revenue so far")) { .money($0.revenueSoFar) },
    Measure("visible-so-far", "visible so far", Sentence("visible revenue so far")) {
      .money($0.visibleSoFar)
    },
  ]
}

extension RollingChain.Figures {
  static let measures: [Measure<Self>] = [
    Measure("days", "days", Sentence("measured for, days")) { .count(Double($0.days)) },
    Measure("users", "users", Sentence("users")) { .count(Double($0.users)) },
    Measure("broken") { .count(Double($0.broken)) },
    Measure("broken-share", "broken %", Sentence("timers that ran out, %")) { figures in
      figures.brokenShare.map { .share($0) }
    },
    Measure("revenue", "revenue", Sentence("true revenue")) { .money($0.revenue) },
    Measure("captured", "captured", Sentence("captured")) { .money($0.captured) },
    Measure("captured-share", "captured %", Sentence("captured, %")) { figures in
      figures.capturedShare.map { .share($0) }
    },
  ]
}

extension PairedComparison.Row {
  static let measures: [Measure<Self>] = [
    Measure("revenue") { .money($0.revenue) },
    Measure("error-of-a", "error % of A", Sentence("error % of A")) { .error($0.errorOfA) },
    Measure("error-of-b", "error % of B", Sentence("error % of B")) { .error($0.errorOfB) },
    Measure("gain", "gain, points", Sentence("gain, points")) { .error($0.gain) },
  ]
}
