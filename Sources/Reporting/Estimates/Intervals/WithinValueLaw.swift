internal import Numerics
internal import System
internal import Values

/// By how much users of a value differ from campaign to campaign, as far as groups of own users show it.
///
/// A campaign whose values show the quality θ has users of the quality η = slope · θ + spread · N(0, 1) within each value
/// (``QualityTilt``). Slope and spread 0: users of a value are alike in all campaigns. Slope 1 without a spread: campaigns differ within
/// values as they do between them.
package struct WithinValueLaw: Equatable, Sendable {
  /// A slope and a spread, and how likely they are.
  package struct Place: Hashable, Sendable {
    /// A number from 0 through 1.
    package let slope: Double
    /// A standard deviation, from 0 on.
    package let spread: Double
    package let weight: Double

    package init(slope: Double, spread: Double, weight: Double) {
      self.slope = slope
      self.spread = spread
      self.weight = weight
    }

    var isAlike: Bool { slope == 0 && spread == 0 }

    /// Draws the quality within values of a campaign whose values have a quality.
    func quality(_ quality: Double, _ random: inout SplitMix64) -> Double {
      slope * quality + (spread > 0 ? spread * random.normal() : 0)
    }
  }

  /// How many groups show it; 0 where nothing does.
  package let groups: Int
  /// What it can be, from the smallest slope on.
  package let places: [Place]

  /// Nothing is known: both ends are as likely.
  package static let unknown = Self(
    groups: 0,
    places: [
      Place(slope: 0, spread: 0, weight: 0.5), Place(slope: 1, spread: 0, weight: 0.5),
    ])

  /// Without any place, nothing is known.
  package init(groups: Int, places: [Place]) {
    let whole = places.reduce(0) { $0 + $1.weight }
    guard whole > 0 else {
      self = .unknown
      return
    }
    self.groups = groups
    self.places =
      places.ordered { ($0.slope, $0.spread) < ($1.slope, $1.spread) }
      .map { Place(slope: $0.slope, spread: $0.spread, weight: $0.weight / whole) }
  }

  /// The mean slope: 0 for users of a value that are alike, 1 for such as differ as campaigns do.
  package var slope: Double { places.reduce(0) { $0 + $1.weight * $1.slope } }
  package var spread: Double { places.reduce(0) { $0 + $1.weight * $1.spread } }

  /// The place that a share of all are below.
  ///
  /// - Parameter share: A number from 0 up to 1.
  func place(at share: Double) -> Place {
    var below = 0.0
    for place in places {
      below += place.weight
      if share < below { return place }
    }
    return places[places.count - 1]
  }

  /// The place of a draw: those of any few draws after each other are as even as can be (van der Corput's sequence).
  func place(ofDraw number: Int) -> Place {
    var (rest, step, share) = (number, 0.5, 0.0)
    while rest > 0 {
      if rest & 1 == 1 { share += step }
      rest >>= 1
      step /= 2
    }
    return place(at: share)
  }
}

/// Learns the law from groups of own users.
///
/// Under the law of ``QualityTilt`` a group's users have odds of exp(θ b + η w), b the mean rank of the user's value and w the user's own rank
/// less that. A group's θ and η are estimated by maximum likelihood, with an error that is taken for normal; slope and spread
/// are weighed by how likely they make the groups' estimates, with θ normal as for campaigns.
/// Source: Efron and Morris, "Data analysis using Stein's estimator", 1975, for estimates of groups as data of a law over groups.
extension WithinValueLaw {
  static let slopes = [0, 0.25, 0.5, 0.75, 1]
  static let spreads = [0, 0.1, 0.2, 0.35, 0.5]
  /// Groups of fewer users show nothing.
  package static let fewestUsers = 50
  /// The largest groups show enough.
  package static let mostGroups = 200

  /// What is taken for likely before any group is seen: either end rather than what lies between, and no spread of its own.
  private static func prior(_ slope: Double, _ spread: Double) -> Double {
    (slope == 0 || slope == 1 ? 0.375 : 0.25 / 3) * (spread == 0 ? 0.5 : 0.125)
  }

  /// Learns from own users that have a group; `nil` where fewer than two groups are large enough, or all users paid the same.
  package init?(_ users: [UserPool.User], codes: Int = 64) {
    guard let ranked = RankedUsers(users.filter { 0..<codes ~= $0.code }, codes: codes) else { return nil }
    let sums = ranked.groups(of: Self.fewestUsers).prefix(Self.mostGroups)
    guard sums.count > 1 else { return nil }
    let evidence = sums.map { ranked.evidence(of: $0) }
    var logarithms: [Double] = []
    for slope in Self.slopes {
      for spread in Self.spreads {
        logarithms.append(
          naturalLogarithm(Self.prior(slope, spread))
            + evidence.reduce(0) { $0 + $1.logarithm(slope: slope, spread: spread) })
      }
    }
    let most = logarithms.max() ?? 0
    let weights = logarithms.map { exponential($0 - most) }
    let whole = weights.reduce(0, +)
    self.init(
      groups: sums.count,
      places: weights.enumerated().filter { $1 > 1e-4 * whole }.map { index, weight in
        Place(
          slope: Self.slopes[index / Self.spreads.count], spread: Self.spreads[index % Self.spreads.count],
          weight: weight)
      })
  }
}

/// Own users by the rank of what they paid, divided into what their value has and what is their own.
private struct RankedUsers {
  /// Ranks are rounded to such parts of 1, so that a million amounts are a few hundred cells.
  private static let steps = 256.0

  private struct CellKey: Hashable {
    let code: Int
    let rank: Double
  }

  /// Users of the same value and rank.
  private struct Cell {
    let value: Double
    let own: Double
    var users: Double
  }

