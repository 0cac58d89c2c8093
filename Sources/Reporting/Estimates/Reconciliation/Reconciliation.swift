/// Binds estimates of parts to a total that is known.
///
/// Each draw of each part moves by its share of what the draw's sum lacks: R + k (T − ΣR), with k = Cov(R, ΣR) / (Var ΣR +
/// Var T). It is the best linear estimate where T is exact or has an error of its own; the parts then add up to T less the
/// part of the difference that is T's own error, and no variance grows.
/// Source: Wickramasuriya, Athanasopoulos and Hyndman, "Optimal forecast reconciliation for hierarchical and grouped time
/// series through trace minimization", 2019, for one total.
package struct Reconciliation: Sendable {
  /// What a part comes to in each draw: what follows from worths that all parts share, and its own chance.
  package struct Part: Sendable {
    /// The draws, spread as widely as the interval.
    package let draws: [Double]
    let common: [Double]

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

  /// The share of each part in what the total differs by; they sum to ``bound``.
  package let shares: [Double]
  /// The share of the difference that the parts take: 1 where the total is exact.
  package let bound: Double
  private let parts: [Part]
  private let sums: [Double]
  private let total: Double

  /// - Parameters:
  ///   - total: What the parts add up to.
  ///   - variance: The variance of its own error; 0 where it is exact.
  package init(_ parts: [Part], total: Double, variance: Double) {
    let count = parts.first?.draws.count ?? 0
    self.parts = parts
    self.total = total
    var sums = [Double](repeating: 0, count: count)
    var common = sums
    for part in parts {
      for draw in 0..<count {
        sums[draw] += part.draws[draw]
        common[draw] += part.common[draw]
      }
    }
    self.sums = sums
    // What parts have in common is the same worths; the rest of each is independent of all others, so that the chance of
    // few draws is not taken for a covariance.
    let covariances = parts.map { part in
      max(0, Self.covariance(part.common, common) + Self.covariance(Self.rest(of: part), Self.rest(of: part)))
    }
    let all = covariances.reduce(0, +)
    bound = all + variance > 0 ? all / (all + variance) : 0
    shares = covariances.map { all + variance > 0 ? $0 / (all + variance) : 0 }
  }

  /// By how much a part's estimate moves.
  ///
  /// - Parameter estimate: The sum of all parts' estimates.
  package func shift(of part: Int, estimate: Double) -> Double { shares[part] * (total - estimate) }

  /// A part's draws once they are bound.
  package func draws(of part: Int) -> [Double] {
    zip(parts[part].draws, sums).map { $0 + shares[part] * (total - $1) }
  }

  /// How many times narrower a part's interval is once it is bound, from 0 through 1.
  package func narrowing(of part: Int) -> Double {
    let before = parts[part].draws.variance
    return before > 0 ? min(1, (draws(of: part).variance / before).squareRoot()) : 1
  }

  private static func rest(of part: Part) -> [Double] { zip(part.draws, part.common).map { $0 - $1 } }

  private static func covariance(_ a: [Double], _ b: [Double]) -> Double {
    guard !a.isEmpty else { return 0 }
    let (meanA, meanB) = (a.reduce(0, +) / Double(a.count), b.reduce(0, +) / Double(b.count))
    return zip(a, b).reduce(0) { $0 + ($1.0 - meanA) * ($1.1 - meanB) } / Double(a.count)
  }
}
