internal import Numerics
internal import Values

/// How many draws the estimates of very many campaigns take.
///
/// Up to ``mostDrawnApart`` campaigns, each cell of each has draws of its own. Above, what is asked for has draws of the
/// same law, fewer of them: days that no row tells apart are one cell, a sum draws some of its campaigns
/// (``PredictiveModel/draws(ofSumOver:)``), and intervals are calibrated on some simulated campaigns, because a few
/// hundred show how often intervals hold to within one or two per cent.
enum ManyCampaigns {
  static let mostDrawnApart = 500
  static let mostSimulated = 250
  static let mostOfSum = 200
  /// Of how many draws of a campaign of a sum one is made.
  static let drawsOfScatter = 5
}

extension PredictiveModel {
  /// Some days of one campaign.
  struct Part: Sendable {
    let campaign: RevealedCounts
    let withheld: WithheldMix
    /// The cells, each with what one unit of the worths counts as.
    var cells: [(index: Int, scale: Double)]

    fileprivate var users: Double {
      cells.reduce(0) { sum, cell in
        sum + campaign.cells[cell.index].revealedTotal + campaign.cells[cell.index].nulls
      }
    }

    /// All of its cells as one, whose amounts count at one scale.
    fileprivate func joined(of scale: Double) -> CellCounts {
      var sums = [Double](repeating: 0, count: campaign.revealed.count)
      var nulls = 0.0
      for cell in cells {
        let (own, weight) = (campaign.cells[cell.index], cell.scale / scale)
        nulls += weight * own.nulls
        own.revealed.add(to: &sums, times: weight)
      }
      return CellCounts(revealed: sums, nulls: nulls)
    }

    fileprivate var size: Double {
      cells.reduce(0) { sum, cell in
        sum + cell.scale * (campaign.cells[cell.index].revealedTotal + campaign.cells[cell.index].nulls)
      }
    }
  }

  /// Draws what some cells of a campaign come to together, as if they were one cell.
  ///
  /// - Parameters:
  ///   - campaign: A campaign as for ``draws(of:)``, of the set's codes.
  func draws(ofSumOf cells: Set<Int>, in campaign: RevealedCounts) -> [Double] {
    if completion != nil {
      let asked = campaign.joined(cells.contains)
      let others = campaign.joined { !cells.contains($0) }
      return draws(of: RevealedCounts(name: campaign.name, cells: [asked, others])).cell(0)
    }
    return draws(ofOneCell: campaign.joined(cells.contains), in: campaign)
  }

  /// Draws what a cell of a campaign comes to.
  ///
  /// - Parameter step: Which draws to make: each, or the first of so many.
  private func draws(
    ofOneCell asked: CellCounts, in campaign: RevealedCounts, each step: Int = 1
  ) -> [Double] {
    let revealed = campaign.revealed.all
    let counts = tree.counts(of: revealed, order: fitted.tree.order)
    let name = Self.hash(campaign.name)
    var sums = CellSums(
      RevealedCounts(name: "", cells: [asked]), worth: set.worth, nodes: tree.nodes.count)
    var draws: [Double] = []
    draws.reserveCapacity(count / step + 1)
    for draw in stride(from: 0, to: hyper.count, by: step) {
      let hyper = hyper[draw]
      var random = SplitMix64(seed: Self.seed(seed ^ name, UInt64(draw)))
      sums.begin(hyper)
      if asked.nulls > 0 { sums.addHiddenTogether(asked.nulls, tree, hyper, counts, &random) }
      sums.end(hyper, known: revealed, &random)
      draws.append(sums.sums[0].draw(&random))
    }
    return draws
  }

  /// Draws what some days of a campaign come to.
  ///
  /// Days whose amounts count at different rates of exchange are one cell too, in which a user counts as many times as the rate is of
  /// the mean rate.
  ///
  /// - Parameter step: Which draws to make: each, or the first of so many.
  func draws(of part: Part, each step: Int = 1) -> [Double] {
    guard completion == nil else { return draws(ofCompleted: part, each: step) }
    let users = part.users
    guard users > 0 else { return [Double](repeating: 0, count: (count + step - 1) / step) }
    let scale = part.cells[0].scale
    let mean = part.cells.allSatisfy { $0.scale == scale } ? scale : part.size / users
    return draws(ofOneCell: part.joined(of: mean), in: part.campaign, each: step).map { mean * $0 }
  }

  private func draws(ofCompleted part: Part, each step: Int) -> [Double] {
    var sums = [Double](repeating: 0, count: count)
    if let scale = part.cells.first?.scale, part.cells.allSatisfy({ $0.scale == scale }) {
      sums = draws(ofSumOf: Set(part.cells.map(\.index)), in: part.campaign).map { scale * $0 }
    } else if !part.cells.isEmpty {
      let apart = draws(of: part.campaign)
      for cell in part.cells {
        for (draw, value) in apart.cell(cell.index).enumerated() { sums[draw] += cell.scale * value }
      }
    }
    return step == 1 ? sums : stride(from: 0, to: count, by: step).map { sums[$0] }
  }

