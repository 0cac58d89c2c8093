/// The users of each conversion value, and the value's mean and variance.
package struct UserValues: Equatable, Sendable {
  /// The cause of an arm's higher mean.
  package enum Lift: String, CaseIterable, Sendable {
    /// Each user's amount is higher by the same factor.
    case amounts
    /// More users have an amount above 0.
    case users
    case top
  }

  private struct ValueGroup: Equatable {
    var worth: Double
    var within: Double
    var users: Double
  }

  private var values: [ValueGroup] = []
  package private(set) var count = 0.0

  package init() {}

  /// Adds users of one value.
  ///
  /// - Parameters:
  ///   - worth: What the value is worth on average.
  ///   - within: The variance of users around it; 0 or more.
  ///   - users: How many users; 0 or more.
  package mutating func add(_ worth: Double, within: Double = 0, users: Double = 1) {
    guard users > 0 else { return }
    count += users
    if let known = values.firstIndex(where: { $0.worth == worth && $0.within == within }) {
      values[known].users += users
    } else {
      values.append(ValueGroup(worth: worth, within: within, users: users))
    }
  }

  /// The mean of a user; 0 without users.
  package var mean: Double { average { $0.worth } }

  /// The part of a user's variance that values hide.
  package var varianceWithin: Double { average { $0.within } }

  /// The second to fourth moments about the mean; the second with the variance within values.
  package var moments: CentralMoments {
    let mean = mean
    func power(_ value: ValueGroup, _ exponent: Int) -> Double {
      (0..<exponent).reduce(1) { product, _ in product * (value.worth - mean) }
    }
    return CentralMoments(
      variance: average { power($0, 2) } + varianceWithin, third: average { power($0, 3) },
      fourth: average { power($0, 4) })
  }

  /// Returns users whose mean is higher by a part of it; nil where that takes more users than there are, or no value
  /// is worth anything.
  package func raised(by lift: Double, from how: Lift) -> Self? {
    guard let top = values.max(by: { $0.worth < $1.worth }), top.worth > 0 else { return nil }
    var raised = Self()
    var more = 0.0
    for value in values where value.worth > 0 {
      let added =
        switch how {
        case .amounts: 0.0
        case .users: lift * value.users
        case .top: value == top ? lift * mean * count / top.worth : 0
        }
      let factor = how == .amounts ? 1 + lift : 1
      raised.add(factor * value.worth, within: factor * factor * value.within, users: value.users + added)
      more += added
    }
    let idle = count - raised.count
    guard idle >= 0 else { return nil }
    raised.add(0, users: idle)
    return raised
  }

  private func average(_ part: (ValueGroup) -> Double) -> Double {
    count > 0 ? values.reduce(0) { $0 + $1.users * part($1) } / count : 0
  }
}
