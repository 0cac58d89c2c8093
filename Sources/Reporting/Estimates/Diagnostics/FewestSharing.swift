/// How few users share a value that is shown: whether rare values are withheld.
///
/// A rule that withholds a value where fewer than some number of a campaign's users of a week have it shows the users of
/// a week together, and what they show arrives within eight days: a week, and the day by which delays of SKAdNetwork 4 and
/// AdAttributionKit differ without locks. So a value that is shown is shown at least that often in some eight days about it.
/// Single users among all these days refute every such rule, but for a few: a late retry, or a timer of SKAdNetwork 3.
package struct FewestSharing: Equatable, Sendable {
  /// The numbers of days of arrival that are known, all from the first to the last.
  private let known: Range<Int>
  /// How many cells have so many users, by that number.
  ///
  /// A cell is a value of a campaign in eight days.
  private var cells: [Int: Int] = [:]

  private static let days = 8
  /// So many cells are no strays.
  private static let surely = 10
  /// How many strays there can be for a cell with the fewest users of a rule.
  private static let strays = 0.1

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

  /// The fewest users that a value was shown for: those of the rule, where one shows; `nil` without values.
  package var users: Int? { rule ?? cells.keys.min() }
  /// How many cells have it.
  package var times: Int { users.flatMap { cells[$0] } ?? 0 }
  package var count: Int { cells.values.reduce(0, +) }

  /// Whether values are shown for single users, more than strays.
  package var refutesRules: Bool { rule == nil && cells[1, default: 0] >= Self.surely }

  /// The users from which a value is shown; `nil` where no such rule shows.
  ///
  /// Without a rule, values that are half as frequent would be there, and to the end numbers would thin out.
  package var rule: Int? {
    func count(_ numbers: ClosedRange<Int>) -> Int { numbers.reduce(0) { $0 + (cells[$1] ?? 0) } }
    var fewer = 0
    for users in cells.keys.sorted() {
      let (least, next) = (count(users...users + 1), count(users + 2...users + 3))
      if users > 1, least >= Self.surely, 2 * least >= next, Double(fewer) <= Self.strays * Double(least) {
        return users
      }
      fewer += cells[users] ?? 0
    }
    return nil
  }
}
