import Postbacks
import Simulation
import Tables
import Values

// The explanation of a column is also what pages write over it, because they have more room than a terminal.

extension RunFigures {
  /// Every figure of a campaign, in the order of the columns.
  static let columns: [Column<Self>] = counts + money

  /// What is counted: users, postbacks, hours, values.
  static let counts: [Column<Self>] = people + windows + shares + delays + values + chain

  private func count(_ total: Int) -> ExpectedCount { ExpectedCount(mean(total)) }
  private func amount(_ total: MoneySum) -> Amount { mean(total).amount }
  private func ofPostbacks(_ part: Int) -> Share? { share(part).map { Share($0) } }

  private static let people: [Column<Self>] = [
    Column("installs", "installs", "installs") { $0.count($0.sum.installs) },
    Column("reported", "reported", "conversions with a winning postback", shown: .forPrograms) {
      $0.count($0.sum.reported)
    },
    Column("later-conversions", "later", "later conversions", shown: .whereUseful) {
      $0.count($0.sum.laterConversions)
    },
    Column("postbacks", "postbacks", "postbacks") { $0.count($0.sum.winners) },
  ]

  /// The postbacks of the first window.
  static let firstWindow = "postbacks-1"

  private static let windows: [Column<Self>] =
    ConversionWindow.allCases.map { window in
      let number = window.rawValue + 1
      return Column(
        "postbacks-\(number)", "window \(number)", "postbacks of window \(number)", shown: .whereUseful
      ) {
        $0.count($0.sum[window].postbacks)
      }
    } + [
      Column("withheld", "withheld", "later postbacks withheld", shown: .whereUseful) { figures in
        figures.count(figures.sum.windows.reduce(0) { $0 + $1.withheld })
      },
      Column("non-winners", "not won", "non-winning postbacks", shown: .whereUseful) {
        $0.count($0.sum.nonWinners)
      },
    ]

  private static let shares: [Column<Self>] = [
    Column("nulls", "nulls", "postbacks without a value", shown: .forPrograms) { $0.count($0.nulls) },
    Column("zeroes", "zeroes", "postbacks with value 0", shown: .forPrograms) { $0.count($0.zeroes) },
    Column("null-share", "null", "without a value") { $0.ofPostbacks($0.nulls) },
    Column("zero-share", "zero", "with value 0") { $0.ofPostbacks($0.zeroes) },
    Column("value-share", "value", "with another value") {
      $0.ofPostbacks($0.sum.winners - $0.nulls - $0.zeroes)
    },
  ]

  private static let delays: [Column<Self>] = [50, 90, 99].map { share in
    Column(
      "delay-p\(share)-hours", "p\(share) h", "\(share) % arrived within, hours", shown: .whereUseful
    ) {
      $0.sum.delays.percentile(Double(share) / 100)
    }
  }

  private static let values: [Column<Self>] = [
    Column("true-values-used", "values set", "values that users end with", shown: .forPrograms) {
      ExpectedCount($0.summary.firstWindow.trueValuesUsed)
    },
    Column("values-used", "of 64", "values shown, of 64", shown: .whereUseful) {
      ExpectedCount($0.summary.firstWindow.valuesUsed)
    },
    Column("true-entropy-bits", "bits set", "bits in a value that a user ends with", shown: .forPrograms) {
      Ratio($0.summary.firstWindow.trueEntropy)
    },
    Column("entropy-bits", "bits", "bits in a shown value", shown: .whereUseful) {
      Ratio($0.summary.firstWindow.entropy)
    },
  ]

  private static let chain: [Column<Self>] = [
    Column("chains-broken", "broken", "timers that ran out", shown: .whereUseful) {
      $0.count($0.sum.chainsBroken)
    },
    Column("chain-broken-share", "broken share", "timers that ran out, share", shown: .whereUseful) {
      $0.sum.chainBrokenShare.map { Share($0) }
    },
  ]

  /// What is summed up, in the currency of the simulation, and how wrong it is.
  static let money: [Column<Self>] =
    truth + captured + visible + [
      Column("lost-by-chain", "lost by timer", "lost by the timer", shown: .whereUseful) {
        $0.amount($0.sum.lostByChain)
      }
    ]

