import Values

/// When users pay after their install: what a user pays on average up to each of some ages.
package struct PaymentAges: Sendable {
  /// Whole days since install, rising, each with the mean revenue up to it and the variance of that mean.
  package let ages: [(days: Int, mean: Double, variance: Double)]

  /// - Returns: `nil` without two ages, or without revenue.
  package init?(_ ages: [(days: Int, mean: Double, variance: Double)]) {
    var rising: [(days: Int, mean: Double, variance: Double)] = []
    for age in ages.ordered(by: { $0.days < $1.days }) where age.days > (rising.last?.days ?? 0) {
      // Users with a longer history are others, and can have paid less.
      rising.append((age.days, max(age.mean, rising.last?.mean ?? 0), age.variance))
    }
    guard rising.count > 1, let last = rising.last, last.mean > 0 else { return nil }
    self.ages = rising
  }

  /// The longest age that payments are known of, in days.
  package var longest: Int { ages.last?.days ?? 0 }

  /// What a user pays up to an age, straight between the known ones, and nothing behind the last.
  package func paid(upTo days: Int) -> Double {
    var before = (days: 0, mean: 0.0)
    for age in ages {
      if days <= age.days {
        return before.mean
          + (age.mean - before.mean) * Double(days - before.days) / Double(age.days - before.days)
      }
      before = (age.days, age.mean)
    }
    return before.mean
  }

  /// What a user pays on one day of age, from 0 on.
  package func paid(on day: Int) -> Double { day < 0 ? 0 : paid(upTo: day + 1) - paid(upTo: day) }

  /// The relative error of what is paid up to an age by what is paid up to the longest one.
  ///
  /// Both are means of nearly the same users: what is open is what they pay in between.
  package func relativeVariance(upTo days: Int) -> Double {
    guard let last = ages.last, last.mean > 0 else { return 0 }
    let known = ages.last { $0.days <= days } ?? ages[0]
    let rest = 1 - min(1, paid(upTo: days) / last.mean)
    let between = max(0, last.variance - known.variance) / (last.mean * last.mean)
    return between * rest
  }

  /// How the payments of a day divide by the users' installs.
  ///
  /// - Parameters:
  ///   - installs: Installs of a day of install; days beyond those known count as the nearest.
  ///   - paidOn: The day of payment.
  ///   - counts: Whether an install day is asked for.
  ///   - horizon: Days since install whose payments are asked for.
  /// - Returns: The share of the day's payments that is asked for, and that of such days that is paid later.
  package func shares(
    paidOn day: Int, installs: (Int) -> Double, horizon: Int, counts: (Int) -> Bool
  ) -> (within: Double, later: Double) {
    var (all, within, later) = (0.0, 0.0, 0.0)
    for age in 0..<longest {
      let paid = installs(day - age) * paid(on: age)
      all += paid
      guard counts(day - age) else { continue }
      if age < horizon { within += paid } else { later += paid }
    }
    return all > 0 ? (within / all, later / all) : (0, 0)
  }
}
