import Postbacks
import Simulation

/// A figure that every campaign and the total have: a column of the table, a member of the JSON, a cell of the CSV.
struct Measure: Sendable {
  let name: String
  /// The short title over a column of a terminal's table; `nil` where only programs see it.
  let title: String?
  /// The title in words, for pages.
  let label: String
  /// Whether people see it even where it is zero everywhere.
  let isAlwaysShown: Bool
  /// The window that it counts postbacks of; `nil` where it counts no such thing.
  let window: ConversionWindow?
  /// The figure; `nil` where there is nothing to count.
  let figure: @Sendable (RunFigures) -> Figure?

  private init(
    _ name: String, _ title: String?, label: String? = nil, isAlwaysShown: Bool = false,
    window: ConversionWindow? = nil,
    _ figure: @escaping @Sendable (RunFigures) -> Figure?
  ) {
    self.name = name
    self.title = title
    self.label = label ?? title ?? name
    self.isAlwaysShown = isAlwaysShown
    self.window = window
    self.figure = figure
  }

  /// The cells of a column, all with as many decimals as one of them needs.
  func cells(_ rows: [RunFigures]) -> [String] {
    let figures = rows.map { figure($0) }
    let isMean = figures.contains { $0?.isFraction ?? false }
    return figures.map { $0?.text(isMean: isMean) ?? "" }
  }

  /// Every measure, in the order of the columns.
  static let all: [Measure] = counts + money

  /// What is counted: users, postbacks, hours, values.
  static let counts: [Measure] = people + windows + shares + delays + values + chain

  private static let people = [
    Measure("installs", "installs", isAlwaysShown: true) { .count($0.mean($0.sum.installs)) },
    Measure("reported", nil) { .count($0.mean($0.sum.reported)) },
    Measure("later-conversions", "later", label: "later conversions") {
      .count($0.mean($0.sum.laterConversions))
    },
    Measure("postbacks", "postbacks", isAlwaysShown: true) { .count($0.mean($0.sum.winners)) },
  ]

  private static let windows =
    ConversionWindow.allCases.map { window in
      Measure(
        "postbacks-\(window.rawValue + 1)", "window \(window.rawValue + 1)",
        label: "postbacks of window \(window.rawValue + 1)", window: window
      ) {
        .count($0.mean($0.sum[window].postbacks))
      }
    } + [
      Measure("withheld", "withheld", label: "later postbacks withheld") { figures in
        .count(figures.mean(figures.sum.windows.reduce(0) { $0 + $1.withheld }))
      },
      Measure("non-winners", "not won", label: "non-winning postbacks") {
        .count($0.mean($0.sum.nonWinners))
      },
    ]

  private static let shares = [
    Measure("nulls", nil) { .count($0.mean($0.nulls)) },
    Measure("zeroes", nil) { .count($0.mean($0.zeroes)) },
    Measure("null-share", "null %", label: "without a value, %", isAlwaysShown: true) { figures in
      figures.share(figures.nulls).map { .share($0) }
    },
    Measure("zero-share", "zero %", label: "with value 0, %", isAlwaysShown: true) { figures in
      figures.share(figures.zeroes).map { .share($0) }
    },
    Measure("value-share", "value %", label: "with another value, %", isAlwaysShown: true) { figures in
      figures.share(figures.sum.winners - figures.nulls - figures.zeroes).map { .share($0) }
    },
  ]

  /// What is summed up, in the currency of the simulation, and how wrong it is.
  static let money = [
    Measure("revenue", "true", label: "true revenue", isAlwaysShown: true) {
      .money($0.mean($0.sum.revenue))
    },
    Measure("revenue-ever", nil) { .money($0.mean($0.sum.revenueEver)) },
    Measure("captured-real", nil) { .money($0.mean($0.sum.capturedReal)) },
    Measure("captured-real-error", nil) { figures in figures.sum.capturedRealError.map { .error($0) } },
    Measure("captured", "captured", label: "captured revenue", isAlwaysShown: true) {
      .money($0.mean($0.sum.captured))
    },
    Measure("captured-error", "captured ±%", label: "captured, error in %") { figures in
      figures.sum.capturedError.map { .error($0) }
    },
    Measure("visible-low", "low", label: "visible, at least") { .money($0.mean($0.sum.visibleLow)) },
    Measure("visible", "visible", label: "visible revenue", isAlwaysShown: true) {
      .money($0.mean($0.sum.visible))
    },
    Measure("visible-high", "high", label: "visible, at most") { .money($0.mean($0.sum.visibleHigh)) },
    Measure("visible-without-limit", nil) { figures in
      .count(figures.mean(figures.sum.windows.reduce(0) { $0 + $1.withoutLimit }))
    },
    Measure("visible-p05", "at 5 %", label: "visible, 5 % point") { figures in
      figures.visibleSpread.map { .money(MoneySum($0.lowerBound)) }
    },
    Measure("visible-p95", "at 95 %", label: "visible, 95 % point") { figures in
      figures.visibleSpread.map { .money(MoneySum($0.upperBound)) }
    },
    Measure("visible-error", "visible ±%", label: "visible, error in %") { figures in
      figures.sum.visibleError.map { .error($0) }
    },
    Measure("visible-error-p05", "±% at 5 %", label: "error in %, 5 % point") { figures in
      figures.errorSpread.map { .error($0.lowerBound) }
    },
    Measure("visible-error-p95", "±% at 95 %", label: "error in %, 95 % point") { figures in
      figures.errorSpread.map { .error($0.upperBound) }
    },
    Measure("lost-by-chain", "lost by timer", label: "lost by the timer") {
      .money($0.mean($0.sum.lostByChain))
    },
  ]

  private static let delays = [50, 90, 99].map { share in
    Measure("delay-p\(share)-hours", "p\(share) h", label: "\(share) % arrived within, hours") { figures in
      figures.sum.delays.percentile(Double(share) / 100).map { .hours($0) }
    }
  }

  private static let values = [
    Measure("true-values-used", nil) { .count($0.summary.firstWindow.trueValuesUsed) },
    Measure("values-used", "of 64", label: "values shown, of 64") {
      .count($0.summary.firstWindow.valuesUsed)
    },
    Measure("true-entropy-bits", nil) { .number($0.summary.firstWindow.trueEntropy) },
    Measure("entropy-bits", "bits", label: "bits in a shown value") {
      .number($0.summary.firstWindow.entropy)
    },
  ]

  private static let chain = [
    Measure("chains-broken", "broken", label: "timers that ran out") { .count($0.mean($0.sum.chainsBroken)) },
    Measure("chain-broken-share", "broken %", label: "timers that ran out, %") { figures in
      figures.sum.chainBrokenShare.map { .share($0) }
    },
  ]
}
