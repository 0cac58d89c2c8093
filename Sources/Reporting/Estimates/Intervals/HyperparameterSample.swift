internal import Numerics
internal import System
internal import Values

/// One guess at everything that all campaigns share: the app's mix, the concentrations and what codes are worth.
struct HyperparameterSample: Sendable {
  /// Each child's share of its node over the app.
  let shares: [Double]
  /// The concentrations, by group.
  let concentrations: [Double]
  /// The codes' means.
  let means: [Double]

  /// Draws the mix by the Bayesian bootstrap over campaigns, the concentrations from their likelihood, and the means.
  ///
  /// A mean is normal with variance s²/c over c users within the code's ends, and anywhere between them below 5 users.
  /// Source: Rubin, "The Bayesian bootstrap", 1981.
  init(
    _ fitted: FittedTree, _ tree: FlatTree, counts: [RevealedCounts], set: CampaignSet,
    random: inout SplitMix64
  ) {
    let weights = counts.map { _ in random.exponential() }
    let codes = set.worth.buckets.count
    let mix = CampaignSet.mix(of: counts, weights: weights, firstParty: set.firstParty, codes: codes)
    shares = tree.shares(
      of: mix.map { FittedTree.sums(of: $0, order: fitted.tree.order) } ?? fitted.mixSums)
    var concentrations: [Double] = []
    for concentration in fitted.concentrations { concentrations.append(concentration.draw(&random)) }
    self.concentrations = concentrations
    var means: [Double] = []
    for bucket in set.worth.buckets {
      let draw =
        bucket.users < 5
        ? bucket.low + (bucket.high - bucket.low) * random.fraction()
        : bucket.mean + bucket.spread / Double(bucket.users).squareRoot() * random.normal()
      means.append(min(bucket.high, max(bucket.low, draw)))
    }
    self.means = means
  }
}
