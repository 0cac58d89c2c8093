/// What one code is worth: money, or the expected number of some event.
package struct BucketWorth: Hashable, Sendable {
  /// What is known of the users with a code.
  package enum Evidence: Hashable, Sendable {
    /// No user is known; the mapping alone says what the code is worth.
    case stated
    /// What each known user is worth, rising.
    case amounts([Double])
    /// The moments of the known users' worths; the third is the mean cubed distance from the mean.
    case moments(users: Int, variance: Double, third: Double)
  }

  /// What a user with this code is worth on average.
  package let mean: Double
  /// The standard deviation over those users.
  package let spread: Double
  /// The least that a user with this code is worth.
  package let low: Double
  /// The most; infinite for a value that is open above.
  package let high: Double
  /// Whom the figures come from.
  package let evidence: Evidence
  /// What the pseudo-user is drawn from where the ends are not those of the law; empty where they are.
  package let neighbours: [Double]

  /// Above so many users the moments of their worths say everything that the worths say.
  package static let mostAmounts = 300

  /// Takes a worth that is known by its moments, or by the mapping's own words where there are no users.
  package init(mean: Double, spread: Double, low: Double, high: Double, users: Int, third: Double = 0) {
    self.mean = mean
    self.spread = spread
    self.low = low
    self.high = high
    evidence = users > 0 ? .moments(users: users, variance: spread * spread, third: third) : .stated
    neighbours = []
  }

  /// Learns from the known users of a code.
  ///
  /// The mean is that of the users and of one pseudo-user, who stands for those that were not seen: in the middle of the
  /// ends, or where a Pareto law from the lower end is on average. Above ``mostAmounts`` users it is theirs alone.
  ///
  /// - Parameters:
  ///   - amounts: What each known user is worth; at least one.
  ///   - low: The least that the mapping lets a user with the code be worth.
  ///   - high: The most; infinite where the code is open above.
  ///   - endsHold: Whether the ends bound the amounts. They do not for worths of other days than the value counts, nor
  ///     where the value says nothing of money; then the users of the codes beside it stand in for the ends.
  ///   - tail: The law of the highest amounts of the app; `nil` where too few users are known.
  ///   - neighbours: The amounts of this code and of those beside it.
  package init(
    amounts: [Double], low: Double, high: Double, endsHold: Bool = true, tail: ParetoTail?,
    neighbours: [Double] = []
  ) {
    let users = amounts.sorted()
    let count = Double(users.count)
    let sum = users.reduce(0, +)
    let mean = sum / count
    let (second, third) = users.reduce((0.0, 0.0)) { sums, amount in
      let distance = amount - mean
      return (sums.0 + distance * distance, sums.1 + distance * distance * distance)
    }
    spread = (second / count).squareRoot()
    let isBounded = endsHold && low <= users[0] && users[users.count - 1] <= high
    let canExtend = high.isFinite || (tail != nil && low > 0)
    let beside = isBounded && canExtend ? [] : neighbours.isEmpty ? users : neighbours
    self.low = min(low, users[0], beside.min() ?? low)
    self.high = max(high, users[users.count - 1], beside.max() ?? high)
    guard users.count <= Self.mostAmounts else {
      self.mean = mean
      self.neighbours = []
      evidence = .moments(users: users.count, variance: second / count, third: third / count)
      return
    }
    evidence = .amounts(users)
    self.neighbours = beside
    let pseudo =
      beside.isEmpty ? Self.middle(low, high, tail) : beside.reduce(0, +) / Double(beside.count)
    self.mean = self.high - self.low > WorthDraw.exact ? (sum + pseudo) / (count + 1) : mean
  }

  /// Takes a code that no known user has for worth what users of the codes beside it are; one of them, drawn at random,
  /// is as far as a draw of its mean can be from theirs.
  ///
  /// - Parameter others: What those users are worth; at least one.
  package init(likeUsersBeside others: [Double]) {
    let count = Double(others.count)
    let mean = others.reduce(0, +) / count
    self.mean = mean
    spread = (others.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count).squareRoot()
    low = others.min() ?? mean
    high = others.max() ?? mean
    evidence = .stated
    neighbours = others
  }

  private static func middle(_ low: Double, _ high: Double, _ tail: ParetoTail?) -> Double {
    guard !high.isFinite, let tail else { return (low + high) / 2 }
    return tail.mean(from: low, exponent: tail.exponent)
  }

  /// How many users stand behind the figures; 0 where they are only the mapping's own words.
  package var users: Int {
    switch evidence {
    case .stated: 0
    case .amounts(let amounts): amounts.count
    case .moments(let users, _, _): users
    }
  }
}

/// The worth of every code.
package struct CodeWorth: Hashable, Sendable {
  /// The worth by code.
  package let buckets: [BucketWorth]
  /// The law of the highest amounts of the app; `nil` where too few users are known.
  package let tail: ParetoTail?
  /// How many times the sampling variance of the known users the variance of the worths is.
  ///
  /// 1 where campaigns' users follow the very law that the known users are drawn from. 2 by default: campaigns have
  /// users of other weeks and channels. Where campaigns are drawn again and again from the other half of one file, 2 is
  /// exact, because that half is a sample like the first.
  package var varianceInflation = 2.0

  package init(buckets: [BucketWorth], tail: ParetoTail? = nil) {
    self.buckets = buckets
    self.tail = tail
  }

  /// Returns what postbacks of known values are worth.
  ///
  /// - Parameter counts: How many there are, by code.
  /// - Returns: The sum of their means.
  package func value(of counts: [Double]) -> Double {
    zip(counts, buckets).reduce(0) { $0 + $1.0 * $1.1.mean }
  }

  /// The codes from the lowest mean to the highest.
  var order: [Int] {
    buckets.indices.sorted { (buckets[$0].mean, $0) < (buckets[$1].mean, $1) }
  }
}
