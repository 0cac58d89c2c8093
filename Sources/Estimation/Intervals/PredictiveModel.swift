internal import Numerics
internal import Platform

/// Draws of what campaigns are worth, from everything that the postbacks leave open.
///
/// A draw guesses what all campaigns share (``HyperDraw``), then for each campaign its mix from the posterior, its nulls
/// from the mix, and what its users are worth around their code's mean. Draws depend on the seed, the number of the draw
/// and the campaign's name alone; neither the order of campaigns nor of calls matters.
/// Source: Gelman and others, "Bayesian data analysis", 3rd edition, chapters 5 and 7.
public struct PredictiveModel: Sendable {
  /// How many draws there are of each cell.
  public let count: Int
  private let seed: UInt64
  private let set: CampaignSet
  private let fitted: FittedTree
  private let completion: ThresholdCompletion?
  private let completed: [String: Int]
  private let hyper: [HyperDraw]
  private let tail: TopTail?
  private let topCode: Int?

  /// Fits an estimator; nil for one that says nothing about its error, and where there is no evidence.
  ///
  /// - Parameters:
  ///   - estimator: Any but ``Estimator/zero``, ``Estimator/appMean`` and ``Estimator/buehlmann``.
  ///   - set: The campaigns.
  ///   - count: How many draws to make of each cell.
  ///   - seed: What the draws follow from.
  /// - Throws: ``EstimationError`` where a fit fails.
  public init?(_ estimator: Estimator, of set: CampaignSet, count: Int = 300, seed: UInt64)
    throws(EstimationError)
  {
    guard let mix = set.mix else { return nil }
    var counts = set.campaigns
    if case .threshold(let smallest) = estimator {
      let completion = try ThresholdCompletion(set, smallest: smallest)
      self.completion = completion
      fitted = completion.fitted
      counts = zip(set.campaigns, completion.campaigns).map {
        CampaignCounts(name: $0.name, revealed: $1.completed, nulls: 0)
      }
      completed = Dictionary(
        zip(set.campaigns.map(\.name), set.campaigns.indices), uniquingKeysWith: { first, _ in first })
    } else {
      guard let fitted = try estimator.fittedTree(for: set, mix: mix) else { return nil }
      self.fitted = fitted
      completion = nil
      completed = [:]
    }
    self.set = set
    self.count = count
    self.seed = seed
    tail = TopTail(set.worth.topAmounts)
    topCode = tail == nil ? nil : set.worth.order.last
    var hyper: [HyperDraw] = []
    for draw in 0..<count {
      var random = SplitMix64(seed: Self.seed(seed, UInt64(draw)))
      hyper.append(HyperDraw(fitted, counts: counts, set: set, random: &random))
    }
    self.hyper = hyper
  }

  /// Draws the worth of a campaign's cells.
  ///
  /// - Parameter campaign: A campaign of the set, or another one that counts the same codes. Under the threshold rule
  ///   it is one of the set, of any cells, which share the campaign's hidden values out by their nulls.
  /// - Returns: The draws of each cell; all 0 for a campaign of other codes.
  public func draws(of campaign: CampaignCounts) -> CellDraws {
    let cells = campaign.cells
    var draws = CellDraws(cells: cells.count, count: count)
    guard cells.allSatisfy({ $0.revealed.count == set.worth.buckets.count }) else { return draws }
    let sparse = cells.map { cell in cell.revealed.indices.filter { cell.revealed[$0] > 0 } }
    let index = completed[campaign.name]
    let known = index.flatMap { completion?.campaigns[$0].completed } ?? campaign.revealed
    let sums = FittedTree.sums(of: known, order: fitted.tree.order)
    let name = Self.hash(campaign.name)
    var hidden = [[Int]](
      repeating: [Int](repeating: 0, count: cells.count), count: set.worth.buckets.count)
    for draw in 0..<count {
      var random = SplitMix64(seed: Self.seed(seed ^ name, UInt64(draw)))
      for code in hidden.indices {
        for cell in cells.indices { hidden[code][cell] = 0 }
      }
      if campaign.nulls > 0 {
        if let completion {
          drawHidden(campaign, completion, sums, hyper[draw], &hidden, &random)
        } else {
          drawHidden(cells, sums, hyper[draw], &hidden, &random)
        }
      }
      for (cell, counts) in cells.enumerated() {
        let value = worth(counts, sparse[cell], hyper[draw], &random) { hidden[$0][cell] }
        draws.set(value, cell: cell, draw: draw)
      }
    }
    return draws
  }

