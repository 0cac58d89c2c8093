package import Values

/// What one conversion value is worth: money, or the expected number of some event.
package struct BucketWorth: Equatable, Sendable {
  /// What is known about the users with a value.
  package enum Evidence: Equatable, Sendable {
    /// No user is known; the worth is from the mapping alone.
    case stated
    case amounts([Double])
    /// The moments of the known users' worths; the third is the mean cubed distance from the mean.
    case moments(users: Int, variance: Double, third: Double)
  }

  /// The mean worth of a user with this value.
  package let mean: Double
  /// The standard deviation over those users.
  package let spread: Double
  /// The lowest worth of a user with this value.
  package let low: Double
  /// The highest worth; infinite for a value that is open above.
  package let high: Double
  package let evidence: Evidence
  /// The amounts that the pseudo-user is drawn from if the bounds are not those of the amounts; empty if they are.
  package let neighbours: [Double]

  /// Above this number of users the moments of their worths replace the worths.
  package static let mostAmounts = 300

  /// Creates a worth from its moments, or from the mapping alone if there are no users.
  package init(mean: Double, spread: Double, low: Double, high: Double, users: Int, third: Double = 0) {
    self.mean = mean
    self.spread = spread
    self.low = low
    self.high = high
    evidence = users > 0 ? .moments(users: users, variance: spread * spread, third: third) : .stated
    neighbours = []
  }

  /// Estimates the worth from the known users of a value.
  ///
  /// The mean is that of the users and of one pseudo-user, who represents unobserved users: in the middle of the
  /// bounds, or at the mean of a Pareto distribution from the lower bound. Above ``mostAmounts`` users it is their mean
  /// alone.
  ///
  /// - Parameters:
  ///   - amounts: What each known user is worth; at least one.
  ///   - low: The lowest worth that the mapping allows for a user with the value.
  ///   - high: The highest; infinite if the value is open above.
  ///   - endsHold: Whether the bounds apply to the amounts. They do not for worths of other days than the value counts,
  ///     nor if the value has no money; then the users of the neighbouring values replace the bounds.
  ///   - tail: The distribution of the highest amounts of the app; `nil` if too few users are known.
  ///   - neighbours: The amounts of this value and of its neighbours.
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

  /// The number of users that the figures come from; 0 if they are from the mapping alone.
  package var users: Int {
    switch evidence {
    case .stated: 0
    case .amounts(let amounts): amounts.count
    case .moments(let users, _, _): users
    }
  }
}

package struct CodeWorth: Equatable, Sendable {
  /// The version of a mapping that gives the codes their meaning.
  package struct Origin: Hashable, Sendable {
    let effectiveFrom: Instant
    /// What amounts are in.
    package let currency: CurrencyCode
  }

  /// `nil` for codes without a mapping.
  package var origin: Origin?
  package let buckets: [BucketWorth]
  /// The distribution of the highest amounts of the app; `nil` if too few users are known.
  package let tail: ParetoTail?
  /// The ratio of the variance of the worths to the sampling variance of the known users.
  ///
  /// 1 if campaigns' users have the same distribution as the known users. 2 by default: campaigns have
  /// users of other weeks and channels. If campaigns are drawn repeatedly from the other half of one file, 2 is
  /// exact, because that half is a sample like the first.
  package var varianceInflation = 2.0
  /// How users of a better campaign can differ within a value; `nil` for worths of the time that values count.
  package let tilt: QualityTilt?
  /// Whether a few of the known users have so much of the revenue that totals of others differ for that alone.
  package let carriers: RevenueCarriers?

  package init(
    buckets: [BucketWorth], tail: ParetoTail? = nil, tilt: QualityTilt? = nil,
    carriers: RevenueCarriers? = nil
  ) {
    self.carriers = carriers
    self.buckets = buckets
    self.tail = tail
    self.tilt = tilt
  }

  /// Returns what postbacks of known values are worth.
  ///
  /// - Parameter counts: Their numbers, by value.
  /// - Returns: The sum of their means.
  package func value(of counts: [Double]) -> Double {
    // No users times an open end is zero, not an undefined number.
    zip(counts, buckets).reduce(0) { $1.0 == 0 ? $0 : $0 + $1.0 * $1.1.mean }
  }

  package func value(of counts: CodeCounts) -> Double {
    counts.entries.reduce(0) { $0 + $1.count * buckets[$1.code].mean }
  }

  /// The same values with each user at the low end of the value's range, or at the high end.
  func counted(at end: KeyPath<BucketWorth, Double>) -> CodeWorth {
    CodeWorth(
      buckets: buckets.map {
        BucketWorth(mean: $0[keyPath: end], spread: 0, low: $0.low, high: $0.high, users: $0.users)
      })
  }

  /// The values from the lowest mean to the highest.
  var order: [Int] {
    buckets.indices.sorted { (buckets[$0].mean, $0) < (buckets[$1].mean, $1) }
  }
}
