internal import System

/// Campaigns completed under the rule that a value is withheld where fewer than some number of users have it.
///
/// Each code that a campaign does not reveal has X users, a Poisson variable of mean t N θ cut off below the smallest
/// revealed number; t makes the expected X add up to the campaign's nulls. The tree is refitted to the completed
/// counts, four times over. It is the EM algorithm. Source: Dempster, Laird and Rubin, "Maximum likelihood from
/// incomplete data via the EM algorithm", 1977.
struct ThresholdCompletion: Sendable {
  struct Campaign: Sendable {
    /// Revealed and expected withheld counts, by code.
    let completed: [Double]
    /// The expected withheld counts, by code; their sum is the number of nulls.
    let hidden: [Double]
    /// Whether more values are withheld than the rule can hide.
    let isBeyondRule: Bool

    func nullWorth(_ worth: CodeWorth) -> Double {
      let total = hidden.reduce(0, +)
      return total > 0 ? worth.value(of: hidden) / total : 0
    }
  }

  let fitted: FittedTree
  let campaigns: [Campaign]
  let smallest: Int

  /// Completes the campaigns of a set; `nil` where nothing is known of their mix.
  init?(_ set: CampaignSet, smallest: Int) throws(EstimationError) {
    guard set.mix != nil else { return nil }
    let codes = set.worth.buckets.count
    let smallest = min(1000, max(2, smallest))
    var campaigns = set.campaigns.map {
      Campaign(
        completed: $0.revealed.all, hidden: [Double](repeating: 0, count: codes), isBeyondRule: false)
    }
    var fitted: FittedTree
    var round = 0
    repeat {
      let mix = Self.mix(campaigns.map(\.completed), firstParty: set.firstParty, codes: codes)
      let refitted = try FittedTree(
        fitting: DirichletTree(of: set, mix: mix), mix: mix,
        campaigns: campaigns.map { CodeCounts($0.completed) })
      campaigns = zip(set.campaigns, campaigns).map { campaign, before in
        Self.complete(campaign, mix: refitted.mix(given: CodeCounts(before.completed)), smallest: smallest)
      }
      fitted = refitted
      round += 1
    } while round < 4
    self.fitted = fitted
    self.campaigns = campaigns
    self.smallest = smallest
  }

  /// The app's mix; without own users, half a user of every code, since a rare code may be withheld everywhere.
  private static func mix(_ counts: [[Double]], firstParty: [Double]?, codes: Int) -> [Double] {
    var sums =
      firstParty?.map { $0 * CampaignSet.firstPartyWeight } ?? [Double](repeating: 0.5, count: codes)
    for count in counts {
      for code in 0..<codes { sums[code] += count[code] }
    }
    let total = sums.reduce(0, +)
    return sums.map { $0 / total }
  }

  /// Shares a campaign's nulls out over the codes that it does not reveal.
  static func complete(_ campaign: RevealedCounts, mix: [Double], smallest: Int) -> Campaign {
    var hidden = rates(campaign, mix: mix, smallest: smallest).map {
      truncatedMean($0, below: smallest)
    }
    let sum = hidden.reduce(0, +)
    let isBeyond = campaign.nulls > sum * (1 + 1e-6) + 1e-9
    if isBeyond {
      // What the rule does not explain is withheld by another one, which does not depend on the value.
      let rest = campaign.nulls - sum
      for code in hidden.indices { hidden[code] += rest * mix[code] }
    }
    return Campaign(
      completed: zip(campaign.revealed, hidden).map { $0 + $1 }, hidden: hidden, isBeyondRule: isBeyond)
  }

  /// The Poisson rates t N θ of the codes that a campaign does not reveal; 0 for the others.
  static func rates(_ campaign: RevealedCounts, mix: [Double], smallest: Int) -> [Double] {
    let open = zip(campaign.revealed, mix).map { $0 > 0 ? 0 : $1 }
    guard campaign.nulls > 0, open.contains(where: { $0 > 0 }) else { return open.map { _ in 0 } }
    func sum(_ scale: Double) -> Double {
      open.reduce(0) { $0 + ($1 > 0 ? truncatedMean(scale * $1, below: smallest) : 0) }
    }
    var (low, high) = (-20.0, 40.0)
    for _ in 0..<45 {
      let middle = (low + high) / 2
      if sum(exponential(middle)) < campaign.nulls { low = middle } else { high = middle }
    }
    let scale = exponential((low + high) / 2)
    return open.map { $0 * scale }
  }

  /// The mean of a Poisson variable of which only values below some number are possible.
  static func truncatedMean(_ rate: Double, below smallest: Int) -> Double {
    // The odds of each value relative to the likeliest end, so that rates of any size stay finite.
    var (odds, weight, sum) = (1.0, 0.0, 0.0)
    if rate > Double(smallest) {
      for value in stride(from: smallest - 1, through: 0, by: -1) {
        weight += odds
        sum += Double(value) * odds
        odds *= Double(value) / rate
      }
    } else {
      for value in 0..<smallest {
        weight += odds
        sum += Double(value) * odds
        odds *= rate / Double(value + 1)
      }
    }
    return sum / weight
  }

  /// How likely each value below some number is, on a scale of no meaning that can't overflow.
  static func truncatedOdds(_ rate: Double, below smallest: Int) -> [Double] {
    // Relative to the highest value, so that rates of any size stay finite.
    guard rate > Double(smallest) else {
      var odds = [1.0]
      for value in 1..<smallest { odds.append(odds[value - 1] * rate / Double(value)) }
      return odds
    }
    var odds = [Double](repeating: 1, count: smallest)
    for value in stride(from: smallest - 2, through: 0, by: -1) {
      odds[value] = odds[value + 1] * Double(value + 1) / rate
    }
    return odds
  }
}
