internal import Numerics

/// What one test measures of a campaign or a network, and how exactly.
struct PatternEffect: Equatable, Sendable {
  var value: Double
  /// Of chance alone.
  var variance: Double
  /// The degrees of freedom that the variance is estimated with.
  var freedom: Double
  /// How many times what effects differ by is in it: more than once where it is a difference from others that differ, too.
  var spreadFactor = 1.0

  /// What the parts of a network come to together, each by its size; `nil` without parts.
  static func mean(_ parts: [(effect: Self, size: Double)]) -> Self? {
    let size = parts.reduce(0) { $0 + $1.size }
    guard size > 0 else { return nil }
    var mean = Self(value: 0, variance: 0, freedom: 0, spreadFactor: 0)
    var scatter = 0.0
    for (effect, own) in parts {
      let share = own / size
      mean.value += share * effect.value
      mean.spreadFactor += share * effect.spreadFactor
      let chance = share * share * effect.variance
      mean.variance += chance
      scatter += chance * chance / effect.freedom
    }
    // Satterthwaite's degrees of freedom of a sum of variances.
    mean.freedom = scatter > 0 ? mean.variance * mean.variance / scatter : 1
    return mean
  }
}

/// By how much effects differ beyond chance.
///
/// The moment estimator of DerSimonian and Kacker ("Random-effects model for meta-analysis of clinical trials: an
/// update", 2007) with weights that the prior fixes, drawn towards the prior as by Smyth ("Linear models and empirical
/// Bayes methods for assessing differential expression", 2004).
struct PatternSpread: Equatable, Sendable {
  let variance: Double
  let freedom: Double

  /// How many effects the prior is worth.
  static let priorFreedom = 4.0

  /// - Parameter groups: How many of them differ by themselves.
  init(_ effects: [PatternEffect], priorSpread: Double, groups: Int) {
    let prior = priorSpread * priorSpread
    var (sum, squares, mean, exactnesses) = (0.0, 0.0, 0.0, 0.0)
    for effect in effects {
      let weight = Self.weight(effect, prior)
      sum += weight
      squares += weight * weight
      mean += weight * effect.value
      // An effect shows little of the spread where chance is larger.
      let exactness = weight * prior * effect.spreadFactor
      exactnesses += exactness * exactness
    }
    guard effects.count > 1, sum - squares / sum > 1e-9 * sum else {
      (variance, freedom) = (prior, Self.priorFreedom)
      return
    }
    mean /= sum
    var (excess, left) = (0.0, 0.0)
    for effect in effects {
      let weight = Self.weight(effect, prior)
      let distance = effect.value - mean
      excess += weight * distance * distance - weight * (1 - weight / sum) * effect.variance
      left += weight * (1 - weight / sum) * effect.spreadFactor
    }
    let number = min(sum * sum / squares, Double(groups))
    let shown = max(0, number - 1) * exactnesses / Double(effects.count)
    freedom = Self.priorFreedom + shown
    variance = (Self.priorFreedom * prior + shown * max(0, excess / left)) / freedom
  }

  private static func weight(_ effect: PatternEffect, _ variance: Double) -> Double {
    1 / (effect.variance + effect.spreadFactor * variance)
  }

  /// The weight of an effect in a mean.
  func weight(_ effect: PatternEffect) -> Double { Self.weight(effect, variance) }
}

/// What an effect is where nothing unusual is behind it, as the other networks of the app show it.
struct PatternLaw: Equatable, Sendable {
  let mean: Double
  private let meanVariance: Double
  private let spread: PatternSpread

  /// - Parameter groups: How many of the effects differ by themselves, such as networks.
  init(_ others: [PatternEffect], groups: Int, test: PatternTest) {
    let spread = PatternSpread(others, priorSpread: test.priorSpread, groups: groups)
    self.spread = spread
    // One network more, of which nothing is unusual.
    var (sum, weighted) = (1 / spread.variance, test.priorMean / spread.variance)
    for effect in others {
      let weight = spread.weight(effect)
      sum += weight
      weighted += weight * effect.value
    }
    mean = weighted / sum
    meanVariance = max(1 / sum, spread.variance / Double(groups + 1))
  }

  /// How far an effect is from what is expected, by its standard error, and how likely so much is by chance: more, or
  /// for a test with two sides, more either way.
  func judge(_ effect: PatternEffect, _ test: PatternTest) -> (statistic: Double, probability: Double) {
    let between = effect.spreadFactor * spread.variance + meanVariance
    let variance = effect.variance + between
    guard variance > 0 else { return (0, 1) }
    let freedom =
      variance * variance
      / (between * between / spread.freedom + effect.variance * effect.variance / effect.freedom)
    let statistic = (effect.value - mean) / variance.squareRoot()
    let tail = studentTail(test.isTwoSided ? statistic.magnitude : statistic, freedom: max(1, freedom))
    return (statistic, test.isTwoSided ? min(1, 2 * tail) : tail)
  }
}
