package import Mappings
import Postbacks
import Simulation
package import Values

/// A value of the draft: what it means, and how many users would end with it.
package struct DraftCell: Sendable {
  /// How many users end with a value.
  package struct Users: Sendable {
    /// Conversions that end with it, shown or not.
    package let count: Int
    /// Of all conversions that end with a value of that sort in the window, the share; `nil` where there is none.
    package let share: Double?
    /// True revenue of these users in the window.
    package let revenue: Amount
    /// Postbacks of the users that were simulated that show it.
    package let shown: Int
  }

  package let slot: WindowValue
  /// Whether a rule gives it.
  package let isUsed: Bool
  /// What it means, a row for each rule.
  package let meanings: [MeaningText]
  /// The first event of its rule, or that it is for revenue; `nil` for a value of neither.
  package let kind: ValuePurpose?
  /// The users; `nil` where nothing was simulated.
  package let users: Users?

  /// The cells of a draft: 64 fine values, then three coarse ones for each window.
  static func all(of mapping: Mapping, _ figures: TrialFigures?) -> [DraftCell] {
    WindowValue.all.map { slot in
      let meaning = mapping.meaning(of: slot)
      let isUsed = if case .rules = meaning { true } else { false }
      return DraftCell(
        slot: slot, isUsed: isUsed, meanings: isUsed ? meaning.rows : [], kind: ValuePurpose(meaning),
        users: figures.flatMap { Users(slot, $0) })
    }
  }
}

extension WindowValue {
  /// The value in one word: `12`, or `2-high` for a coarse value of window 2.
  package var key: String {
    switch self {
    case .fine(let value): "\(value.number)"
    case .coarse(let window, let value): "\(window.rawValue + 1)-\(value.rawValue)"
    }
  }
}

extension DraftCell.Users {
  /// Counts the users of a value; `nil` where the device has no such value.
  fileprivate init?(_ slot: WindowValue, _ figures: TrialFigures) {
    let total = figures.total
    let (counts, revenue, shown, place): ([Int], [MoneySum], [Int], Int)
    switch slot {
    case .fine(let value):
      let window = total[.first]
      (counts, revenue, shown, place) = (
        window.trueFine, window.revenueByFine, window.visibleFine, Int(value.number)
      )
    case .coarse(let window, let value):
      let window = total[window]
      (counts, revenue, shown, place) = (
        window.trueCoarse, window.revenueByCoarse, window.visibleCoarse, value.rank
      )
    }
    guard counts.indices.contains(place), revenue.indices.contains(place), shown.indices.contains(place)
    else {
      return nil
    }
    let all = counts.reduce(0, +)
    count = figures.ofApp(counts[place])
    share = all == 0 ? nil : Double(counts[place]) / Double(all)
    self.revenue = figures.ofApp(revenue[place].amount)
    self.shown = shown[place]
  }
}
