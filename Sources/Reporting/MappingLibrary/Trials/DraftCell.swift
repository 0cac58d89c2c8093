package import JSONText
package import Mappings
import Postbacks
package import Simulation
package import Values

/// A value of the draft: what it means, which rules give it, and how many users would end with it.
package struct DraftCell: Hashable, Sendable {
  /// Whether a value has a meaning; the raw value is the word for programs.
  package enum State: String, Hashable, Sendable, CaseIterable {
    /// A rule gives it.
    case used
    /// No rule gives it, and the system sets it at install.
    case zero = "set-by-install"
    /// No rule gives it, so that nothing of this mapping sets it.
    case unused
  }

  /// How many users end with a value.
  package struct Users: Hashable, Sendable {
    /// Conversions that end with it, shown or not.
    package let count: Int
    /// Of all conversions that end with a value of that sort in the window, the share; `nil` where there is none.
    package let share: Double?
    /// True revenue of these users in the window.
    package let revenue: MoneySum
    /// Postbacks that show it.
    package let shown: Int

    /// ``revenue`` as an amount.
    package var amount: Amount { revenue.amount }
  }

  package let slot: WindowValue
  /// Whether it has a meaning.
  package let state: State
  /// What it means, a row for each rule.
  package let meanings: [MeaningText]
  /// The places of its rules.
  package let paths: [JSONPath]
  /// The users; `nil` where nothing was simulated.
  package let users: Users?

  /// The cells of a draft: 64 fine values, then three coarse ones for each window.
  static func all(of document: MappingDocument, _ figures: TrialFigures?) -> [DraftCell] {
    WindowValue.all.map { slot in
      let meaning = document.mapping.meaning(of: slot)
      let state: State
      switch meaning {
      case .rules: state = .used
      case .zero: state = .zero
      case .null, .noneExpected, .unmapped: state = .unused
      }
      return DraftCell(
        slot: slot, state: state, meanings: state == .used ? meaning.rows : [],
        paths: document.paths(of: slot), users: figures.flatMap { Users(slot, $0.total) })
    }
  }
}

extension DraftCell.Users {
  /// Counts the users of a value; `nil` where the device has no such value.
  fileprivate init?(_ slot: WindowValue, _ total: CampaignOutcome) {
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
    count = counts[place]
    share = all == 0 ? nil : Double(counts[place]) / Double(all)
    self.revenue = revenue[place]
    self.shown = shown[place]
  }
}
