internal import Numerics
internal import Values

/// Draws of what campaigns are worth, from everything that the postbacks leave open.
///
/// A draw guesses what all campaigns share (``HyperparameterSample``), then for each campaign its mix from the posterior, its nulls
/// from the mix, and what its users are worth together. Draws depend on the seed, the number of the draw
/// and the campaign's name alone; neither the order of campaigns nor of calls matters.
/// Source: Gelman and others, "Bayesian data analysis", 3rd edition, chapters 5 and 7.
package struct PredictiveModel: Sendable {
  /// How many draws there are of each cell.
  package let count: Int
  let seed: UInt64
  let set: CampaignSet
  let fitted: FittedTree
  let tree: FlatTree
  let completion: ThresholdCompletion?
  private let completed: [String: Int]
  let hyper: [HyperparameterSample]

  /// Fits an estimator; nil where there is no evidence.
  ///
  /// - Parameters:
  ///   - count: How many draws to make of each cell.
  ///   - seed: What the draws follow from.
  /// - Throws: ``EstimationError`` where a fit fails.
  package init?(_ estimator: Estimator, of set: CampaignSet, count: Int = 300, seed: UInt64)
    throws(EstimationError)
  {
    self.init(of: set, from: try estimator.fit(to: set), count: count, seed: seed)
  }

  package init?(of set: CampaignSet, from fit: EstimatorFit, count: Int = 300, seed: UInt64) {
    guard let fitted = fit.tree else { return nil }
    self.fitted = fitted
    completion = fit.completion
    var counts = set.campaigns
    completed =
      fit.completion == nil
      ? [:]
      : Dictionary(
        zip(set.campaigns.map(\.name), set.campaigns.indices), uniquingKeysWith: { first, _ in first })
    if let completion = fit.completion {
      counts = zip(set.campaigns, completion.campaigns).map {
        RevealedCounts(name: $0.name, revealed: $1.completed, nulls: 0)
      }
    }
    counts = Self.pooled(counts)
    let tree = fitted.flat
    self.tree = tree
    self.set = set
    self.count = count
    self.seed = seed
    var hyper: [HyperparameterSample] = []
    for draw in 0..<count {
      var random = SplitMix64(seed: Self.seed(seed, UInt64(draw)))
      hyper.append(
        HyperparameterSample(fitted, tree, counts: counts, set: set, number: draw, random: &random))
    }
    self.hyper = hyper
  }

  /// Draws the worth of a campaign's cells.
  ///
  /// - Parameter campaign: A campaign of the set, or another one that counts the same codes. Under the threshold rule
  ///   it is one of the set, of any cells, which share the campaign's withheld values out by their nulls.
  /// - Returns: The draws of each cell; all 0 for a campaign of other codes.
  package func draws(of campaign: RevealedCounts) -> CellDraws {
    let cells = campaign.cells
    var draws = CellDraws(cells: cells.count, count: count)
    let codes = set.worth.buckets.count
    guard cells.allSatisfy({ $0.revealed.count == codes }) else { return draws }
    let index = completed[campaign.name]
    let known = index.flatMap { completion?.campaigns[$0].completed } ?? campaign.revealed.all
    let counts = tree.counts(of: known, order: fitted.tree.order)
    let name = Self.hash(campaign.name)
    let revealed = campaign.revealed.all
    var sums = CellSums(campaign, worth: set.worth, nodes: tree.nodes.count)
    for (draw, hyper) in hyper.enumerated() {
      var random = SplitMix64(seed: Self.seed(seed ^ name, UInt64(draw)))
      sums.begin(hyper)
      if let completion, campaign.nulls > 0 {
        let mix = tree.mix(hyper, counts, codes: codes, &random)
        addHidden(campaign, mix: mix, smallest: completion.smallest, hyper, to: &sums, &random)
      } else if campaign.nulls > 0 {
        sums.addHidden(campaign, tree, hyper, counts, &random)
      }
      sums.end(hyper, known: revealed, &random)
      for cell in cells.indices {
        draws.set(sums.sums[cell].draw(&random), cell: cell, draw: draw)
      }
    }
    return draws
  }

  /// Draws how many users each unrevealed code hides, and shares them out over the cells by their nulls.
  private func addHidden(
    _ campaign: RevealedCounts, mix: [Double], smallest: Int, _ hyper: HyperparameterSample,
    to sums: inout CellSums,
    _ random: inout SplitMix64
  ) {
    let rates = ThresholdCompletion.rates(campaign, mix: mix, smallest: smallest)
    for (code, rate) in rates.enumerated() where rate > 0 {
      let odds = ThresholdCompletion.truncatedOdds(rate, below: smallest)
      var target = random.fraction() * odds.reduce(0, +)
      var users = 0
      while users < odds.count - 1, target >= odds[users] {
        target -= odds[users]
        users += 1
      }
      var left = campaign.nulls
      for (cell, counts) in campaign.cells.enumerated() where users > 0 && left > 0 {
        let taken = random.binomial(users, counts.nulls / left)
        if taken > 0 { sums.add(taken, code: code, cell: cell, hyper) }
        users -= taken
        left -= counts.nulls
      }
    }
  }

  /// Very many campaigns in groups, for the Bayesian bootstrap.
  ///
  /// It weighs groups in place of campaigns; by which group a campaign is in, campaigns of a group scatter about the mix
  /// like any others, so the groups' sums vary as much as the campaigns' do together.
  private static func pooled(_ campaigns: [RevealedCounts]) -> [RevealedCounts] {
    let groups = ManyCampaigns.mostDrawnApart
    guard campaigns.count > groups else { return campaigns }
    return (0..<groups).map { group in
      var sums = campaigns[group].revealed.all
      for place in stride(from: group + groups, to: campaigns.count, by: groups) {
        campaigns[place].revealed.add(to: &sums)
      }
      return RevealedCounts(name: "", revealed: sums, nulls: 0)
    }
  }

  static func seed(_ seed: UInt64, _ number: UInt64) -> UInt64 {
    var random = SplitMix64(seed: seed ^ ((number &+ 1) &* 0xD6E8_FEB8_6659_FD93))
    return random.next()
  }

  /// FNV-1a, since the standard library's hashes change from run to run.
  static func hash(_ name: String) -> UInt64 {
    name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
