import Mappings
import Postbacks
import Simulation
import Values

/// The best three coarse values of each window of SKAdNetwork 4.
struct CoarseDesign {
  struct Level: Hashable, Sendable {
    let value: CoarseValue
    /// Where the range begins, in millionths; `nil` for no lower end.
    let from: Int64?
    /// Where the next one begins.
    let to: Int64?
    var code = CodeDesign.Code()
  }

  /// The values of each window, low ones first.
  let windows: [ConversionWindow: [Level]]
  /// Which sums the second and third window's values include.
  let laterTotals: CoarseRules.Totals

  /// Makes them.
  ///
  /// - Parameters:
  ///   - some: Those of them that the values are made of.
  ///   - edges: Where ranges of fine values begin, if coarse ones may begin in the first window only there.
  ///
  /// Those of window 1 replace the fine values, and so cover the target. The later ones cover the revenue of each
  /// window if that can be added to the target without counting anything twice, and else the revenue since install.
  init(_ users: DesignUsers, _ some: [Int], within edges: [Int64]? = nil) {
    let isSplit = users.target.seconds <= ConversionWindow.first.seconds.upperBound
    laterTotals = isSplit ? .window : .sinceInstall
    var windows: [ConversionWindow: [Level]] = [:]
    for window in ConversionWindow.allCases {
      let pairs = some.compactMap { index -> (amount: Int64, worth: Double)? in
        let user = users.users[index]
        guard let sum = Self.sum(user, users, window, sinceInstall: window == .first || !isSplit) else {
          return nil
        }
        return (sum, window == .first ? user.worth : Double(sum) / 1e6)
      }
      windows[window] = Self.levels(pairs, within: window == .first ? edges : nil)
    }
    self.windows = windows
  }

  /// Revenue of a user by the last activity in a window; `nil` for a user who was not active in it.
  private static func sum(
    _ user: DesignUser, _ users: DesignUsers, _ window: ConversionWindow, sinceInstall: Bool
  ) -> Int64? {
    var sum: Int64 = 0
    // The first window has a value from the launch on.
    var isActive = window == .first
    for index in Int(user.events.lowerBound)..<Int(user.events.upperBound) {
      let event = users.events[index]
      let seconds = Int64(event.secondsSinceInstall)
      guard seconds < window.seconds.upperBound else { break }
      let isInside = window.seconds.contains(seconds)
      isActive = isActive || isInside
      if sinceInstall || isInside { sum = sum.addingHeld(users.measure(event)) }
    }
    return isActive ? max(0, sum) : nil
  }

  private static func levels(_ pairs: [(amount: Int64, worth: Double)], within allowed: [Int64]?) -> [Level] {
    let cells = (allowed.map { Cells(pairs, between: $0) } ?? Cells(pairs)).rising
    let values = WeightedPoints(points: cells.map { $0.worth / $0.users }, weights: cells.map(\.users))
    let quantiser = Quantiser(values ?? WeightedPoints(counting: []), .sqrt, upTo: CoarseValue.allCases.count)
    let starts = quantiser.starts(buckets: quantiser.costs.count)
    let edges = starts.dropFirst().map { start in
      let (low, high) = (cells[start - 1].last, cells[start].first)
      return allowed?.first { $0 > low && $0 <= high } ?? midway(low, high)
    }
    var levels = zip(CoarseValue.allCases, 0...edges.count).map { value, place in
      Level(
        value: value, from: place == 0 ? nil : edges[place - 1],
        to: place == edges.count ? nil : edges[place])
    }
    for pair in pairs {
      let place = edges.count { $0 <= pair.amount }
      let isFirst = levels[place].code.users == 0
      levels[place].code.low = isFirst ? pair.worth : min(levels[place].code.low, pair.worth)
      levels[place].code.high = isFirst ? pair.worth : max(levels[place].code.high, pair.worth)
      levels[place].code.users += 1
      levels[place].code.mean += pair.worth
    }
    for place in levels.indices where levels[place].code.users > 0 {
      levels[place].code.mean /= Double(levels[place].code.users)
    }
    return levels
  }
}
