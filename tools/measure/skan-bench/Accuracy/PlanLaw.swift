import Estimates
import Values

/// A rule by which values are withheld that a plan does not know.
enum PlanLaw: String, CaseIterable, Sendable {
  case hard15 = "hard 15"
  case hard30 = "hard 30"
  case hard60 = "hard 60"
  case soft30 = "soft 30"
  case digits = "tiers by digits, 8 and 30"
  case change = "hard 60, then 30"
  case networks = "hard 20, other network 60"
  case values = "values of fewer than 5 users"

  /// The values of a group's day.
  struct Values {
    var fine = 0
    var coarse = 0
  }

  /// How many users of a campaign and week have to share a value; `nil` where the rule is about installs.
  var users: Int? { self == .values ? 5 : nil }

  /// On which day of installs the rule changes.
  static let changes = 14

  /// Shows what a group's day of installs shows.
  ///
  /// - Parameter isOfSecond: Whether the group is of the second network.
  func shown(_ installs: Int, day: Int, isOfSecond: Bool, _ random: inout SplitMix64) -> Values {
    func fine(_ law: NullMechanism) -> Values { Values(fine: installs - law.hidden(of: installs, &random)) }
    switch self {
    case .values: return Values(fine: installs)
    case .hard15: return fine(.hard(threshold: 15))
    case .hard30: return fine(.hard(threshold: 30))
    case .hard60: return fine(.hard(threshold: 60))
    case .soft30: return fine(.soft(threshold: 30, slope: 0.35))
    case .change: return fine(.hard(threshold: day < Self.changes ? 60 : 30))
    case .networks: return fine(.hard(threshold: isOfSecond ? 60 : 20))
    case .digits:
      // The group of the last two digits is the largest, so its size decides; its parts have more digits, not more values.
      return installs >= 30 ? Values(fine: installs) : Values(coarse: installs >= 8 ? installs : 0)
    }
  }
}
