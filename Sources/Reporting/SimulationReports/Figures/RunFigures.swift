import Simulation

/// What came of one campaign, or of all together, over the runs.
///
/// A count or a sum is the mean of the runs; a share is a share of such means. What is not a sum (values used, bits)
/// is the mean of the runs' figures; delays are those of all runs' postbacks.
struct RunFigures: Sendable {
  let summary: RunSummary

  init(_ summary: RunSummary) { self.summary = summary }

  /// The runs merged: every count is the sum of the runs'.
  var sum: CampaignOutcome { summary.sum }
  /// How many runs there were.
  var runs: Int { summary.runs }

  /// The mean of a count that the merged runs have.
  func mean(_ total: Int) -> Double { Double(total) / Double(runs) }

  /// The mean of a sum of money that the merged runs have, rounded to the nearest millionth.
  func mean(_ total: MoneySum) -> MoneySum { total.divided(by: runs) }

  /// Winning postbacks without a value, of all windows and runs.
  var nulls: Int { sum.windows.reduce(0) { $0 + $1.nulls } }
  /// Winning postbacks with the fine value 0, of all windows and runs.
  var zeroes: Int { sum.windows.reduce(0) { $0 + $1.zeroes } }

  /// A share of the winning postbacks of all windows; `nil` without postbacks.
  func share(_ part: Int) -> Double? {
    sum.winners == 0 ? nil : Double(part) / Double(sum.winners)
  }

  /// Installs on a day that has any, on average; `nil` without installs.
  var installsPerDay: Double? {
    sum.installDays.isEmpty ? nil : mean(sum.installs) / Double(sum.installDays.count)
  }

  /// What lies at 5 and at 95 % of the runs' visible revenue; `nil` with one run.
  var visibleSpread: ClosedRange<Int128>? {
    guard runs > 1 else { return nil }
    let sorted = summary.visible.map(\.micros).sorted()
    return quantile(sorted, percent: 5)...quantile(sorted, percent: 95)
  }

  /// What lies at 5 and at 95 % of the runs' errors of visible revenue; `nil` with one run or without revenue.
  var errorSpread: ClosedRange<Double>? {
    guard let spread = visibleSpread, summary.revenue != .zero else { return nil }
    let revenue = summary.revenue.micros
    func error(_ micros: Int128) -> Double { Double(micros - revenue) / Double(revenue.magnitude) }
    return error(spread.lowerBound)...error(spread.upperBound)
  }
}

/// Returns the value at a percentage of sorted numbers, between its two neighbours by how near it lies to each.
///
/// The first number lies at 0 %, the last at 100 %. Source: Hyndman and Fan, "Sample Quantiles in Statistical
/// Packages", definition 7.
func quantile(_ sorted: [Int128], percent: Int) -> Int128 {
  precondition(!sorted.isEmpty && (0...100).contains(percent), "A quantile lies between numbers.")
  let (index, rest) = ((sorted.count - 1) * percent).quotientAndRemainder(dividingBy: 100)
  guard rest > 0 else { return sorted[index] }
  let step = MoneySum((sorted[index + 1] - sorted[index]) * Int128(rest))
  return sorted[index] + step.divided(by: 100).micros
}

extension MoneySum {
  /// Returns a part of the sum, rounded to the nearest millionth, halves away from zero.
  func divided(by count: Int) -> MoneySum {
    let half = Int128(count / 2)
    return MoneySum((micros < 0 ? micros - half : micros + half) / Int128(count))
  }
}
