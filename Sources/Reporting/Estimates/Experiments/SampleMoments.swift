/// The count, mean and variance of the revenue of users in one arm of an experiment.
package struct SampleMoments: Equatable, Sendable {
  package private(set) var count = 0.0
  /// Their mean; 0 without users.
  package private(set) var mean = 0.0
  private var squares = 0.0
  /// The sum of variances that users of one code have among themselves.
  private var withinCodes = 0.0

  /// Starts without users.
  package init() {}

  /// Adds users of one value.
  ///
  /// Source: Chan, Golub and LeVeque, "Algorithms for computing the sample variance", 1983, for the update.
  ///
  /// - Parameters:
  ///   - value: What the value is worth on average.
  ///   - within: The variance of users around it, which the value itself does not show; 0 or more.
  ///   - users: How many users; 0 or more.
  package mutating func add(_ value: Double, within: Double = 0, users: Double = 1) {
    guard users > 0 else { return }
    let total = count + users
    let step = value - mean
    squares += step * step * count * users / total
    mean += step * users / total
    count = total
    withinCodes += within * users
  }

  package mutating func add(_ other: Self) {
    let squares = other.squares
    let within = other.withinCodes
    add(other.mean, users: other.count)
    self.squares += squares
    withinCodes += within
  }

  /// The variance between codes, as the values show it; 0 for fewer than two users.
  package var varianceBetween: Double { count > 1 ? squares / (count - 1) : 0 }

  package var varianceWithin: Double { count > 0 ? withinCodes / count : 0 }

  package var variance: Double { varianceBetween + varianceWithin }
}
