import Estimates
import Numerics
import System
import Values

/// A way in which values are withheld.
enum Scenario: String, CaseIterable, Sendable {
  /// A campaign's day below 30 installs hides all its values.
  case hard = "A"
  /// A campaign's day of N reveals each value with probability 1 / (1 + (30 / N)^(1 / 0.35)).
  case soft = "B"
  /// A source app's day below 5 installs hides all its values, and smaller source apps have better users.
  case sources = "C"
  /// As A, and smaller campaigns have better users.
  case smallAreBetter = "D"
  /// A value that fewer than 5 users of a campaign's week have is withheld.
  case values = "E"

  /// Days of a report.
  static let days = 7
  /// Source apps of a campaign in scenario C; their sizes fall as 1, 1/2, 1/3 and so on.
  static let sourceApps = 12
  /// The spread of campaigns' quality.
  static let spread = 0.5

  /// A campaign with its truth.
  struct Made: Sendable {
    /// What its postbacks show.
    let counts: RevealedCounts
    /// What all its users are worth.
    let truth: Double
  }

  /// Makes a campaign: a log-normal number of installs a day, of median 25 and σ 1.1, for seven days.
  func campaign(_ name: String, users: TiltedUsers, codes: SquareRootCodes, _ random: inout SplitMix64)
    -> Made
  {
    let size = random.normal()
    let own = random.normal()
    // As in A, with the quality's correlation to the logarithm of the size at -0.8.
    let quality = Self.spread * (self == .smallAreBetter ? -0.8 * size + 0.6 * own : own)
    let daily = 25 * exponential(1.1 * size)
    var cells: [CellCounts] = []
    var truth = 0.0
    for _ in 0..<Self.days {
      var revealed = [Double](repeating: 0, count: codes.lows.count)
      var nulls = 0
      for (part, better) in parts {
        let installs = random.poisson(daily * part)
        var hidden = hidden(of: installs, &random)
        nulls += hidden
        for place in 0..<installs {
          let amount = users.amount(quality: quality + better, &random)
          truth += amount
          // Users are drawn one like the other, so hiding so many of those left hides any of them alike.
          if random.number(below: installs - place) < hidden {
            hidden -= 1
          } else {
            revealed[codes.code(of: amount)] += 1
          }
        }
      }
      cells.append(CellCounts(revealed: revealed, nulls: Double(nulls)))
    }
    let counts = RevealedCounts(name: name, cells: cells)
    guard self == .values else { return Made(counts: counts, truth: truth) }
    let rare = counts.revealed.reduce(0) { $0 + ($1 < 5 ? $1 : 0) }
    return Made(
      counts: RevealedCounts(name: name, revealed: counts.revealed.map { $0 < 5 ? 0 : $0 }, nulls: rare),
      truth: truth)
  }

  /// The parts of a day's installs that are withheld apart, with how much better their users are.
  private var parts: [(share: Double, better: Double)] {
    guard self == .sources else { return [(1, 0)] }
    let sizes = (1...Self.sourceApps).map { 1 / Double($0) }
    let total = sizes.reduce(0, +)
    let middle = Double(Self.sourceApps - 1) / 2
    let reach = (middle * (middle + 1) / 3).squareRoot()
    return sizes.enumerated().map { place, size in
      (size / total, Self.spread * (Double(place) - middle) / reach)
    }
  }

  private func hidden(of installs: Int, _ random: inout SplitMix64) -> Int {
    switch self {
    case .hard, .smallAreBetter: NullMechanism.hard(threshold: 30).hidden(of: installs, &random)
    case .soft: NullMechanism.soft(threshold: 30, slope: 0.35).hidden(of: installs, &random)
    case .sources: NullMechanism.hard(threshold: 5).hidden(of: installs, &random)
    case .values: 0
    }
  }
}
