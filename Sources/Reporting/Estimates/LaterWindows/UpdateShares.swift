/// Which share of the users with each value of window 1 updates the value in a later window.
package struct UpdateShares: Sendable {
  private let means: [Double]
  private let variances: [Double]

  /// Users whose share a value without many of its own is taken to have: that of all values together.
  private static let prior = 10.0

  /// Learns from own users: a beta-binomial for each value, around the share of all.
  ///
  /// - Parameter counts: Users by value, and those of them with an update.
  /// - Returns: Nothing without users.
  package init?(_ counts: [(users: Double, updated: Double)]) {
    let users = counts.reduce(0) { $0 + $1.users }
    let updated = counts.reduce(0) { $0 + $1.updated }
    guard users > 0 else { return nil }
    let common = (updated + 0.5) / (users + 1)
    var (means, variances): ([Double], [Double]) = ([], [])
    for count in counts {
      let (a, n) = (count.updated + Self.prior * common, count.users + Self.prior)
      means.append(a / n)
      variances.append(a / n * (1 - a / n) / (n + 1))
    }
    (self.means, self.variances) = (means, variances)
  }

  /// The share of the users with a value, and the variance that few own users leave; 0 of a value that is not counted.
  package func share(of value: Int) -> (mean: Double, variance: Double) {
    means.indices.contains(value) ? (means[value], variances[value]) : (0, 0)
  }
}

/// The updates that some users are expected to make in a window.
package struct ExpectedUpdates: Sendable {
  package private(set) var mean = 0.0
  package private(set) var variance = 0.0

  package init() {}

  /// Adds users with one value of window 1.
  package mutating func add(_ users: Double, value: Int, _ shares: UpdateShares) {
    let share = shares.share(of: value)
    mean += users * share.mean
    variance += users * users * share.variance
  }

  /// Of both; what few own users leave open of them is the same, so that roots add up.
  package func adding(_ other: Self) -> Self {
    var sum = self
    sum.mean += other.mean
    let root = variance.squareRoot() + other.variance.squareRoot()
    sum.variance = root * root
    return sum
  }
}
