internal import Numerics

/// What one test measures of a campaign or a network, and how exactly.
struct PatternEffect: Hashable, Sendable {
  var value: Double
  /// Of chance alone.
  var variance: Double
  /// The degrees of freedom that the variance is estimated with.
  var freedom: Double

  /// The mean of campaigns of one network, which differ by more than chance.
  ///
  /// - Parameter priorSpread: By how much they are taken to differ before they are looked at.
  static func mean(_ effects: [Self], priorSpread: Double) -> Self? {
    guard let first = effects.first else { return nil }
    guard effects.count > 1 else { return first }
    let spread = PatternSpread(effects, priorSpread: priorSpread)
    let weights = effects.map { 1 / ($0.variance + spread.variance) }
    let sum = weights.reduce(0, +)
    var (value, variance, scatter) = (0.0, 0.0, 0.0)
    for (effect, weight) in zip(effects, weights) {
      let part = weight / sum
      value += part * effect.value
      variance += part * part * spread.variance
      let chance = part * part * effect.variance
      scatter += chance * chance / effect.freedom
    }
    scatter += variance * variance / spread.freedom
    return Self(value: value, variance: 1 / sum, freedom: 1 / (sum * sum * scatter))
  }
}

/// By how much effects differ beyond chance.
///
/// The moment estimator of DerSimonian and Kacker ("Random-effects model for meta-analysis of clinical trials: an
/// update", 2007) with weights that the prior fixes, drawn towards the prior as by Smyth ("Linear models and empirical
/// Bayes methods for assessing differential expression", 2004).
struct PatternSpread: Hashable, Sendable {
  let variance: Double
  let freedom: Double

  /// How many effects the prior is worth.
  static let priorFreedom = 4.0

  /// - Parameter groups: How many of them differ by themselves, such as networks; `nil` for all.
  init(_ effects: [PatternEffect], priorSpread: Double, groups: Int? = nil) {
    let prior = priorSpread * priorSpread
    var (sum, squares, mean, exactness) = (0.0, 0.0, 0.0, 0.0)
    for effect in effects {
      let weight = 1 / (effect.variance + prior)
      sum += weight
      squares += weight * weight
      mean += weight * effect.value
      // An effect shows little of the spread where chance is larger.
      exactness += weight * prior * weight * prior
    }
    let left = sum > 0 ? sum - squares / sum : 0
    guard effects.count > 1, left > 1e-9 * sum else {
      (variance, freedom) = (prior, Self.priorFreedom)
      return
    }
    mean /= sum
    var excess = 0.0
    for effect in effects {
      let weight = 1 / (effect.variance + prior)
      let distance = effect.value - mean
      excess += weight * distance * distance - weight * (1 - weight / sum) * effect.variance
    }
    let number = min(sum * sum / squares, Double(groups ?? effects.count))
    let shown = max(0, number - 1) * exactness / Double(effects.count)
    freedom = Self.priorFreedom + shown
    variance = (Self.priorFreedom * prior + shown * max(0, excess / left)) / freedom
  }
}

/// What an effect is where nothing unusual is behind it, as the other networks of the app show it.
struct PatternLaw: Hashable, Sendable {
  let mean: Double
  private let meanVariance: Double
  private let spread: PatternSpread

  /// - Parameter networks: How many networks the effects are of.
  init(_ others: [PatternEffect], networks: Int, test: PatternTest) {
    let spread = PatternSpread(others, priorSpread: test.priorSpread, groups: networks)
    self.spread = spread
    // One network more, of which nothing is unusual.
    var (sum, weighted) = (1 / spread.variance, 0.0)
    for effect in others {
      let weight = 1 / (effect.variance + spread.variance)
      sum += weight
      weighted += weight * effect.value
    }
    mean = weighted / sum
    meanVariance = max(1 / sum, spread.variance / Double(networks + 1))
  }

  /// How far an effect is from what is expected, by its standard error, and how likely so much is by chance: more, or
  /// for a test with two sides, more either way.
  func judge(_ effect: PatternEffect, _ test: PatternTest) -> (statistic: Double, probability: Double) {
    let between = spread.variance + meanVariance
    let variance = effect.variance + between
    guard variance > 0 else { return (0, 1) }
    // Satterthwaite's degrees of freedom of a sum of variances.
    let freedom =
      variance * variance
      / (between * between / spread.freedom + effect.variance * effect.variance / effect.freedom)
    let statistic = (effect.value - mean) / variance.squareRoot()
    let tail = studentTail(test.isTwoSided ? statistic.magnitude : statistic, freedom: max(1, freedom))
    return (statistic, test.isTwoSided ? min(1, 2 * tail) : tail)
  }
}
