import Estimates
import Numerics
import System
import Values

/// Two arms of an experiment whose users are drawn from known laws, day by day.
struct ExperimentTrial {
  /// What values are worth, and how many users have each of them.
  struct ValueLaw {
    let worths: [Double]
    let shares: [Double]

    /// Takes worths and shares of users; other users have no revenue.
    init(_ values: [(worth: Double, share: Double)]) {
      worths = values.map(\.worth)
      shares = values.map(\.share)
    }

    /// Payers whose amounts are lognormal, cut off at a greatest one, in values of 20 % more each.
    init(payers: Double, median: Double, spread: Double, greatest: Double) {
      let edges = Array(sequence(first: median / 50) { $0 < greatest ? $0 * 1.2 : nil })
      let weights = edges.map { edge in
        let z = naturalLogarithm(edge / median) / spread
        return exponential(-z * z / 2)
      }
      let total = weights.reduce(0, +)
      self.init(zip(edges, weights).map { ($0, payers * $1 / total) })
    }

    var greatest: Double { worths.max() ?? 0 }

    /// The same for the plan, of a thousand million users.
    var users: UserValues {
      var users = UserValues()
      for (worth, share) in zip(worths, shares) { users.add(worth, users: 1e9 * share) }
      users.add(0, users: 1e9 * (1 - shares.reduce(0, +)))
      return users
    }

    /// Draws users; a level multiplies their revenue.
    func users(_ count: Int, level: Double, _ random: inout SplitMix64) -> SampleMoments {
      var moments = SampleMoments()
      var (left, rest) = (count, 1.0)
      for (worth, share) in zip(worths, shares) {
        let users = random.binomial(left, min(1, share / rest))
        moments.add(level * worth, users: Double(users))
        left -= users
        rest -= share
      }
      moments.add(0, users: Double(left))
      return moments
    }
  }

  /// How days differ, for both arms alike.
  enum Season: String, CaseIterable {
    case none = "none"
    /// Revenue of each user falls to a half.
    case drift = "drift"
    /// Weekends have half as much again.
    case week = "week"
    /// The share of B goes from 20 to 80 %, while the revenue of each user falls to a half.
    case split = "changing split"
  }

  let a: ValueLaw
  let b: ValueLaw
  /// Users with a shown value of both arms.
  let users: Double
  let days: Int
  var season = Season.none
  var shareB = 0.5

  func arms(_ random: inout SplitMix64) -> [ExperimentComparison.Day] {
    // The mapping has the values of both laws.
    let greatest = max(a.greatest, b.greatest)
    return (0..<days).map { day in
      let passed = Double(day) / Double(max(1, days - 1))
      let level =
        switch season {
        case .none: 1.0
        case .drift, .split: 1.3 - 0.65 * passed
        case .week: day % 7 < 5 ? 0.9 : 1.35
        }
      let share = season == .split ? 0.2 + 0.6 * passed : shareB
      let arrived = users / Double(days)
      return ExperimentComparison.Day(
        a: a.users(random.poisson(arrived * (1 - share)), level: level, &random),
        b: b.users(random.poisson(arrived * share), level: level, &random), greatest: level * greatest)
    }
  }
}
