internal import Numerics
internal import System
internal import Values

/// One guess at everything that all campaigns share: the app's mix, the concentrations and what codes are worth.
struct HyperparameterSample: Sendable {
  /// Each child's share of its node over the app.
  let shares: [Double]
  let concentrations: [Double]
  let worths: [WorthDraw]

  /// Draws the mix by the Bayesian bootstrap over campaigns, the concentrations from their likelihood, and the worths.
  ///
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
    worths = WorthDraw.all(of: set.worth, seed: random.next())
  }
}