  private static let truth: [Column<Self>] = [
    Column("revenue", "true", "true revenue") { $0.amount($0.sum.revenue) },
    Column("revenue-ever", "ever", "true revenue of all days", shown: .forPrograms) {
      $0.amount($0.sum.revenueEver)
    },
  ]

  private static let captured: [Column<Self>] = [
    Column("captured-real", "at update", "true revenue at the last updates", shown: .forPrograms) {
      $0.amount($0.sum.capturedReal)
    },
    Column("captured-real-error", "at update ±", "its error", shown: .forPrograms) {
      $0.sum.capturedRealError.map { Change($0) }
    },
    Column("captured", "captured", "captured revenue") { $0.amount($0.sum.captured) },
    Column("captured-error", "captured ±", "captured, error", shown: .whereUseful) {
      $0.sum.capturedError.map { Change($0) }
    },
  ]

  private static let visible: [Column<Self>] = [
    Column("visible-low", "low", "visible, at least", shown: .whereUseful) { $0.amount($0.sum.visibleLow) },
    Column("visible", "visible", "visible revenue") { $0.amount($0.sum.visible) },
    Column("visible-high", "high", "visible, at most", shown: .whereUseful) {
      $0.amount($0.sum.visibleHigh)
    },
    Column(
      "visible-without-limit", "no limit", "values shown that have no upper limit", shown: .forPrograms
    ) { figures in
      figures.count(figures.sum.windows.reduce(0) { $0 + $1.withoutLimit })
    },
    Column("visible-p05", "at 5 %", "visible, 5 % point", shown: .whereUseful) {
      $0.visibleSpread.map { MoneySum($0.lowerBound).amount }
    },
    Column("visible-p95", "at 95 %", "visible, 95 % point", shown: .whereUseful) {
      $0.visibleSpread.map { MoneySum($0.upperBound).amount }
    },
    Column("visible-error", "visible ±", "visible, error", shown: .whereUseful) {
      $0.sum.visibleError.map { Change($0) }
    },
    Column("visible-error-p05", "± at 5 %", "error, 5 % point", shown: .whereUseful) {
      $0.errorSpread.map { Change($0.lowerBound) }
    },
    Column("visible-error-p95", "± at 95 %", "error, 95 % point", shown: .whereUseful) {
      $0.errorSpread.map { Change($0.upperBound) }
    },
  ]
}

extension DayFigures {
  static let columns: [Column<Self>] = [
    Column("day", "day (UTC)", "day", \.day),
    Column("installs", "installs", "installs") { ExpectedCount($0.installs) },
    Column("revenue", "true", "true revenue", \.revenue.amount),
    Column("postbacks", "postbacks", "postbacks") { ExpectedCount($0.postbacks) },
    Column("nulls", "nulls", "without a value") { ExpectedCount($0.nulls) },
    Column("zeroes", "zeroes", "with value 0", shown: .forPrograms) { ExpectedCount($0.zeroes) },
    Column("visible", "visible", "visible revenue", \.visible.amount),
    Column("revenue-so-far", "true so far", "true revenue so far", \.revenueSoFar.amount),
    Column("visible-so-far", "visible so far", "visible revenue so far", \.visibleSoFar.amount),
  ]
}

extension RollingChain.Figures {
  static let columns: [Column<Self>] = [
    Column("days", "days", "measured for, days", \.days),
    Column("users", "users", "users", \.users),
    Column("broken", "broken", "timers that ran out", shown: .forPrograms, \.broken),
    Column("broken-share", "broken share", "timers that ran out, share") {
      $0.brokenShare.map { Share($0) }
    },
    Column("revenue", "revenue", "true revenue", \.revenue.amount),
    Column("captured", "captured", "captured", \.captured.amount),
    Column("captured-share", "captured share", "captured, share") { $0.capturedShare.map { Share($0) } },
  ]
}

extension PairedComparison.Row {
  static let columns: [Column<Self>] = [
    Column("campaign", "campaign", "campaign") { Identifier($0.campaign) },
    Column("revenue", "revenue", "true revenue", shown: .forPrograms, \.revenue.amount),
    Column("error-of-a", "error of A", "error of A") { Change($0.errorOfA) },
    Column("error-of-b", "error of B", "error of B") { Change($0.errorOfB) },
    Column("gain", "gain", "error of A less that of B") { Change($0.gain) },
  ]
}
