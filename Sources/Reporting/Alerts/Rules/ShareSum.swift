import Estimates
import Ledger

struct ShareSum {
  let count: Double
  let total: Double

  /// The share; 0 of nothing.
  var share: Double { total > 0 ? count / total : 0 }

  init(_ days: [FirstWindowDay]) {
    count = days.reduce(0) { $0 + Double($1.nulls) }
    total = days.reduce(0) { $0 + Double($1.postbacks) }
  }

  /// How much more the shares of days differ than chance alone makes them, at least 1.
  ///
  /// Pearson's statistic by its degrees of freedom, raised by its standard error, because it is known from few days.
  /// Source: McCullagh and Nelder, "Generalized linear models", 1989, section 4.5.
  static func dispersion(_ days: [FirstWindowDay]) -> Double {
    let days = days.filter { $0.postbacks > 0 }
    let share = ShareSum(days).share
    guard days.count > 1, share > 0, share < 1 else { return 1 }
    let statistic = days.reduce(0.0) { sum, day in
      let expected = Double(day.postbacks) * share
      let difference = Double(day.nulls) - expected
      return sum + difference * difference / (expected * (1 - share))
    }
    let freedom = Double(days.count - 1)
    return max(1, statistic / freedom * (1 + (2 / freedom).squareRoot()))
  }
}

/// The interval of the change of a share.
///
/// Both shares' Wilson intervals, joined. Source: Newcombe, "Interval estimation for the difference between independent
/// proportions", 1998, method 10. Counts are divided by the dispersion first, so that days which differ by themselves
/// count for less.
struct ShareChange {
  /// How far chance alone can take the change in its direction, at the level.
  let reach: Double

  init(from before: ShareSum, to after: ShareSum, level: Double, dispersion: Double) {
    let a = Interval(shareOf: before.count / dispersion, in: before.total / dispersion, level: level)
    let b = Interval(shareOf: after.count / dispersion, in: after.total / dispersion, level: level)
    let (ofBefore, ofAfter) =
      after.share >= before.share
      ? (a.high - before.share, after.share - b.low) : (before.share - a.low, b.high - after.share)
    reach = (ofBefore * ofBefore + ofAfter * ofAfter).squareRoot()
  }
}
