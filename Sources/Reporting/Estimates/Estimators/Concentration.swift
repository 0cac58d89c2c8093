internal import Numerics
internal import System
internal import Values

/// How alike campaigns are at some nodes of a tree: the Dirichlet law's concentration A, by maximum likelihood.
///
/// ln L(A) = Σ lnΓ(A) − lnΓ(A + n) + Σ lnΓ(A q + x) − lnΓ(A q), over nodes of the group and campaigns, with x of n users
/// at a child whose share over the app is q. It is searched on ln A from −1 to 13.
/// Source: Minka, "Estimating a Dirichlet distribution", 2000, section 3.
package struct Concentration: Equatable, Sendable {
  let logarithm: Double
  /// Its standard error, from the likelihood's numeric second derivative; nil where that is not defined.
  private let error: Double?
  /// The likelihood relative to its highest on a grid of ln A, summed up, for where the error is not defined.
  private let cumulative: [Double]

  static let range = -1.0...13.0
  private static let gridSteps = 56

  /// A prior that weighs nothing, which leaves each campaign its own mix.
  package static let none = Self(logarithm: -.infinity, error: 0, cumulative: [])

  var value: Double { exponential(logarithm) }

  private init(logarithm: Double, error: Double?, cumulative: [Double]) {
    self.logarithm = logarithm
    self.error = error
    self.cumulative = cumulative
  }

  init(fitting terms: LikelihoodTerms) throws(EstimationError) {
    let best: Minimum
    do { best = try Minimum.find(on: Self.range) { -terms.value(at: exponential($0)) } } catch {
      throw .numeric(error)
    }
    logarithm = best.place
    let step = 0.05
    let curve =
      (terms.value(at: exponential(best.place + step)) + terms.value(at: exponential(best.place - step))
        + 2 * best.value) / (step * step)
    let error = curve < 0 ? (-1 / curve).squareRoot() : .infinity
    // A wide or one-sided likelihood is no bell; then the grid's shape is drawn from, under a flat prior on ln A.
    self.error = best.isAtEnd || error > 0.7 ? nil : error
    var cumulative: [Double] = []
    if self.error == nil {
      for step in 0...Self.gridSteps {
        let weight = exponential(terms.value(at: exponential(Self.place(Double(step)))) + best.value)
        cumulative.append((cumulative.last ?? 0) + weight)
      }
    }
    self.cumulative = cumulative
  }

  func draw(_ random: inout SplitMix64) -> Double {
    if let error {
      guard error > 0 else { return value }
      return exponential(
        min(Self.range.upperBound, max(Self.range.lowerBound, logarithm + error * random.normal())))
    }
    let target = random.fraction() * (cumulative.last ?? 1)
    let step = cumulative.firstIndex { $0 > target } ?? Self.gridSteps
    let place = Self.place(Double(step) + random.fraction() - 0.5)
    return exponential(min(Self.range.upperBound, max(Self.range.lowerBound, place)))
  }

  private static func place(_ step: Double) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * step / Double(gridSteps)
  }
}

/// The likelihood of a group's counts, with equal counts taken together.
struct LikelihoodTerms {
  /// How often a node had this many users.
  private var totals: [Double: Double] = [:]
  /// How often a child of this share had this many users.
  private var children: [Key: Double] = [:]
  /// Both in a fixed order, so that the sum is the same in every run.
  private var ordered: (totals: [(Double, Double)], children: [(Key, Double)]) = ([], [])

  private struct Key: Hashable {
    let share: Double
    let count: Double
  }

  init() {}

  /// Takes one campaign's counts at one node.
  mutating func add(total: Double) { totals[total, default: 0] += 1 }

  /// Takes one campaign's count at one child.
  mutating func add(count: Double, share: Double) {
    guard count > 0, share > 0 else { return }
    children[Key(share: share, count: count), default: 0] += 1
  }

  /// Fixes the order; to be called once, after the last count.
  mutating func close() {
    ordered.totals = totals.sorted { $0.key < $1.key }
    ordered.children = children.sorted { ($0.key.share, $0.key.count) < ($1.key.share, $1.key.count) }
  }

  func value(at concentration: Double) -> Double {
    let whole = logGamma(concentration)
    var sum = 0.0
    for (total, times) in ordered.totals { sum += times * (whole - logGamma(concentration + total)) }
    var share = -1.0
    var base = 0.0
    for (key, times) in ordered.children {
      if key.share != share {
        share = key.share
        base = logGamma(concentration * share)
      }
      sum += times * (logGamma(concentration * share + key.count) - base)
    }
    return sum
  }
}