  /// Shares the nulls of all cells out over the codes, with one posterior mix for all cells.
  private func drawHidden(
    _ cells: [CellCounts], _ sums: [Double], _ hyper: HyperDraw, _ hidden: inout [[Int]],
    _ random: inout SplitMix64
  ) {
    let nodes = fitted.tree.nodes
    guard !nodes.isEmpty else {
      for (cell, counts) in cells.enumerated() { hidden[0][cell] = whole(counts.nulls, &random) }
      return
    }
    var waiting = [[Int]](repeating: [], count: nodes.count)
    waiting[0] = cells.map { whole($0.nulls, &random) }
    for (index, node) in nodes.enumerated() where !waiting[index].isEmpty {
      var rest = waiting[index]
      let weights = node.weights(
        concentration: hyper.concentrations[node.group], mix: hyper.mixSums, counts: sums)
      var left = weights.reduce(0, +)
      for (place, child) in node.children.enumerated() {
        guard rest.contains(where: { $0 > 0 }) else { break }
        left = max(0, left - weights[place])
        // A Dirichlet law is a row of beta laws, each for the next child against all after it.
        let isLast = place == node.children.count - 1
        let share =
          isLast
          ? 1
          : weights[place] + left > 0
            ? random.beta(weights[place], left)
            : 1 / Double(node.children.count - place)
        var taken = rest
        for cell in rest.indices {
          taken[cell] = random.binomial(rest[cell], share)
          rest[cell] -= taken[cell]
        }
        guard taken.contains(where: { $0 > 0 }) else { continue }
        if let next = child.node {
          waiting[next] = taken
        } else {
          hidden[fitted.tree.order[child.codes.lowerBound]] = taken
        }
      }
    }
  }

  /// Draws how many users each unrevealed code hides, and shares them out over the cells by their nulls.
  private func drawHidden(
    _ campaign: CampaignCounts, _ completion: ThresholdCompletion, _ sums: [Double], _ hyper: HyperDraw,
    _ hidden: inout [[Int]], _ random: inout SplitMix64
  ) {
    let mix = posteriorMix(sums, hyper, &random)
    let rates = ThresholdCompletion.rates(campaign, mix: mix, smallest: completion.smallest)
    for (code, rate) in rates.enumerated() where rate > 0 {
      let odds = ThresholdCompletion.truncatedOdds(rate, below: completion.smallest)
      var target = random.fraction() * odds.reduce(0, +)
      var users = 0
      while users < odds.count - 1, target >= odds[users] {
        target -= odds[users]
        users += 1
      }
      var left = campaign.nulls
      for (cell, counts) in campaign.cells.enumerated() where left > 0 {
        let taken = random.binomial(users, counts.nulls / left)
        hidden[code][cell] += taken
        users -= taken
        left -= counts.nulls
      }
    }
  }

  private func posteriorMix(_ sums: [Double], _ hyper: HyperDraw, _ random: inout SplitMix64) -> [Double] {
    let nodes = fitted.tree.nodes
    var mass = [Double](repeating: 0, count: nodes.count)
    var mix = [Double](repeating: 0, count: set.worth.buckets.count)
    guard !nodes.isEmpty else { return [1] }
    mass[0] = 1
    for (index, node) in nodes.enumerated() where mass[index] > 0 {
      let weights = node.weights(
        concentration: hyper.concentrations[node.group], mix: hyper.mixSums, counts: sums)
      var rest = mass[index]
      for (place, child) in node.children.enumerated() {
        let after = weights[(place + 1)...].reduce(0, +)
        let share =
          place == node.children.count - 1
          ? 1 : weights[place] + after > 0 ? random.beta(weights[place], after) : 0
        if let next = child.node {
          mass[next] = rest * share
        } else {
          mix[fitted.tree.order[child.codes.lowerBound]] = rest * share
        }
        rest *= 1 - share
      }
    }
    return mix
  }

  /// Draws what the users of one cell are worth together.
  private func worth(
    _ counts: CellCounts, _ sparse: [Int], _ hyper: HyperDraw, _ random: inout SplitMix64,
    hidden: (Int) -> Int
  ) -> Double {
    var (sum, variance, least, top) = (0.0, 0.0, 0.0, 0.0)
    func add(_ users: Double, _ code: Int) {
      guard code != topCode else {
        top += users
        return
      }
      let bucket = set.worth.buckets[code]
      sum += users * hyper.means[code]
      variance += users * bucket.spread * bucket.spread
      least += users * bucket.low
    }
    for code in sparse { add(counts.revealed[code], code) }
    if counts.nulls > 0 {
      for code in set.worth.buckets.indices {
        let users = hidden(code)
        if users > 0 { add(Double(users), code) }
      }
    }
    if variance > 0 { sum = max(least, sum + variance.squareRoot() * random.normal()) }
    if let tail, top > 0 { sum += tail.sum(of: whole(top, &random), &random) }
    return sum
  }

  /// Rounds a count up or down at random, so that its mean is kept.
  private func whole(_ count: Double, _ random: inout SplitMix64) -> Int {
    let floor = count.rounded(.down)
    guard floor < count else { return Int(floor) }
    return Int(floor) + (random.happens(count - floor) ? 1 : 0)
  }

  private static func seed(_ seed: UInt64, _ number: UInt64) -> UInt64 {
    var random = SplitMix64(seed: seed ^ (number &+ 1) &* 0xD6E8_FEB8_6659_FD93)
    return random.next()
  }

  /// FNV-1a, since the standard library's hashes change from run to run.
  private static func hash(_ name: String) -> UInt64 {
    name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
