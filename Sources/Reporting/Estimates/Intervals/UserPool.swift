internal import Numerics
import System
package import Values

/// A pool of users from which campaigns of known truth are made.
///
/// A campaign's users are drawn with probability proportional to exp(θ z), z the user's rank by worth on a scale of
/// variance 1 and θ normal around 0: a good campaign has better users throughout. Ranks are bounded, so that no campaign
/// is made of the few highest users. Values are then withheld by a law that looks at sizes only; the truth is what all the
/// campaign's users are worth. That campaigns differ in this way, and by how much, is an assumption.
package struct UserPool: Sendable {
  private let codes: [Int]
  private let weights: [Double]
  private let scores: [Double]
  private let buckets: [BucketWorth]
  /// How far campaigns differ within a value, and the mean score of each user's value; `nil` where they differ within values as
  /// between them.
  private var within: (law: WithinValueLaw, scores: [Double])?

  package struct User: Equatable, Sendable {
    package let code: Int
    package let amount: Double
    /// The number of the group that the user belongs to, as of a campaign.
    package let group: Int?

    package init(code: Int, amount: Double, group: Int? = nil) {
      self.code = code
      self.amount = amount
      self.group = group
    }
  }

  /// Takes known users; nil where there are none.
  ///
  /// - Parameter scores: What a campaign's quality multiplies for each; `nil` for the users' ranks.
  package init?(users: [User], scores: [Double]? = nil) {
    self.init(
      codes: users.map(\.code), weights: users.map { _ in 1 },
      buckets: users.map {
        BucketWorth(mean: $0.amount, spread: 0, low: $0.amount, high: $0.amount, users: 1)
      }, scores: scores)
  }

  /// Takes the values that a set reveals, with worths drawn around the codes' means; nil where it reveals none.
  ///
  /// Where worths are of a longer time than values count, users are the own ones, so that campaigns differ within a value
  /// too: intervals that hold then hold where they do not.
  package init?(revealedOf set: CampaignSet) {
    var counts = [Double](repeating: 0, count: set.worth.buckets.count)
    for campaign in set.campaigns {
      campaign.revealed.add(to: &counts)
    }
    if let tilt = set.worth.tilt, tilt.users.contains(where: { counts[$0.code] > 0 }) {
      self.init(tilt.users, counts)
      differ(within: tilt.within)
      return
    }
    let seen = counts.indices.filter { counts[$0] > 0 }
    self.init(codes: seen, weights: seen.map { counts[$0] }, buckets: seen.map { set.worth.buckets[$0] })
  }

  /// Takes own users, as many of each value as there are counts.
  private init?(_ own: [QualityTilt.User], _ counts: [Double]) {
    var weights = [Double](repeating: 0, count: counts.count)
    for user in own { weights[user.code] += user.weight }
    let users = own.filter { counts[$0.code] > 0 }
    self.init(
      codes: users.map(\.code), weights: users.map { $0.weight * counts[$0.code] / weights[$0.code] },
      buckets: users.map {
        BucketWorth(mean: $0.amount, spread: 0, low: $0.amount, high: $0.amount, users: 1)
      })
  }

  private init?(
    codes: [Int], weights: [Double], buckets: [BucketWorth], scores: [Double]? = nil
  ) {
    guard !codes.isEmpty else { return nil }
    self.codes = codes
    self.weights = weights
    self.scores = scores ?? rankScores(buckets.map(\.mean), weights: weights)
    self.buckets = buckets
  }

  /// Makes campaigns differ within a value as far as groups of own users do; without groups nothing changes.
  mutating func differ(within law: WithinValueLaw) {
    guard law.groups > 0 else { return }
    let last = codes.max() ?? 0
    var (sums, users) = ([Double](repeating: 0, count: last + 1), [Double](repeating: 0, count: last + 1))
    for (index, code) in codes.enumerated() {
      sums[code] += weights[index] * scores[index]
      users[code] += weights[index]
    }
    within = (law, codes.map { sums[$0] / users[$0] })
  }

  package struct Campaign: Hashable, Sendable {
    package let counts: RevealedCounts
    package let truth: [Double]
  }

  /// Makes a campaign.
  ///
  /// - Parameters:
  ///   - sizes: How many installs each cell has.
  ///   - codeCount: How many codes there are.
  ///   - mechanism: What hides values.
  ///   - tilt: The standard deviation of θ.
  ///   - random: The random number generator.
  package func campaign(
    name: String, sizes: [Int], codeCount: Int, mechanism: NullMechanism, tilt: Double = 0.5,
    _ random: inout SplitMix64
  ) -> Campaign {
    let sums = sums(ofCampaign: tilt * random.normal(), &random)
    var cells: [CellCounts] = []
    var truth: [Double] = []
    for size in sizes {
      var hidden = mechanism.hidden(of: size, &random)
      var revealed = [Double](repeating: 0, count: codeCount)
      var worth = 0.0
      let nulls = hidden
      for place in 0..<size {
        let index = Self.index(of: random.fraction() * (sums.last ?? 0), in: sums)
        let bucket = buckets[index]
        worth += bucket.amount(&random)
        // Users are drawn one like the other, so hiding so many of those left hides any of them alike.
        if random.number(below: size - place) < hidden {
          hidden -= 1
        } else if revealed.indices.contains(codes[index]) {
          revealed[codes[index]] += 1
        }
      }
      cells.append(CellCounts(revealed: revealed, nulls: Double(nulls)))
      truth.append(worth)
    }
    return Campaign(counts: RevealedCounts(name: name, cells: cells), truth: truth)
  }

  /// Divides all users into groups of random quality, each of which has users with the odds that a campaign has.
  ///
  /// - Returns: The group of each user.
  func groups(_ count: Int, tilt: Double = 0.5, _ random: inout SplitMix64) -> [Int] {
    var qualities: [Double] = []
    for _ in 0..<count { qualities.append(tilt * random.normal()) }
    let means = qualities.map { quality in scores.reduce(0) { $0 + exponential(quality * $1) } }
    var groups: [Int] = []
    for score in scores {
      var sums: [Double] = []
      for (quality, mean) in zip(qualities, means) {
        sums.append((sums.last ?? 0) + exponential(quality * score) / mean)
      }
      groups.append(Self.index(of: random.fraction() * (sums.last ?? 0), in: sums))
    }
    return groups
  }

  /// The chance of each user to be in a campaign of some quality, added up.
  private func sums(ofCampaign quality: Double, _ random: inout SplitMix64) -> [Double] {
    var sums: [Double] = []
    sums.reserveCapacity(codes.count)
    let own = within.map { $0.law.place(at: random.fraction()).quality(quality, &random) }
    for index in codes.indices {
      var logarithm = quality * scores[index]
      if let own, let value = within?.scores[index] {
        logarithm = quality * value + own * (scores[index] - value)
      }
      sums.append((sums.last ?? 0) + weights[index] * exponential(logarithm))
    }
    return sums
  }

  /// The first place whose sum lies above a number.
  private static func index(of target: Double, in sums: [Double]) -> Int {
    var (low, high) = (0, sums.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if sums[middle] > target { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension BucketWorth {
  /// Draws what one user is worth: a known one where all are known.
  fileprivate func amount(_ random: inout SplitMix64) -> Double {
    if case .amounts(let amounts) = evidence { return amounts[random.number(below: amounts.count)] }
    return spread > 0 ? min(high, max(low, mean + spread * random.normal())) : mean
  }
}

extension Recalibration {
  /// How many times campaigns are made anew.
  static let rounds = 2

  /// Learns on campaigns generated from a pool: as many and as large as the real ones, withheld by a law of their own.
  ///
  /// Of more than 500 real campaigns, each round takes 250 at random: a few hundred pairs show how often intervals hold.
  ///
  /// - Parameters:
  ///   - fitting: Learns from campaigns what the intervals are made from.
  ///   - set: The real campaigns, for sizes, worths and the mix of own users.
  ///   - mechanism: What hides values; nil hides each campaign's share of its installs.
  ///   - areMany: Whether some of the campaigns are taken, as one cell each; `nil` for a choice by their number.
  ///   - rounds: How many times campaigns are made anew; `nil` for the usual number.
  ///   - draws: How many draws make an interval.
  ///   - seed: What everything follows from.
  /// - Returns: Nil without evidence.
  /// - Throws: ``EstimationError`` where a fit fails.
  package static func learned(
    for fitting: (CampaignSet) throws(EstimationError) -> EstimatorFit, on set: CampaignSet, pool: UserPool,
    mechanism: NullMechanism?,
    areMany: Bool? = nil, rounds: Int? = nil, draws: Int = 300, seed: UInt64
  ) throws(EstimationError) -> Self? {
    var random = SplitMix64(seed: seed)
    var pairs: [CalibrationPair] = []
    let isSample = areMany ?? (set.campaigns.count > ManyCampaigns.mostDrawnApart)
    for _ in 0..<(rounds ?? Self.rounds) {
      let campaigns =
        isSample
        ? Array(set.campaigns.shuffled(using: &random).prefix(ManyCampaigns.mostSimulated)) : set.campaigns
      var made: [UserPool.Campaign] = []
      for campaign in campaigns {
        let sizes = campaign.cells.map { Int(($0.revealedTotal + $0.nulls).rounded()) }
        made.append(
          pool.campaign(
            name: campaign.name,
            // By a share of all installs, cells are withheld as one.
            sizes: isSample && mechanism == nil ? [sizes.reduce(0, +)] : sizes,
            codeCount: set.worth.buckets.count, mechanism: mechanism ?? .share(campaign.nullShare), &random))
      }
      let pseudo = try CampaignSet(
        campaigns: made.map(\.counts), worth: set.worth, firstParty: set.firstParty)
      let fitted = try fitting(pseudo)
      guard let model = PredictiveModel(of: pseudo, from: fitted, count: draws, seed: random.next()) else {
        return nil
      }
      let mean = pseudo.appMean ?? 0
      for campaign in made where campaign.counts.total > 0 {
        let draws =
          isSample
          ? model.draws(ofSumOf: Set(campaign.counts.cells.indices), in: campaign.counts)
          : model.draws(of: campaign.counts).total
        guard let interval = Interval(of: draws) else { continue }
        pairs.append(
          CalibrationPair(
            interval: interval, truth: campaign.truth.reduce(0, +),
            priorMean: campaign.counts.total * mean, nullShare: campaign.counts.nullShare))
      }
    }
    return fit(pairs)
  }
}
