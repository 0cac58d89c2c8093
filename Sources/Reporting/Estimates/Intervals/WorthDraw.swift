internal import Numerics
internal import Values

/// One draw of the distribution of the worth of a value's users, by its first three moments.
///
/// The Bayesian bootstrap over the known users and one pseudo-user, who represents unobserved users: anywhere
/// between the mapping's bounds, in a Pareto tail above an open one, or among the users of neighbouring values. The
/// bootstrap's variance is too small by (n - 1)/(n + 1), which matters below ten users.
/// Source: Rubin, "The Bayesian bootstrap", 1981.
struct WorthDraw: Sendable {
  let mean: Double
  let variance: Double
  let third: Double

  /// Below this distance of its bounds a value is worth one amount.
  static let exact = 1e-6

  /// Draws the worths of all values; each draw depends on the seed, and on other values only through the tail.
  static func all(of worth: CodeWorth, seed: UInt64) -> [Self] {
    var random = SplitMix64(seed: seed)
    let tail = worth.tail.map { (law: $0, exponent: $0.exponent(&random)) }
    return worth.buckets.map { bucket in
      var own = SplitMix64(seed: random.next())
      return Self(bucket, inflation: worth.varianceInflation, tail, &own)
    }
  }

  private init(
    _ bucket: BucketWorth, inflation: Double, _ tail: (law: ParetoTail, exponent: Double)?,
    _ random: inout SplitMix64
  ) {
    guard bucket.high - bucket.low > Self.exact else {
      (mean, variance, third) = (bucket.mean, 0, 0)
      return
    }
    let drawn: Double
    switch bucket.evidence {
    case .stated:
      drawn = Self.stated(bucket, tail, &random)
      (variance, third) = (bucket.spread * bucket.spread, 0)
    case .moments(let users, let variance, let third):
      let count = Double(users)
      // One user is no evidence of the spread.
      let more = users > 1 ? (count + 1) / (count - 1) : 1
      drawn = bucket.mean + (inflation * more * variance / count).squareRoot() * random.normal()
      (self.variance, self.third) = (more * variance, third)
    case .amounts(let amounts):
      let pseudo = Self.pseudoUser(bucket, tail, &random)
      let moments = Self.bootstrap(amounts, pseudo, &random)
      let count = Double(amounts.count + 1)
      let more = (count + 1) / (count - 1)
      drawn = bucket.mean + (inflation * more).squareRoot() * (moments.mean - bucket.mean)
      (variance, third) = (more * moments.second, moments.third)
    }
    mean = min(bucket.high, max(bucket.low, drawn))
  }

  private init(mean: Double, variance: Double, third: Double) {
    self.mean = mean
    self.variance = variance
    self.third = third
  }

  /// The same of users who differ from the known ones.
  func times(_ factors: QualityTilt.Factors) -> Self {
    Self(
      mean: mean * factors.mean, variance: variance * factors.variance,
      third: third * factors.variance * factors.variance.squareRoot())
  }

  private static func stated(
    _ bucket: BucketWorth, _ tail: (law: ParetoTail, exponent: Double)?, _ random: inout SplitMix64
  ) -> Double {
    let hasTail = !bucket.high.isFinite && tail != nil && bucket.low > 0
    guard bucket.neighbours.isEmpty, !hasTail else { return pseudoUser(bucket, tail, &random) }
    return StatedLaw(mean: bucket.mean, low: bucket.low, high: bucket.high).draw(&random)
  }

  /// Draws the worth of a user if only the value is known.
  private static func pseudoUser(
    _ bucket: BucketWorth, _ tail: (law: ParetoTail, exponent: Double)?, _ random: inout SplitMix64
  ) -> Double {
    if !bucket.neighbours.isEmpty { return bucket.neighbours[random.number(below: bucket.neighbours.count)] }
    guard bucket.high.isFinite else {
      guard let tail, bucket.low > 0 else { return bucket.mean }
      return tail.law.amount(from: bucket.low, exponent: tail.exponent, &random)
    }
    return bucket.low + (bucket.high - bucket.low) * random.fraction()
  }

  /// Weighs the users and the pseudo-user at random, and returns the moments.
  private static func bootstrap(_ amounts: [Double], _ pseudo: Double, _ random: inout SplitMix64)
    -> (mean: Double, second: Double, third: Double)
  {
    // Sums around the pseudo-user, so that one pass over the users is enough.
    var (whole, first, second, third) = (random.exponential(), 0.0, 0.0, 0.0)
    for amount in amounts {
      let weight = random.exponential()
      let distance = amount - pseudo
      whole += weight
      first += weight * distance
      second += weight * distance * distance
      third += weight * distance * distance * distance
    }
    let (mean, square, cube) = (first / whole, second / whole, third / whole)
    return (
      pseudo + mean, max(0, square - mean * mean), cube - 3 * mean * square + 2 * mean * mean * mean
    )
  }
}
