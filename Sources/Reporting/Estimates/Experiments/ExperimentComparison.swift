internal import Numerics

/// What two arms of an experiment show, day by day, whenever one looks.
///
/// Arms are compared within each day and the days added up with the weights `n_A n_B / (n_A + n_B)`, so that a day that
/// is good for both arms is no difference, and so that the share of each arm may change from day to day. For given
/// counts the sum is a martingale over days; the weights' sum is the effective size t of the sequence, which is a
/// quarter of the users where arms are equal. A day with shown values of one arm alone has no information. An arm's
/// variance is taken to be at least the mean of both, weighted by their users.
///
/// An arm that has not shown its large payers yet has a low mean and a low variance, so neither is evidence against it.
/// Of n users of which none has a value, up to 3 in n can have it, at a level of 95 per cent: the arm whose mean is lower
/// has the variance of so many users of the highest value there is on top of its own. Source: Hanley and Lippman-Hand,
/// "If nothing goes wrong, is everything all right?", 1983, for the rule of three.
package struct ExperimentComparison: Sendable {
  package struct Day: Sendable {
    /// The users of arm A with a shown value.
    package var a: SampleMoments
    /// The users of arm B with a shown value.
    package var b: SampleMoments
    /// The most that a user of either arm can have been worth on this day, seen or not.
    package var greatest: Double

    package init(a: SampleMoments = SampleMoments(), b: SampleMoments = SampleMoments(), greatest: Double) {
      self.a = a
      self.b = b
      self.greatest = greatest
    }
  }

  /// What is known at the end of a day.
  package struct Look: Equatable, Sendable {
    package let day: Int
    /// How much higher B is than A, within days.
    package let difference: Double
    /// The sequence's interval; `nil` while samples are too small for it.
    package let interval: Interval?
  }

  package enum Verdict: String, Hashable, Sendable {
    case higher
    case lower
    case open
  }

  package let a: SampleMoments
  package let b: SampleMoments
  /// How much higher B's mean is than A's, over all users; `nil` where an arm has no user.
  package let difference: Double?
  /// Its interval for one look at a size that was fixed before; `nil` where an arm has fewer than two users.
  package let fixed: Interval?
  package let looks: [Look]
  /// How likely shares of B that differ as much from day to day are by chance; `nil` where there are too few users.
  package let splitProbability: Double?

  /// The fewest shown values in each arm before the sequence has a result.
  package static let fewestUsers = 100.0
  /// How many users of the highest value an arm can have without having shown one.
  static let unseenUsers = 3.0

  /// Compares two arms.
  ///
  /// The fixed interval is Welch's. Source: Welch, "The generalization of Student's problem when several different
  /// population variances are involved", 1947.
  ///
  /// - Parameters:
  ///   - days: The users by day, in the order of the days.
  ///   - level: How often intervals shall hold, strictly between 0 and 1.
  ///   - planned: The users with a shown value, of both arms together, for which the sequence is tightest; it must not
  ///     follow from the data. More than 0.
  package init(_ days: [Day], level: Double, planned: Double) {
    let sequence = ConfidenceSequence(level: level, tightestAt: planned / 4)
    var a = SampleMoments()
    var b = SampleMoments()
    var looks: [Look] = []
    var weights = 0.0
    var sum = 0.0
    // The variance of the sum is a multiple of each arm's own.
    var multiples = (a: 0.0, b: 0.0)
    var greatest = 0.0
    for (index, day) in days.enumerated() {
      a.add(day.a)
      b.add(day.b)
      // A mapping that comes later must not change what an earlier look was.
      greatest = max(greatest, day.greatest)
      if day.a.count > 0, day.b.count > 0 {
        let weight = day.a.count * day.b.count / (day.a.count + day.b.count)
        weights += weight
        sum += weight * (day.b.mean - day.a.mean)
        multiples.a += weight * weight / day.a.count
        multiples.b += weight * weight / day.b.count
      }
      let difference = weights > 0 ? sum / weights : 0
      // The few users of a small arm rarely show the revenue of rare payers; those of both arms do.
      let users = a.count + b.count
      let common = users > 0 ? (a.count * a.variance + b.count * b.variance) / users : 0
      let variance = multiples.a * max(a.variance, common) + multiples.b * max(b.variance, common)
      var interval: Interval?
      if min(a.count, b.count) >= Self.fewestUsers, weights > 0, variance > 0 {
        let unseen = Self.unseenUsers * greatest * greatest
        let factor = sequence.standardErrors(at: weights) / weights
        // Only the arm behind gains by users who are still to come.
        interval = Interval(
          low: difference - factor * (variance + multiples.a * unseen / a.count).squareRoot(),
          high: difference + factor * (variance + multiples.b * unseen / b.count).squareRoot())
      }
      looks.append(Look(day: index, difference: difference, interval: interval))
    }
    self.a = a
    self.b = b
    self.looks = looks
    difference = a.count > 0 && b.count > 0 ? b.mean - a.mean : nil
    fixed = Self.welch(a, b, level: level)
    splitProbability = Self.splitProbability(days)
  }

  /// Whether B's share changes from day to day, so that the fixed interval takes good days for a good arm.
  package var isSplitChanging: Bool { splitProbability.map { $0 < 0.01 } ?? false }

  /// The first look at which 0 lies outside; `nil` where it never does.
  ///
  /// The interval holds at all looks at once, so the first result stays valid whatever later ones show.
  package var stop: Look? { looks.first { $0.interval.map { !$0.contains(0) } ?? false } }

  package var verdict: Verdict {
    guard let interval = stop?.interval else { return .open }
    return interval.low > 0 ? .higher : .lower
  }

  /// Pearson's chi-square of the arms by day; days are joined until each arm expects 5 users.
  private static func splitProbability(_ days: [Day]) -> Double? {
    let users: (a: Double, b: Double) = days.reduce(into: (0, 0)) { users, day in
      users.a += day.a.count
      users.b += day.b.count
    }
    let share: Double = users.b / (users.a + users.b)
    guard share > 0, share < 1 else { return nil }
    var joined: [(a: Double, b: Double)] = []
    var open: (a: Double, b: Double) = (0, 0)
    for day in days {
      open.a += day.a.count
      open.b += day.b.count
      if (open.a + open.b) * min(share, 1 - share) >= 5 {
        joined.append(open)
        open = (0, 0)
      }
    }
    guard joined.count > 1 else { return nil }
    var statistic = 0.0
    for day in joined {
      let users: Double = day.a + day.b
      let miss: Double = day.b - share * users
      statistic += miss * miss / (share * (1 - share) * users)
    }
    return chiSquareTail(statistic, freedom: Double(joined.count - 1))
  }

  private static func welch(_ a: SampleMoments, _ b: SampleMoments, level: Double) -> Interval? {
    guard a.count > 1, b.count > 1 else { return nil }
    let errors = (a: a.variance / a.count, b: b.variance / b.count)
    let difference = b.mean - a.mean
    let error = errors.a + errors.b
    guard error > 0 else { return Interval(low: difference, high: difference) }
    let freedom =
      error * error
      / (errors.a * errors.a / (a.count - 1) + errors.b * errors.b / (b.count - 1))
    let reach = studentQuantile((1 + level) / 2, freedom: freedom) * error.squareRoot()
    return Interval(low: difference - reach, high: difference + reach)
  }
}
