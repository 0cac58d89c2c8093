import Estimates
import Numerics
import System
import Values

/// An app with networks whose installs are earned, and with one that claims some that came anyway, day by day.
///
/// Nothing in it is of the form that the tests assume but the mix of values, which is a list. Demand has a weekly season, days
/// that go together, and days of promotion; ads follow it each by an elasticity of its own. Budgets wander, campaigns
/// start and stop, shares of views and of assists wander, formats change, audiences and publishers differ.
struct PatternWorld {
  enum Law: String, CaseIterable {
    case usual
    /// Two networks alone, which have little to be compared with.
    case twoNetworks = "two-networks"
    /// Demand that moves twice as much, and views that follow it more than clicks do.
    case strongDemand = "strong-demand"
    /// Half of the campaigns start or stop, and one in eight changes its format.
    case restless
    /// Networks, campaigns and publishers that differ by a law with heavy tails: Student's with three degrees of freedom.
    case unlike
  }

  /// A network that claims a share of the organic installs by views.
  struct Claim: Hashable {
    let share: Double
    /// The first day of it.
    let begin: Int
  }

  /// Whole counts of one campaign and day, by publisher (the last: not disclosed) and value.
  struct CampaignDay {
    var views: [[Double]]
    var clicks: [[Double]]
    var assists = 0.0

    var winners: Double { (views + clicks).reduce(0) { $0 + $1.reduce(0, +) } }
  }

  struct Campaign {
    let network: Int
    let number: Int
    var days: [CampaignDay]
  }

  static let (before, recent, looks) = (56, 28, 28)
  static let days = before + recent + looks - 1
  /// The network that claims.
  static let claimant = 0

  private static let publishers = 12
  private static let organicMix = [0.55, 0.15, 0.1, 0.07, 0.05, 0.04, 0.025, 0.015]

  private(set) var campaigns: [Campaign] = []
  private(set) var installs: [Double?] = []
  private(set) var ownUsers: [Double]

  init(_ law: Law, claim: Claim?, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let demand = Self.demand(law, &random)
    let organic = demand.map { Double(random.poisson(1_200 * exponential($0))) }
    ownUsers = Self.organicMix.map { Double(random.poisson(4_000 * $0)) }
    var all = organic
    let networks = law == .twoNetworks ? 2 : 5
    for number in 0..<networks {
      let network = Network(law, &random)
      let isClaimant = claim != nil && number == Self.claimant
      for (value, share) in network.clickMix(0).enumerated() {
        ownUsers[value] += Double(random.poisson(1_500 / Double(networks) * share))
      }
      for campaign in 0..<(2 + random.number(below: 4)) {
        campaigns.append(
          Campaign(
            network: number, number: campaign,
            days: network.campaign(law, demand, isLasting: isClaimant && campaign == 0, &random)))
      }
    }
    for campaign in campaigns {
      for (day, counts) in campaign.days.enumerated() { all[day] += counts.winners }
    }
    installs = all
    if let claim { add(claim, organic, &random) }
  }

  private static func demand(_ law: Law, _ random: inout SplitMix64) -> [Double] {
    let season = (0..<7).map { _ in 0.15 * random.normal() }
    let scale = law == .strongDemand ? 2.0 : 1
    var last = 0.0
    return (0..<days).map { day in
      last = 0.5 * last + 0.08 * scale * random.normal()
      return season[day % 7] + last + (random.happens(0.02) ? 0.4 : 0)
    }
  }

  /// Views of the claimant's first campaign that take organic installs, at two of its publishers, and its assists of what
  /// other networks won.
  private mutating func add(_ claim: Claim, _ organic: [Double], _ random: inout SplitMix64) {
    guard let place = campaigns.firstIndex(where: { $0.network == Self.claimant }) else { return }
    let cumulated = Self.cumulated(Self.organicMix)
    for day in claim.begin..<Self.days {
      let others = campaigns.reduce(0) {
        $1.network == Self.claimant ? $0 : $0 + $1.days[day].winners
      }
      for _ in 0..<random.binomial(Int(organic[day]), claim.share) {
        let publisher = random.happens(0.7) ? random.number(below: 2) : Self.publishers
        campaigns[place].days[day].views[publisher][Self.pick(cumulated, &random)] += 1
      }
      campaigns[place].days[day].assists += Double(random.poisson(claim.share * others))
    }
  }

  // MARK: Looks

  /// What a report sees that looks back from a day.
  func app(until end: Int) -> PatternApp {
    let days = (end - Self.before - Self.recent)..<end
    let recent = days.suffix(Self.recent)
    return PatternApp(
      campaigns: campaigns.map { campaign in
        var seen = PatternCampaign(
          network: "\(campaign.network)", campaign: "\(campaign.number)",
          days: days.map { day in
            let counts = campaign.days[day]
            let views = counts.views.reduce(0) { $0 + $1.reduce(0, +) }
            let winners = counts.winners
            return .init(views: views, clicks: winners - views, winners: winners, assists: counts.assists)
          }, viewValues: Self.organicMix.map { _ in 0 }, clickValues: Self.organicMix.map { _ in 0 })
        for publisher in 0...Self.publishers {
          var sum = Self.organicMix.map { _ in 0.0 }
          for day in recent {
            for value in sum.indices {
              let (views, clicks) = (
                campaign.days[day].views[publisher][value], campaign.days[day].clicks[publisher][value]
              )
              seen.viewValues[value] += views
              seen.clickValues[value] += clicks
              sum[value] += views + clicks
            }
          }
          if publisher < Self.publishers { seen.publishers["\(publisher)"] = sum }
        }
        return seen
      }, recentDays: Self.recent, allInstalls: Array(installs[days]), ownUsers: ownUsers)
  }