  /// A group's sums over its users.
  struct GroupSums {
    let group: Int
    var users = 0.0
    var value = 0.0
    var own = 0.0
  }

  private var cells: [Cell] = []
  private let users: [UserPool.User]
  private let byValue: [Double]
  private let ranks: [Double]

  init?(_ users: [UserPool.User], codes: Int) {
    self.users = users
    ranks = rankScores(users.map(\.amount), weights: users.map { _ in 1 }).map {
      ($0 * Self.steps).rounded() / Self.steps
    }
    var (sums, counts) = ([Double](repeating: 0, count: codes), [Double](repeating: 0, count: codes))
    for (user, rank) in zip(users, ranks) {
      sums[user.code] += rank
      counts[user.code] += 1
    }
    byValue = zip(sums, counts).map { $1 > 0 ? $0 / $1 : 0 }
    var places: [CellKey: Int] = [:]
    for (user, rank) in zip(users, ranks) {
      let key = CellKey(code: user.code, rank: rank)
      if let place = places[key] {
        cells[place].users += 1
      } else {
        places[key] = cells.count
        cells.append(Cell(value: byValue[user.code], own: rank - byValue[user.code], users: 1))
      }
    }
    // Without a difference within values nothing can be learned of it.
    guard cells.contains(where: { abs($0.own) > 1e-9 }) else { return nil }
  }

  /// The groups of so many users and more, largest first.
  func groups(of fewest: Int) -> [GroupSums] {
    var groups: [Int: GroupSums] = [:]
    for (user, rank) in zip(users, ranks) {
      guard let group = user.group else { continue }
      let value = byValue[user.code]
      groups[group, default: GroupSums(group: group)].users += 1
      groups[group, default: GroupSums(group: group)].value += value
      groups[group, default: GroupSums(group: group)].own += rank - value
    }
    return groups.values.filter { $0.users >= Double(fewest) }
      .ordered { ($1.users, $0.group) < ($0.users, $1.group) }
  }

  /// What a group shows of its qualities: the maximum of its likelihood, by Newton's steps, kept near 0 by a normal law of variance 1 that is
  /// taken out again.
  func evidence(of group: GroupSums) -> QualityEvidence {
    var (theta, eta) = (0.0, 0.0)
    var moments = moments(theta, eta)
    for _ in 0..<20 {
      let (gradientTheta, gradientEta) = (
        group.value - group.users * moments.value - theta, group.own - group.users * moments.own - eta
      )
      let step = moments.information(of: group.users, more: 1).solved(gradientTheta, gradientEta)
      // Ranks are bounded, and so are qualities.
      theta = min(3, max(-3, theta + step.0))
      eta = min(3, max(-3, eta + step.1))
      moments = self.moments(theta, eta)
      if abs(step.0) + abs(step.1) < 1e-9 { break }
    }
    let information = moments.information(of: group.users, more: 0)
    let whole = moments.information(of: group.users, more: 1)
    return QualityEvidence(
      information: information,
      pull: (whole.a * theta + whole.b * eta, whole.b * theta + whole.c * eta))
  }

  /// The mean ranks and their covariance under qualities.
  private func moments(_ theta: Double, _ eta: Double) -> RankMoments {
    var moments = RankMoments()
    for cell in cells {
      moments.add(cell.value, cell.own, weight: cell.users * exponential(theta * cell.value + eta * cell.own))
    }
    return moments
  }
}

private struct RankMoments {
  private var weight = 0.0
  private var sums = (value: 0.0, own: 0.0)
  private var squares = Symmetric(a: 0, b: 0, c: 0)

  mutating func add(_ value: Double, _ own: Double, weight: Double) {
    self.weight += weight
    sums.value += weight * value
    sums.own += weight * own
    squares.a += weight * value * value
    squares.b += weight * value * own
    squares.c += weight * own * own
  }

  var value: Double { sums.value / weight }
  var own: Double { sums.own / weight }

  /// What so many users show of the two qualities, and what a prior does.
  func information(of users: Double, more: Double) -> Symmetric {
    Symmetric(
      a: users * (squares.a / weight - value * value) + more, b: users * (squares.b / weight - value * own),
      c: users * (squares.c / weight - own * own) + more)
  }
}

/// A symmetric matrix of two rows, (a b; b c).
private struct Symmetric {
  var a, b, c: Double

  func solved(_ x: Double, _ y: Double) -> (Double, Double) {
    let determinant = a * c - b * b
    return ((c * x - b * y) / determinant, (a * y - b * x) / determinant)
  }
}

/// The likelihood of a group's two qualities, taken for normal.
private struct QualityEvidence {
  /// The inverse of its covariance.
  let information: Symmetric
  /// The information times its mean.
  let pull: (Double, Double)

  /// The logarithm of how likely a law makes the group, but for what no law changes.
  ///
  /// With P the law's covariance of the qualities, I the information and b the pull: −½ ln |1 + P I| + ½ bᵀ (1 + P I)⁻¹ P b.
  func logarithm(slope: Double, spread: Double) -> Double {
    let variance = QualityTilt.deviation * QualityTilt.deviation
    let law = Symmetric(
      a: variance, b: slope * variance, c: slope * slope * variance + spread * spread)
    let (a, b) = (
      1 + law.a * information.a + law.b * information.b, law.a * information.b + law.b * information.c
    )
    let (c, d) = (
      law.b * information.a + law.c * information.b, 1 + law.b * information.b + law.c * information.c
    )
    let determinant = a * d - b * c
    let (x, y) = (law.a * pull.0 + law.b * pull.1, law.b * pull.0 + law.c * pull.1)
    let solved = ((d * x - b * y) / determinant, (a * y - c * x) / determinant)
    return (pull.0 * solved.0 + pull.1 * solved.1 - naturalLogarithm(determinant)) / 2
  }
}
