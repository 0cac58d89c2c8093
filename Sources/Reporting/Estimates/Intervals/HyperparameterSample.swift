internal import Numerics
internal import System
internal import Values

/// One guess at everything that all campaigns share: the app's mix, the concentrations and what codes are worth.
final class HyperparameterSample: Sendable {
  /// Each child's share of its node over the app.
  let shares: [Double]
  let concentrations: [Double]
  let worths: [WorthDraw]
  /// What a user who reaches a node of the tree is worth on average in a campaign that shows none there.
  let nodeWorths: [Double]
  /// How campaigns differ within a value; `nil` in a draw where they differ by their values alone.
  let tilt: QualityTilt?
  /// How far they do so.
  let within: WithinValueLaw.Place

  /// Draws everything; by as many draws as groups of own users make likely, campaigns differ within values too.
  ///
  /// Where nothing shows it these are every other draw. An interval of both kinds of draws holds as often as one of the right kind
  /// would: where the two are far apart, a tenth of the right ones lie beyond one end, and none beyond the other. The mix is
  /// drawn by the Bayesian bootstrap over campaigns, the concentrations from their likelihood.
  ///
  /// Source: Rubin, "The Bayesian bootstrap", 1981.
  init(
    _ fitted: FittedTree, _ tree: FlatTree, counts: [RevealedCounts], set: CampaignSet,
    number: Int, random: inout SplitMix64
  ) {
    within = (set.worth.tilt?.within ?? .unknown).place(ofDraw: number)
    tilt = within.isAlike ? nil : set.worth.tilt
    let weights = counts.map { _ in random.exponential() }
    let codes = set.worth.buckets.count
    let mix = CampaignSet.mix(of: counts, weights: weights, firstParty: set.firstParty, codes: codes)
    shares = tree.shares(
      of: mix.map { FittedTree.sums(of: $0, order: fitted.tree.order) } ?? fitted.mixSums)
    var concentrations: [Double] = []
    for concentration in fitted.concentrations { concentrations.append(concentration.draw(&random)) }
    self.concentrations = concentrations
    worths = WorthDraw.all(of: set.worth, seed: random.next())
    var nodeWorths = [Double](repeating: 0, count: tree.nodes.count)
    for index in tree.nodes.indices.reversed() {
      for place in tree.nodes[index].children {
        let child = tree.children[place]
        nodeWorths[index] +=
          shares[place] * (child.node >= 0 ? nodeWorths[child.node] : worths[child.code].mean)
      }
    }
    self.nodeWorths = nodeWorths
  }
}