  // MARK: Networks

  private struct Network {
    let viewLogit: Double
    let assistLogit: Double
    let viewElasticity: Double
    let clickElasticity: Double
    /// How much lower values are than those of organic users.
    let tilt: Double
    /// How far views are on the way from clicks to organic users.
    let closeness: Double
    let publisherTilts: [Double]

    init(_ law: Law, _ random: inout SplitMix64) {
      viewLogit = -0.8 + random.normal()
      assistLogit = -1.5 + 0.7 * random.normal()
      let shared = 0.4 + 0.2 * random.normal()
      clickElasticity = shared
      viewElasticity = shared + (law == .strongDemand ? 0.15 : 0) + 0.12 * Self.unlike(law, &random)
      tilt = -0.25 + 0.1 * random.normal()
      closeness = 0.2 + 0.12 * Self.unlike(law, &random)
      var tilts: [Double] = []
      for _ in 0..<publishers { tilts.append(0.1 * Self.unlike(law, &random)) }
      publisherTilts = tilts
    }

    /// By how much something differs, in standard deviations of the usual law.
    private static func unlike(_ law: Law, _ random: inout SplitMix64) -> Double {
      let normal = random.normal()
      return law == .unlike ? normal / (random.gamma(shape: 1.5) / 1.5).squareRoot() : normal
    }

    func clickMix(_ tilt: Double) -> [Double] { PatternWorld.tilted(organicMix, by: self.tilt + tilt) }

    func campaign(
      _ law: Law, _ demand: [Double], isLasting: Bool, _ random: inout SplitMix64
    ) -> [CampaignDay] {
      let volume = exponential(4 + 0.7 * random.normal())
      let turnover = law == .restless ? 0.25 : 0.1
      let start = !isLasting && random.happens(turnover) ? random.number(below: days) : 0
      let stop = !isLasting && random.happens(turnover) ? random.number(below: days) : days
      let formatDay = law == .restless && random.happens(0.125) ? random.number(below: days) : days
      let format = 0.6 * random.normal()
      // How much its shares wander in a day.
      let drift = law == .unlike ? 0.03 * Self.unlike(law, &random).magnitude : 0.03
      let mixes = mixes(&random)
      let weights = publisherWeights(&random)
      var budget = 0.0
      var view = viewLogit + 0.5 * random.normal()
      var assist = assistLogit + 0.3 * random.normal()
      return (0..<days).map { day in
        budget += 0.04 * random.normal()
        view += drift * random.normal() + (day == formatDay ? format : 0)
        assist += drift * random.normal()
        var counts = CampaignDay(
          views: Array(repeating: organicMix.map { _ in 0 }, count: publishers + 1),
          clicks: Array(repeating: organicMix.map { _ in 0 }, count: publishers + 1))
        guard day >= start, day < stop else { return counts }
        let share = Self.logistic(view + 0.1 * random.normal())
        let size = volume * exponential(budget + 0.12 * random.normal())
        let views = random.poisson(size * share * exponential(viewElasticity * demand[day]))
        let clicks = random.poisson(size * (1 - share) * exponential(clickElasticity * demand[day]))
        for install in 0..<(views + clicks) {
          let publisher = PatternWorld.pick(weights, &random)
          let isDisclosed = random.happens(0.7)
          let value = PatternWorld.pick(mixes[publisher][install < views ? 0 : 1], &random)
          let place = isDisclosed ? publisher : publishers
          if install < views { counts.views[place][value] += 1 } else { counts.clicks[place][value] += 1 }
        }
        let odds = exponential(assist + 0.1 * random.normal())
        counts.assists = Double(random.poisson(Double(views + clicks) * odds))
        return counts
      }
    }

    /// Cumulated shares of values of each publisher's views and clicks.
    private func mixes(_ random: inout SplitMix64) -> [[[Double]]] {
      let own = 0.05 * random.normal()
      let near = closeness + 0.06 * random.normal()
      return publisherTilts.map { publisher in
        let clicks = clickMix(own + publisher)
        let organic = PatternWorld.tilted(organicMix, by: publisher)
        let views = zip(clicks, organic).map { max(0, $0 + near * ($1 - $0)) }
        return [PatternWorld.cumulated(views), PatternWorld.cumulated(clicks)]
      }
    }

    private func publisherWeights(_ random: inout SplitMix64) -> [Double] {
      PatternWorld.cumulated((0..<publishers).map { _ in random.gamma(shape: 0.5) + 1e-6 })
    }

    private static func logistic(_ logit: Double) -> Double { 1 / (1 + exponential(-logit)) }
  }

  private static func tilted(_ mix: [Double], by tilt: Double) -> [Double] {
    let raw = mix.enumerated().map { $1 * exponential(tilt * Double($0)) }
    let sum = raw.reduce(0, +)
    return raw.map { $0 / sum }
  }

  private static func cumulated(_ weights: [Double]) -> [Double] {
    let sum = weights.reduce(0, +)
    var last = 0.0
    return weights.map {
      last += $0 / sum
      return last
    }
  }

  private static func pick(_ cumulated: [Double], _ random: inout SplitMix64) -> Int {
    let place = random.fraction()
    return cumulated.firstIndex { place < $0 } ?? cumulated.count - 1
  }
}
