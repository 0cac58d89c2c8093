/// Binds estimates of parts to a total that is known.
///
/// Each draw of each part moves by its share of what the draw's sum lacks: R + k (T − ΣR), with k = Cov(R, ΣR + e) / Var(ΣR + e)
/// and e the error of T. It is the best linear estimate; the parts then add up to T less the part of the difference that is
/// T's own error, and no variance grows.
/// Source: Wickramasuriya, Athanasopoulos and Hyndman, "Optimal forecast reconciliation for hierarchical and grouped time
/// series through trace minimization", 2019, for one total.
package struct Reconciliation: Sendable {
  /// What a part comes to in each draw: what follows from worths that all parts share, and its own chance.
  package struct Part: Sendable {
    /// The draws, spread as widely as the interval.
    package let draws: [Double]
    package let common: [Double]

    /// - Parameters:
    ///   - draws: The part's draws.
    ///   - common: What the part's users are worth on average in each draw, as many.
    ///   - interval: The part's 90 % interval where it is wider than that of the draws, so that the draws spread as much.
    package init(draws: [Double], common: [Double], interval: Interval? = nil) {
      let common = common.count == draws.count ? common : draws.map { _ in 0 }
      let own = Interval(of: draws)?.width ?? 0
      let widening = own > 0 ? max(1, (interval?.width ?? own) / own) : 1
      self.draws = Self.spread(draws, by: widening)
      self.common = Self.spread(common, by: widening)
    }

    private static func spread(_ draws: [Double], by factor: Double) -> [Double] {
      let mean = draws.reduce(0, +) / Double(max(1, draws.count))
      return draws.map { mean + factor * ($0 - mean) }
    }
  }

  /// How a total can be wrong.
  package struct TotalError: Sendable {
    /// The variance of what has nothing to do with the parts.
    let variance: Double
    /// The share that the total does not show of what parts are worth by chance, or of what own users were by chance.
    let hidden: Double
    /// The variance that each part's users have by chance.
    let chance: [Double]

    package init(variance: Double, hidden: Double = 0, chance: [Double] = []) {
      (self.variance, self.hidden, self.chance) = (variance, hidden, chance)
    }

    package static let none = TotalError(variance: 0)
  }

  /// The share of each part in what the total differs by; they sum to ``bound``.
  package let shares: [Double]
  /// The share of the difference that the parts take: 1 where the total is exact.
  package let bound: Double
  private let total: Double
  private let factors: [Double]

  /// - Parameters:
  ///   - total: What the parts add up to.
  ///   - error: How it can be wrong.
  package init(_ parts: [Part], total: Double, error: TotalError = .none) {
    self.total = total
    let count = parts.first?.draws.count ?? 0
    var common = [Double](repeating: 0, count: count)
    for part in parts { for draw in 0..<count { common[draw] += part.common[draw] } }
    // What parts have in common is the same worths; the rest of each is independent of all others, so that the chance of
    // few draws is not taken for a covariance. The total shows that of it which later payments follow.
    let shown = 1 - error.hidden
    var (variance, moving): (Double, [Double]) = (error.variance + shown * shown * common.variance, [])
    for (index, part) in parts.enumerated() {
      let own = Self.rest(of: part).variance
      let chance =
        index < error.chance.count ? min(1, error.chance[index] / max(own, .leastNormalMagnitude)) : 0
      let loading = 1 - error.hidden * chance
      variance += loading * loading * own
      moving.append(max(0, shown * Self.covariance(part.common, common) + loading * own))
    }
    let all = moving.reduce(0, +)
    // A total that shows a part of what parts differ by is not stretched to the whole of it.
    let divisor = max(variance, all)
    bound = divisor > 0 ? all / divisor : 0
    let shares = moving.map { divisor > 0 ? $0 / divisor : 0 }
    self.shares = shares
    factors = parts.indices.map { index in
      let (share, before) = (shares[index], parts[index].draws.variance)
      guard before > 0 else { return 1 }
      let after = before - 2 * share * moving[index] + share * share * variance
      return min(1, max(0, after / before).squareRoot())
    }
  }

  /// By how much a part's estimate moves.
  ///
  /// - Parameter estimate: The sum of all parts' estimates.
  package func shift(of part: Int, estimate: Double) -> Double { shares[part] * (total - estimate) }

  /// How many times narrower a part's interval is once it is bound, from 0 through 1.
  package func narrowing(of part: Int) -> Double { factors[part] }

  private static func rest(of part: Part) -> [Double] { zip(part.draws, part.common).map { $0 - $1 } }

  private static func covariance(_ a: [Double], _ b: [Double]) -> Double {
    guard !a.isEmpty else { return 0 }
    let (meanA, meanB) = (a.reduce(0, +) / Double(a.count), b.reduce(0, +) / Double(b.count))
    return zip(a, b).reduce(0) { $0 + ($1.0 - meanA) * ($1.1 - meanB) } / Double(a.count)
  }
}
