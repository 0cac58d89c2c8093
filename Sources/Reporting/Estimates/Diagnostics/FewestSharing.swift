/// How few users share a value that is shown: whether rare values are withheld.
///
/// A rule that withholds a value where fewer than some number of a campaign's users of a week have it shows the users of
/// a week together, and what they show arrives within eight days: a week, and the day by which delays differ. So a value
/// that is shown is shown at least that often in some eight days about it. A single user among all these days refutes
/// every such rule.
package struct FewestSharing: Equatable, Sendable {
  /// The numbers of days of arrival that are known, all from the first to the last.
  private let known: Range<Int>
  /// How many cells have so many users, by that number.
  ///
  /// A cell is a value of a campaign in eight days.
  private var cells: [Int: Int] = [:]

  private static let days = 8
  /// So many cells with the fewest users or one more, and none with fewer, are a rule: without one, values that are half as
  /// frequent would be there.
  private static let surely = 10

  /// - Parameter known: The numbers of the days of arrival that were asked for and are over; what others of the same week show
  ///   is not known.
  package init(known: Range<Int>) { self.known = known }

  /// Adds what one campaign shows.
  ///
  /// - Parameter shown: Users by value, for each of consecutive days of arrival from the first one; all days have the same values.
  package mutating func add(_ shown: [[Double]], from first: Int) {
    let whole = shown.indices.clamped(
      to: (known.lowerBound + Self.days - 1 - first)..<max(
        known.lowerBound + Self.days - 1, known.upperBound - Self.days + 1) - first)
    for value in (shown.first ?? []).indices where shown.contains(where: { $0[value] > 0 }) {
      add(shown.map { Int($0[value]) }, whole)
    }
  }

  private mutating func add(_ days: [Int], _ whole: Range<Int>) {
    // What the eight days that begin on each day have; the first ones begin before the first day.
    let starts = (1 - Self.days)..<days.count
    let sums = starts.map { start in
      days[max(0, start)..<min(days.count, start + Self.days)].reduce(0, +)
    }
    var counted: [Int: Int] = [:]
    for day in whole where days[day] > 0 {
      let most = sums[day...(day + Self.days - 1)].max() ?? 0
      // The same users once.
      if let before = counted[most], day < before + Self.days { continue }
      counted[most] = day
      cells[most, default: 0] += 1
    }
  }

  /// The fewest users of a cell; `nil` without values.
  package var users: Int? { cells.keys.min() }
  /// How many cells have it.
  package var times: Int { users.flatMap { cells[$0] } ?? 0 }
  package var count: Int { cells.values.reduce(0, +) }

  /// The users from which a value is shown; `nil` where no such rule shows.
  package var rule: Int? {
    guard let users, users > 1 else { return nil }
    func count(_ numbers: ClosedRange<Int>) -> Int { numbers.reduce(0) { $0 + (cells[$1] ?? 0) } }
    let (least, next) = (count(users...users + 1), count(users + 2...users + 3))
    // By chance numbers thin out to the end; behind a rule they do not.
    return least >= Self.surely && 2 * least >= next ? users : nil
  }
}
