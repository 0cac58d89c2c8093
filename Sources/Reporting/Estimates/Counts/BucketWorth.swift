/// What one code is worth: money, or the expected number of some event.
package struct BucketWorth: Hashable, Sendable {
  /// The mean over the users with this code.
  package let mean: Double
  /// The standard deviation over those users.
  package let spread: Double
  /// The least that a user with this code is worth.
  package let low: Double
  /// The most.
  package let high: Double
  /// How many users are behind mean and spread; 0 where they are only the mapping's own words.
  package let users: Int

  package init(mean: Double, spread: Double, low: Double, high: Double, users: Int) {
    self.mean = mean
    self.spread = spread
    self.low = low
    self.high = high
    self.users = users
  }
}

/// The worth of every code.
package struct CodeWorth: Hashable, Sendable {
  /// The worth by code.
  package let buckets: [BucketWorth]
  /// What each known user of the code of the highest mean is worth; empty where no users are known.
  package let topAmounts: [Double]

  package init(buckets: [BucketWorth], topAmounts: [Double] = []) {
    self.buckets = buckets
    self.topAmounts = topAmounts
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