  /// Draws what many campaigns come to together.
  ///
  /// Given what all campaigns share in a draw, campaigns are independent, so their sum is all but normal. Its mean is
  /// what the fitted mixes are worth in the draw, plus by how much the draw's own mixes are worth more; that and the
  /// variance are taken from a systematic sample of campaigns, whose chance is proportional to their size. Where all
  /// campaigns are few they are all drawn.
  /// Source: Cochran, "Sampling techniques", 3rd edition, 1977, chapter 9A.
  ///
  /// - Parameter parts: Days of campaigns.
  func draws(ofSumOver parts: [Part]) -> [Double] {
    var sums = [Double](repeating: 0, count: count)
    guard parts.count > ManyCampaigns.mostOfSum else {
      for part in parts { for (draw, value) in draws(of: part).enumerated() { sums[draw] += value } }
      return sums
    }
    var users = [Double](repeating: 0, count: set.worth.buckets.count)
    for part in parts { part.add(to: &users, fitted) }
    for (draw, hyper) in hyper.enumerated() { sums[draw] = hyper.worth(of: users) }
    var variance = 0.0
    var mass = [Double](repeating: 0, count: tree.nodes.count)
    for (part, weight) in sample(parts) {
      let revealed = part.campaign.revealed.all
      let counts = tree.counts(of: revealed, order: fitted.tree.order)
      let mix = part.withheld.shares(by: fitted)
      var usual = [Double](repeating: 0, count: users.count)
      part.add(to: &usual, fitted)
      let quality = set.worth.tilt?.meanQuality(of: revealed) ?? 0
      let nulls = part.cells.reduce(0) { $0 + $1.scale * part.campaign.cells[$1.index].nulls }
      // Of how a campaign scatters some draws show enough.
      var scatter = 0.0
      let drawn = draws(of: part, each: ManyCampaigns.drawsOfScatter)
      for draw in hyper.indices {
        var mean = hyper[draw].worth(of: usual)
        if hyper[draw].tilt != nil {
          let more = hyper[draw].worth(of: usual, quality) - mean
          sums[draw] += weight * more
          mean += more
        }
        // Under the threshold rule the sum has the fitted mixes alone.
        if completion == nil, nulls > 0 {
          let more = nulls * (tree.meanWorth(hyper[draw], counts, &mass) - hyper[draw].worth(of: mix))
          sums[draw] += weight * more
          mean += more
        }
        guard draw % ManyCampaigns.drawsOfScatter == 0 else { continue }
        let value = drawn[draw / ManyCampaigns.drawsOfScatter]
        scatter += (value - mean) * (value - mean)
      }
      variance += weight * scatter / Double(drawn.count)
    }
    var random = SplitMix64(seed: Self.seed(seed, .max - 1))
    for draw in sums.indices { sums[draw] += variance.squareRoot() * random.normal() }
    return sums
  }

  /// Parts at even steps of the sum of their sizes, each with how many it stands for.
  private func sample(_ parts: [Part]) -> [(part: Part, weight: Double)] {
    let step = parts.reduce(0) { $0 + $1.size } / Double(ManyCampaigns.mostOfSum)
    guard step > 0 else { return [] }
    var random = SplitMix64(seed: Self.seed(seed, .max))
    var next = random.fraction() * step
    var (passed, found) = (0.0, [(part: Part, weight: Double)]())
    for part in parts {
      let size = part.size
      passed += size
      var times = 0
      while next < passed {
        times += 1
        next += step
      }
      if times > 0 { found.append((part, Double(times) * step / size)) }
    }
    return found
  }
}

extension PredictiveModel.Part {
  /// Adds its users by code, those withheld by the fitted mix, on the scale of its cells.
  fileprivate func add(to users: inout [Double], _ fitted: FittedTree) {
    var nulls = 0.0
    for (index, scale) in cells {
      let cell = campaign.cells[index]
      nulls += scale * cell.nulls
      cell.revealed.add(to: &users, times: scale)
    }
    let mix = nulls > 0 ? withheld.shares(by: fitted) : []
    guard mix.count == users.count else { return }
    for code in users.indices { users[code] += nulls * mix[code] }
  }
}

extension HyperparameterSample {
  /// What users of each code are worth together, whatever their campaigns.
  func worth(of users: [Double]) -> Double {
    var sum = 0.0
    for code in users.indices where users[code] != 0 { sum += users[code] * worths[code].mean }
    return sum
  }

  /// The same of users of a campaign of some quality.
  fileprivate func worth(of users: [Double], _ quality: Double) -> Double {
    guard let tilt else { return worth(of: users) }
    var sum = 0.0
    for code in users.indices where users[code] != 0 {
      sum += users[code] * worths[code].mean * tilt.factors(at: within.slope * quality, code: code).mean
    }
    return sum
  }
}

extension RevealedCounts {
  fileprivate func joined(_ isPart: (Int) -> Bool) -> CellCounts {
    var sums = [Double](repeating: 0, count: revealed.count)
    var nulls = 0.0
    for index in cells.indices where isPart(index) {
      nulls += cells[index].nulls
      cells[index].revealed.add(to: &sums)
    }
    return CellCounts(revealed: sums, nulls: nulls)
  }
}

extension FlatTree {
  /// What a withheld value of a campaign is worth on average, given what all campaigns share in a draw.
  ///
  /// - Parameter mass: A number for each node, to count in.
  fileprivate func meanWorth(
    _ hyper: HyperparameterSample, _ counts: Counts, _ mass: inout [Double]
  ) -> Double {
    for index in mass.indices { mass[index] = 0 }
    mass[0] = 1
    var sum = 0.0
    for index in nodes.indices where mass[index] > 0 {
      let (prior, reached) = prior(of: index, hyper, counts)
      guard reached > 0 else {
        sum += mass[index] * hyper.nodeWorths[index]
        continue
      }
      for child in nodes[index].children {
        let part = mass[index] * (prior * hyper.shares[child] + counts.ofChildren[child]) / (prior + reached)
        if children[child].node >= 0 {
          mass[children[child].node] = part
        } else {
          sum += part * hyper.worths[children[child].code].mean
        }
      }
    }
    return sum
  }
}
